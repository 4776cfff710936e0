import type { Random } from "../../../test/support/random.ts";
import { usualForm, usualPairs, usualRows } from "../cost/usual.ts";
import { newWord } from "./genome.ts";
import type { SearchKind } from "./kind.ts";
import { post, repeatUsual } from "./request.ts";

/** Allowed is a mebibyte, but the proportion does not depend on the size, and 16 KiB are searched faster. */
const length = 16_384;

const decoder = new TextDecoder();
const odd = ["ä", "€", "\u{1f333}", "\ufffd", "\uf7ff", "\uf7e2\uf782", "\0", " ", "\\", '"'];

const jsonItems = [
  ...["1", "0", "-1e5", "1e308", "1234567890123456789e-300", "null", "true", '""', '"a"', "[]"],
  ...["{}", "[[]]", '{"a":1}', '{"a":1,"b":2}', '{"":{}}', '"\\u0041"', '"\\""', '"ä"', "[1,1]"],
  ...[`"${newWord}"`, `{"${newWord}":1}`, `{"a":"${newWord}"}`, `[{"${newWord}":{}}]`, '{"1":1}'],
  ...[`{"${newWord}":1,"${newWord}":2}`, '{"__proto__":1}', '{"toJSON":1}', '{"password":"a"}'],
  ...[" 1", '"a\\n"', '{"then":1}', '{"\\u0041":1}', '"password=a"', '"Bearer a"', '"4111111111"'],
];

const jsonKind = (name: string, target: string): SearchKind => ({
  name,
  length,
  createText: (random) => `${random.pick(jsonItems)},`,
  writeBenign: (size, variant) => [decoder.decode(usualRows(size, variant)).slice(1, -1), ","],
  encode: (content) => post(target, "application/json", `[${content.join("").slice(0, -1)}]`),
});

const fields = ["mail", "link", "key", "day", "age", "label", "name"];
const usualFields: Readonly<Record<string, string>> = {
  mail: "robin.example@mail.example",
  link: "https://www.mail.example/orders/2026/page?from=north-west#end",
  key: "0af76519-16cd-43dd-8448-eb211c80319c",
  day: "2026-11-29",
  age: "42",
  label: "a-usual-label-of-words",
  name: "Robin Example-Person",
};

function createPart(random: Random): string {
  const name = random.pick(["a", "", "%22", '\\"', ...odd, newWord, "a;b", "__proto__"]);
  const parameter = random.pick(["", "", "; filename=a", "; filename*=utf-8''%41", "; x=y", ";"]);
  const line = random.pick(["", "", "X: y\r\n", "Content-Type: a/b;charset=gb18030\r\n", "a:\r\n"]);
  const lines = line.repeat(random.pick([1, 1, 20]));
  const content = random.pick(["", "", "a", ...odd, "\r\n", "\r\n--", "--b", newWord]);
  const head = `Content-Disposition: form-data; name="${name.repeat(random.pick([1, 1, 50]))}"${parameter}`;
  return `--b\r\n${lines}${head}\r\n\r\n${content.repeat(random.pick([1, 1, 30]))}\r\n`;
}

export const bodyKindsToSearch: readonly SearchKind[] = [
  {
    name: "urlencoded form",
    length,
    createText: (random) =>
      random.pick([
        ...["a&", "&", "=", "a=&", "+", "%", "%%", "%ff", "%e2%82", "%C3%A4", "%00", "%26", "a"],
        ...["a[]=1&", "__proto__=1&", `${newWord}&`, `${newWord}=1&`, "%ff&", "a=%ff&", ...odd],
      ]),
    writeBenign: (size) => [decoder.decode(usualPairs(size))],
    encode: (content) => post("/body", "application/x-www-form-urlencoded", content.join("")),
  },
  {
    name: "multipart form",
    length,
    createText: createPart,
    writeBenign: (size) => [decoder.decode(usualForm(size, "b")).slice(0, -"--b--\r\n".length)],
    encode: (content) =>
      post("/body", "multipart/form-data; boundary=b", `${content.join("")}--b--\r\n`),
  },
  jsonKind("JSON", "/body"),
  jsonKind("logged JSON", "/logged"),
  {
    name: "validated values",
    length: length / fields.length,
    createText: (random) =>
      random.pick([
        ...["a", "A", "1", "0", "-", ".", "@", "a@", "a.", "a-", "@a.", ":", "/", "//", "https://"],
        ...["T", "Z", "+", "e", "%41", "[", "]", "::", "(", ")", "'", "{", "\u0660", ...odd],
      ]),
    writeBenign: (size) => repeatUsual(size, () => "a usual text "),
    encode(content) {
      const text = content.join("").replaceAll(/[\uf700-\uf7ff]/g, "?");
      const values = fields.map((field) => [field, text || usualFields[field]]);
      return post("/validated", "application/json", JSON.stringify(Object.fromEntries(values)));
    },
  },
  {
    name: "validated list",
    length,
    createText: (random) =>
      random.pick([
        ...["1,", "null,", '"",', "[],", "{},", '{"id":1},', '{"id":"1"},', '{"mail":"a"},'],
        ...['{"id":1,"mail":"a@a.a"},', '{"label":"a-"},', '{"id":{}},', '{"id":[]},', '"a",'],
        ...[`{"${newWord}":1},`, `{"id":1,"${newWord}":1},`, '{"id":1,"label":"a-a-a-a-a-A"},'],
      ]),
    writeBenign: (size, variant) =>
      repeatUsual(size, (at) => {
        const id = variant * 1_000 + at;
        const { mail, label } = usualFields;
        return `${JSON.stringify({ id, mail: `${id}.${mail}`, label: `${label}-${id}` })},`;
      }),
    encode: (content) =>
      post("/validated-list", "application/json", `{"rows":[${content.join("").slice(0, -1)}]}`),
  },
];
