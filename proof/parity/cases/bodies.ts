import { asked, type ParityCase, posted } from "../case.ts";

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const bytesOf = (...codes: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(codes);

/** Returns a multipart body with the boundary `x`. */
function parts(...content: readonly (readonly [string, string])[]): string {
  const lines = content.flatMap(([head, body]) => [
    "--x",
    `Content-Disposition: form-data; ${head}`,
    "",
    body,
  ]);
  return [...lines, "--x--", ""].join("\r\n");
}

const multipart = "multipart/form-data; boundary=x";

export const bodyCases: readonly ParityCase[] = [
  ...['{"a":[1,null,"ü"]}', "[]", "0", "null", '"text"', " {} ", '{"a":1,"a":2}'].map((body) =>
    posted(`JSON ${body}`, 200, "/echo", json, body),
  ),
  ...['{"__proto__":{"x":1}}', '{"constructor":1}', '"\\ud800"', "1e400", '"\\u0000"'].map((body) =>
    posted(`JSON ${body}`, 200, "/echo", json, body),
  ),
  ...["{", '{"a":1}}', "{a:1}", "undefined", "[1,]", "NaN", "'a'", '{"a":', "01"].map((body) =>
    posted(`broken JSON ${body}`, 400, "/echo", json, body),
  ),
  posted("JSON with invalid UTF-8", 400, "/echo", json, bytesOf(0x22, 0xff, 0x22)),
  posted("JSON with a byte order mark", 200, "/echo", json, bytesOf(0xef, 0xbb, 0xbf, 0x31)),
  posted("JSON in UTF-16", 200, "/echo", `${json}; charset=utf-16le`, bytesOf(0x31, 0)),
  posted("JSON in Latin 1", 200, "/echo", `${json}; charset=latin1`, bytesOf(0x22, 0xfc, 0x22)),
  posted("JSON in no charset", 415, "/echo", `${json}; charset=klingon`, "1"),
  posted("JSON that is empty", 200, "/echo", json, ""),
  posted("JSON of blanks", 400, "/echo", json, "  "),
  posted("JSON that nests deep", 413, "/ignored", json, "[".repeat(900) + "]".repeat(900)),
  ...["application/problem+json", "Application/JSON", `${json};charset="utf-8"`, `${json};`].map(
    (type) => posted(`JSON as ${type}`, 200, "/echo", type, '{"a":1}'),
  ),
  ...["text/plain", "application/jsonp", "json", "application/octet-stream"].map((type) =>
    posted(`no JSON as ${type}`, 200, "/echo", type, '{"a":1}'),
  ),
  asked("a body without a type", 200, "/echo", { method: "POST", body: utf8("{}") }),
  asked("no body at all", 200, "/echo", { method: "POST" }),
  asked("a type without a body", 200, "/echo", {
    method: "DELETE",
    headers: { "content-type": json },
  }),
  ...["PUT", "PATCH", "DELETE"].map((method) =>
    asked(`${method} with a body`, 200, "/echo", {
      method,
      headers: { "content-type": json },
      body: '{"a":1}',
    }),
  ),
  ...["a=1&b=2", "a=1&a=2&a=3", "a=%C3%BC+x", "a", "=b", "a=%zz", "__proto__=1", "&&"].map((body) =>
    posted(`form ${body}`, 200, "/form", form, body),
  ),
  posted("a form with a charset", 200, "/form", `${form}; charset=UTF-8`, "a=1"),
  posted("a form with raw bytes", 200, "/form", form, bytesOf(0x61, 0x3d, 0xff)),
  posted(
    "multipart texts and files",
    200,
    "/form",
    multipart,
    parts(
      ['name="a"', "1"],
      ['name="a"', "2"],
      ['name="f"; filename="a.txt"\r\nContent-Type: text/csv', "1,2"],
    ),
  ),
  posted(
    "multipart with an empty file",
    200,
    "/form",
    multipart,
    parts(['name="f"; filename=""', ""]),
  ),
  posted("multipart with letters", 200, "/form", multipart, parts(['name="ü"', "日本"])),
  posted(
    "multipart with a quoted boundary",
    200,
    "/form",
    'multipart/form-data; boundary="x"',
    parts(['name="a"', "1"]),
  ),
  posted(
    "multipart that begins as its boundary does",
    200,
    "/form",
    multipart,
    parts(['name="a"', "x,y"]),
  ),
  posted("multipart that is empty", 200, "/form", multipart, ""),
  posted("multipart without a boundary", 400, "/form", "multipart/form-data", "x"),
  posted("multipart of something else", 400, "/form", multipart, "nonsense"),
  posted(
    "multipart that breaks off",
    400,
    "/form",
    multipart,
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
  ),
  posted(
    "multipart over the limit",
    413,
    "/form",
    multipart,
    parts(['name="a"', "x".repeat(5_000)]),
  ),
  posted("a body read again", 200, "/again", json, '{"a": 1}'),
  posted("a form read again", 200, "/again", form, "a=1"),
  posted("another type, read by the handler", 200, "/again", "text/csv", "a,ü"),
  posted("a body at the limit", 200, "/echo", json, `"${"x".repeat(1_998)}"`),
  posted("a body over the limit", 413, "/echo", json, `"${"x".repeat(1_999)}"`),
  posted("a body far over the limit", 413, "/echo", json, `"${"x".repeat(300_000)}"`),
  posted("a body over the limit of its route", 413, "/limited", json, `"${"x".repeat(99)}"`),
  posted("a body at the limit of its route", 200, "/limited", json, `"${"x".repeat(98)}"`),
  posted("bytes count, not characters", 413, "/limited", json, `"${"ü".repeat(50)}"`),
  posted("a long body that is not parsed", 200, "/unparsed", json, `"${"x".repeat(300_000)}"`),
  posted("a long body for no route", 404, "/nowhere", json, `"${"x".repeat(300_000)}"`),
  posted("a broken body for no route", 404, "/nowhere", json, "{"),
  posted("a broken body for a handler without rules", 400, "/ignored", json, "{"),
  posted("a compressed body", 415, "/echo", json, "{}", { "content-encoding": "gzip" }),
  posted("a body that is only called identity", 200, "/echo", json, "{}", {
    "content-encoding": "identity",
  }),
  asked("a header with blanks around", 200, "/headers", { headers: { "x-own": "a b" } }),
  asked("a header that is empty", 200, "/headers", { headers: { "x-own": "" } }),
];
