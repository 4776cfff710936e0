import type { Random } from "../../../test/support/random.ts";

const encoder = new TextEncoder();

/** Joins random pieces until they have a size, each repeated up to a thousand times, and cuts the rest off. */
function mix(random: Random, bytes: number, makers: readonly (() => string)[]): string {
  // A few of the makers, so that each body is dense in another way.
  const chosen = random.list(1, 4, () => random.pick(makers));
  let text = "";
  while (text.length < bytes) {
    const piece = random.pick(chosen)();
    text += piece.repeat(random.pick([1, 1, 2, 10, 1_000]));
  }
  return text.slice(0, bytes);
}

/** Encodes text; a character of U+F700 to U+F7FF stands for a byte that is not UTF-8. */
export function encode(text: string, bytes: number): Uint8Array<ArrayBuffer> {
  if (!/[\uf700-\uf7ff]/.test(text)) return encoder.encode(text).slice(0, bytes);
  const pieces = text
    .split(/([\uf700-\uf7ff]+)/)
    .map((piece, at) =>
      at % 2 === 0
        ? encoder.encode(piece)
        : Uint8Array.from(piece, (character) => character.charCodeAt(0) & 0xff),
    );
  return new Uint8Array(pieces.flatMap((piece) => [...piece])).slice(0, bytes);
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789_-";
const word = (random: Random): string =>
  random.list(1, 8, () => letters[random.between(0, letters.length - 1)] ?? "").join("");
const oddText = (random: Random): string =>
  random.pick([
    "ä",
    "€",
    "😀",
    "\ufffd",
    "\uf7ff",
    "\uf7e2\uf782",
    "\uf7c3",
    "\0",
    " ",
    "\t",
    "\\",
    '"',
  ]);

/** Generates an urlencoded body: pairs, escapes and separators. */
export function generateForm(random: Random, bytes: number): Uint8Array<ArrayBuffer> {
  const oddEscape = (): string =>
    random.pick([
      "%",
      "%%",
      "%4",
      "%ff",
      "%e2%82",
      "%C3%A4",
      "%00",
      "%26",
      "%3D",
      "%u0041",
      "%ED%A0%80",
    ]);
  const text = mix(random, bytes, [
    () => `${word(random)}=${word(random)}&`,
    () => `${word(random)}&`,
    () => "&",
    () => "=",
    () => "+",
    () => "a[]=1&",
    () => "__proto__=1&",
    () => `${oddText(random)}=&`,
    () => oddText(random),
    oddEscape,
    () => `${oddEscape()}&`,
    () => `${word(random)}=${oddEscape()}&`,
  ]);
  return encode(text, bytes);
}

/** Generates a multipart form with the boundary `b`: most are well-formed to their end. */
export function generateParts(random: Random, bytes: number): Uint8Array<ArrayBuffer> {
  const name = (): string =>
    random.pick([
      word(random),
      "",
      "%22",
      "%0D%0A",
      '\\"',
      "\\\\",
      oddText(random),
      "a;b",
      "__proto__",
    ]);
  const parameter = (): string =>
    random.pick([
      ...[
        "; filename=a",
        '; filename=""',
        "; filename*=utf-8''%41",
        "; x=y",
        ";",
        "; a=b;c=d",
        " ; ",
      ],
      ...[`; ${word(random)}="${oddText(random)}"`, "; filename*=iso-8859-1''%e4"],
    ]);
  const line = (): string =>
    random.pick([
      ...[
        "X: y\r\n",
        "Content-Type: text/plain\r\n",
        "Content-Type: a/b;charset=gb18030\r\n",
        " z\r\n",
      ],
      ...[
        `${word(random)}: ${oddText(random)}\r\n`,
        "Content-Transfer-Encoding: 8bit\r\n",
        "a:\r\n",
      ],
    ]);
  const head = (): string => {
    const names = name().repeat(random.pick([1, 1, 1, 50]));
    const parameters = random.list(0, random.pick([0, 1, 1, 15]), parameter).join("");
    const lines = random.list(0, random.pick([0, 0, 1, 30]), line).join("");
    const disposition = `Content-Disposition: form-data; name="${names}"${parameters}\r\n`;
    return random.chance(0.5) ? lines + disposition : disposition + lines;
  };
  const content = (): string =>
    random.pick(["", "", word(random), oddText(random), "\r\n", "\r\n--", "\r\n--c", "--b", "\r"]);
  // One head is repeated in most forms: many ways to be wrong end a form early.
  const heads = random.list(1, 3, head);
  const end = "--b--\r\n";
  let text = "";
  for (;;) {
    const part = `--b\r\n${random.pick(heads)}\r\n${content().repeat(random.pick([1, 1, 30]))}\r\n`;
    if (text.length + part.length + end.length > bytes) break;
    text += part;
  }
  return encode(text + end, bytes);
}

/** Generates JSON: nested, wide, with unusual names, numbers and strings; some of it is cut off. */
export function generateJson(random: Random, bytes: number): Uint8Array<ArrayBuffer> {
  const name = (): string =>
    random.pick([
      word(random),
      `${random.between(0, 2 ** 32)}`,
      "",
      "__proto__",
      "\\u0041",
      "ä",
      "toJSON",
    ]);
  const scalar = (): string =>
    random.pick([
      ...[
        "0",
        "1e308",
        "-0.1",
        "1234567890123456789e-300",
        "true",
        "null",
        '""',
        '"\\u0041"',
        '"\\""',
      ],
      ...[`"${word(random)}"`, '"ä"', "[]", "{}", "[[]]"],
    ]);
  const item = (): string =>
    random.pick([
      scalar,
      () => `{"${name()}":${scalar()}}`,
      () => `{"${name()}":${scalar()},"${name()}":${scalar()}}`,
      () => `[${scalar()},${scalar()}]`,
      () => " ".repeat(20) + scalar(),
    ])();
  const makers = random.list(1, 3, () => random.pick([scalar, item]));
  const isObject = random.chance(0.4);
  const items: string[] = [];
  let size = 2;
  while (size < bytes) {
    const value = random.pick(makers)();
    const text = isObject ? `"${name()}":${value}` : value;
    const times = random.pick([1, 1, 1, 50]);
    for (let at = 0; at < times; at += 1) items.push(text);
    size += (text.length + 1) * times;
  }
  const text = isObject ? `{${items.join()}}` : `[${items.join()}]`;
  if (text.length <= bytes || random.chance(0.1)) return encode(text, bytes);
  // Whole items, so that most are valid.
  while (items.join().length + 2 > bytes) items.splice(-Math.ceil(items.length / 20));
  return encode(isObject ? `{${items.join()}}` : `[${items.join()}]`, bytes);
}

/** Generates text: letters, controls and invalid bytes. */
export function generateText(random: Random, bytes: number): Uint8Array<ArrayBuffer> {
  return encode(mix(random, bytes, [() => word(random), () => oddText(random)]), bytes);
}
