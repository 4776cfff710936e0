import { Random } from "../../test/support/random.ts";
import { Finding } from "../support/finding.ts";
import { converse, requestBytes } from "./converse.ts";
import type { Target } from "./target.ts";
import { type Answer, headerOf } from "./wire.ts";

type Request = Parameters<typeof requestBytes>;

const words = [
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "isPrototypeOf",
  ],
  ...["__defineGetter__", "__lookupSetter__", "toLocaleString", "propertyIsEnumerable"],
];
const anyWord = new RegExp(words.join("|"), "g");
const neutralLetters = "zyxwvutsrqp";

/** Replaces the names by ordinary ones of the same lengths, consistently. */
const neutral = (text: string): string =>
  text.replace(anyWord, (word) => (neutralLetters[words.indexOf(word)] ?? "q").repeat(word.length));

interface Shape {
  readonly name: string;
  readonly json: string;
}

/**
 * Names that lead to a prototype in some libraries, and nested JSON with them. Each name is unique:
 * concurrent writes of one cache key would read each other's value.
 */
function makeShapes(count: number, random: Random): Shape[] {
  const names = new Set<string>();
  const separators = [".", "[", "['", ":", "/", "%5B", "__", "-"];
  return Array.from({ length: count }, (_, index) => {
    const word = words[index % words.length] ?? "__proto__";
    const path = [
      word,
      ...random.list(0, 3, () => random.pick([...words, "polluted", "0", "length"])),
    ];
    const separator = random.pick(separators);
    const close = separator === "[" ? "]" : separator === "['" ? "']" : "";
    const [first = "", ...rest] = path;
    const joined = first + rest.map((part) => separator + part + close).join("");
    const name = names.has(joined) ? `${joined}.${index}` : joined;
    names.add(name);
    const value = random.pick(["1", '"x"', "{}", "[]", "null", '{"polluted":true}', "1e400"]);
    let json = path.reduceRight((inner, part) => `{${JSON.stringify(part)}:${inner}}`, value);
    if (random.chance(0.4)) json = `[${json},${json}]`;
    if (random.chance(0.3)) json = `{"name":"ada","${word}":${json},"tags":[${json}]}`;
    return { name, json };
  });
}

const typed = (type: string): Request[2] => [["Content-Type", type]];
const json = typed("application/json");
const encoded = encodeURIComponent;

/** Nine entry points of an application. */
const entries: Readonly<Record<string, (shape: Shape) => Request>> = {
  "JSON body": (shape) => ["POST", "/echo", json, shape.json],
  "validated JSON": (shape) => ["POST", "/create", json, shape.json],
  "urlencoded body": ({ name }) => [
    "POST",
    "/described",
    typed("application/x-www-form-urlencoded"),
    `${encoded(name)}=1&${name}=2`,
  ],
  "multipart body": ({ name }) => [
    "POST",
    "/described",
    typed("multipart/form-data; boundary=x"),
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n1\r\n--x--\r\n`,
  ],
  query: ({ name }) => ["GET", `/query?${name}=1&${encoded(name)}=2`, []],
  cookie: ({ name }) => ["GET", `/cookie?name=${encoded(name)}`, [["Cookie", `${name}=1; a=2`]]],
  header: ({ name }) => [
    "GET",
    "/headers",
    [
      [name.replace(/[^\w]/g, "-"), "1"],
      ["X-Echo", name],
    ],
  ],
  session: ({ name, json: body }) => ["PUT", `/session/${encoded(name)}`, json, body],
  cache: ({ name, json: body }) => [
    "PUT",
    "/cache",
    json,
    `{"key":${JSON.stringify(name)},"value":${body}}`,
  ],
};

/**
 * Sends names of prototypes in many shapes to every entry point: inherited properties stay unchanged,
 * and the response equals that for the same shape with ordinary names.
 */
export async function provePollution(
  target: Target,
  { shapes, seed }: { readonly shapes: number; readonly seed: number },
): Promise<Finding> {
  const finding = new Finding("prototype pollution");
  const ask = async (request: Request): Promise<Answer | undefined> => {
    const [method, path, headers, body] = request;
    const sent = requestBytes(method, path, [...headers, ["X-Request-Id", "same"]], body);
    return (await converse(target.port, [sent])).answers[0];
  };
  const inherited = async (): Promise<string> =>
    (await ask(["GET", "/prototype", []]))?.body.toString() ?? "";
  const before = await inherited();
  for (const [title, make] of Object.entries(entries)) {
    const list = makeShapes(shapes, new Random(seed));
    for (let start = 0; start < list.length; start += 25) {
      const slice = list.slice(start, start + 25);
      await Promise.all(
        slice.map(async (shape) => {
          const plain = { name: neutral(shape.name), json: neutral(shape.json) };
          const [answer, twin] = await Promise.all([ask(make(shape)), ask(make(plain))]);
          finding.tried += 1;
          finding.count(`${answer?.status}`);
          const isAlike =
            answer?.status === twin?.status &&
            (title === "session" ||
              neutral(answer?.body.toString() ?? "") === twin?.body.toString());
          finding.check(
            isAlike,
            "a prototype's name is treated differently",
            `${title} ${JSON.stringify(shape)}`,
          );
          const is5xx = answer === undefined || answer.status >= 500;
          finding.check(!is5xx, `status ${answer?.status}`, `${title} ${JSON.stringify(shape)}`);
          const type = answer === undefined ? "" : headerOf(answer, "content-type");
          finding.check(type?.includes("json") === true, "no JSON", `${title} ${shape.name}`);
        }),
      );
      finding.check((await inherited()) === before, "a prototype has changed", title);
    }
  }
  return finding;
}
