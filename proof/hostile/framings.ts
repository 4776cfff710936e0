import type { Random } from "../../test/support/random.ts";

/** Bytes that two parsers could interpret differently. */
export interface Framing {
  readonly title: string;
  /** Headers after the request line and `Host`, each with its line end. */
  readonly headers: string;
  readonly body: string;
}

const line = (text: string): string => `${text}\r\n`;
const chunkedBody = "2\r\n{}\r\n0\r\n\r\n";

const lengths = [
  ...["2", "02", "+2", "-2", "0x2", "2.0", "2e0", "2 ", " 2", "2, 2", "2,3", "2;", "", "two", "２"],
  ...["18446744073709551618", "9".repeat(40), "2\t", "2\x0b", "2\0", "1_0", '"2"'],
];
const codings = [
  ...[
    "chunked",
    "ChunKed",
    "CHUNKED",
    " chunked",
    "chunked ",
    "\tchunked",
    "\x0bchunked",
    "chunked,",
  ],
  ...[
    "chunked, chunked",
    "chunked,identity",
    "identity",
    "identity, chunked",
    "gzip, chunked",
    "x",
  ],
  ...[
    "chunked, gzip",
    "xchunked",
    "chunkedx",
    '"chunked"',
    "chunked;a=b",
    "chun ked",
    "",
    ",chunked",
  ],
];
const coding = "Transfer-Encoding";
const spellings = [
  coding,
  coding.toLowerCase(),
  `${coding} `,
  ` ${coding}`,
  `${coding}\t`,
  "X\r\n\tY",
];
const sizes = [
  ...[
    "2",
    "02",
    "0002",
    "2;a=b",
    '2;a="b\r\nc"',
    "2 ",
    " 2",
    "2\t;x",
    "0x2",
    "+2",
    "-2",
    "2g",
    "2,",
    "",
  ],
  ...["g", "2\x0b", "ffffffffffffffff", `${"0".repeat(300)}2`, `2;${"x".repeat(20_000)}`, "2;a=\0"],
];
const ends = ["\r\n", "\n", "\r", "\r\r\n", "\n\r\n", ""];
const trailers = [
  "",
  line("X: y"),
  line("Content-Length: 5"),
  line("Host: b"),
  "X\r\n",
  " fold\r\n",
];

/** Yields `count` framings: first in a fixed order, then random combinations. */
export function makeFramings(random: Random, count: number): Framing[] {
  const framings: Framing[] = [];
  const add = (title: string, headers: string, body: string): void => {
    framings.push({ title, headers, body });
  };
  for (const length of lengths) {
    add("an odd length", line(`Content-Length: ${length}`), "{}");
    add("a second length", line("Content-Length: 2") + line(`Content-Length: ${length}`), "{}");
    add(
      "a length and chunks",
      line(`Content-Length: ${length}`) + line(`${coding}: chunked`),
      chunkedBody,
    );
  }
  for (const value of codings) {
    add("an odd coding", line(`${coding}: ${value}`), chunkedBody);
    add(
      "a coding and a length",
      line(`${coding}: ${value}`) + line("Content-Length: 2"),
      chunkedBody,
    );
    add("two codings", line(`${coding}: chunked`) + line(`${coding}: ${value}`), chunkedBody);
  }
  for (const name of spellings) add("an odd name", line(`${name}: chunked`), chunkedBody);
  for (const size of sizes)
    add("an odd chunk", line(`${coding}: chunked`), `${size}\r\n{}\r\n0\r\n\r\n`);
  for (const end of ends) {
    add("odd ends of chunks", line(`${coding}: chunked`), `2${end}{}${end}0${end}${end}`);
    add("an odd end of a header", `X-A: b${end}${line("Content-Length: 2")}`, "{}");
    add("an odd end of the head", `Content-Length: 2${end}`, "{}");
  }
  for (const trailer of trailers)
    add("a trailer", line(`${coding}: chunked`), `2\r\n{}\r\n0\r\n${trailer}\r\n`);
  add("a folded header", line("X-A: b\r\n c") + line("Content-Length: 2"), "{}");
  add("a folded length", line("Content-Length:\r\n 2"), "{}");
  add("a header without a colon", line("X-A") + line("Content-Length: 2"), "{}");
  add("a header without a name", line(": a") + line("Content-Length: 2"), "{}");
  add("a zero in a header", line("X-A: a\0b") + line("Content-Length: 2"), "{}");
  add("huge headers", line(`X-A: ${"a".repeat(70_000)}`) + line("Content-Length: 2"), "{}");
  add("many headers", line("X-A: a").repeat(3_000) + line("Content-Length: 2"), "{}");
  while (framings.length < count) {
    const mixed = random.list(1, 4, () =>
      random.chance(0.5)
        ? line(`Content-Length: ${random.pick(lengths)}`)
        : line(`${random.pick(spellings)}: ${random.pick(codings)}`),
    );
    const size = random.pick(sizes);
    const body = `${size}${random.pick(ends)}{}${random.pick(ends)}0\r\n${random.pick(trailers)}\r\n`;
    add("a mixture", mixed.join(""), random.chance(0.7) ? body : "{}");
  }
  return framings.slice(0, count);
}
