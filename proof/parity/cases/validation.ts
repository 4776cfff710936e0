import { asked, type ParityCase, posted } from "../case.ts";

const json = "application/json";

/** Valid and invalid inputs of each rule. */
const values: Readonly<Record<string, readonly [readonly unknown[], readonly unknown[]]>> = {
  required: [
    [0, false],
    [null, ""],
  ],
  string: [
    ["ab", "日本", "😀😀😀😀"],
    ["a", "abcde", 12],
  ],
  number: [
    [-1, 10, 0.5],
    [-1.5, 11, "5"],
  ],
  integer: [
    [3, -3, 1e3],
    [0.5, "3", true],
  ],
  boolean: [
    [true, false],
    [1, "true"],
  ],
  array: [
    [[1], [1, 2]],
    [[], [1, 2, 3], ["x"], "x"],
  ],
  object: [[{ name: "a", extra: 1 }], [{}, { name: 1 }, [], "x"]],
  email: [
    ["a@b.org", "a.b+c@d-e.example"],
    ["a", "a@b", "@b.org", "a@b.org\n"],
  ],
  url: [["https://example.com/x?y#z"], ["example.com", "javascript:alert(1)", "http://"]],
  uuid: [["123e4567-e89b-42d3-a456-426614174000"], ["123e4567", "{}"]],
  date: [
    ["2024-02-29", "2024-01-01T10:00:00Z"],
    ["2023-02-29", "01/02/2024", "2024-13-01"],
  ],
  enum: [["red"], ["Red", 1, ["red"]]],
  pattern: [["abc"], ["ABC", "a1", 5]],
  nullable: [[null, "x"], [1]],
  default: [[undefined, 3], ["x"]],
  message: [[1], ["x"]],
  custom: [["free"], ["taken", "other"]],
  slow: [["free"], ["taken"]],
};

const bodies: readonly ParityCase[] = Object.entries(values).flatMap(([rule, [good, bad]]) => [
  ...good.map((a) => body(rule, a, 200)),
  ...bad.map((a) => body(rule, a, 422)),
]);

function body(rule: string, a: unknown, status: number): ParityCase {
  const text = JSON.stringify({ a });
  return posted(`${rule}: ${text}`, status, `/valid/body/${rule}`, json, text);
}

const queries: readonly (readonly [string, string, number])[] = [
  ["integer", "a=5", 200],
  ["integer", "a=5.5", 422],
  ["integer", "a=0x10", 422],
  ["integer", "a=", 200],
  ["number", "a=0.5", 200],
  ["number", "a=1e1", 200],
  ["number", "a=Infinity", 422],
  ["boolean", "a=true", 200],
  ["boolean", "a=0", 200],
  ["boolean", "a=yes", 422],
  ["array", "a=1", 200],
  ["array", "a=1&a=2", 200],
  ["array", "a=1&a=2&a=3", 422],
  ["string", "a=abcdef&a=cd", 200],
  ["required", "b=1", 422],
  ["default", "", 200],
  ["enum", "a=green", 200],
  ["email", "a=a%2Bb%40c.org", 200],
];

const multipart = (content: string): string =>
  `--x\r\nContent-Disposition: form-data; ${content}\r\n--x--\r\n`;

export const validationCases: readonly ParityCase[] = [
  ...bodies,
  ...queries.map(([rule, query, status]) =>
    asked(`${rule} in the query: ${query}`, status, `/valid/query/${rule}?${query}`),
  ),
  posted(
    "a file",
    200,
    "/valid/body/file",
    "multipart/form-data; boundary=x",
    multipart('name="a"; filename="a.txt"\r\n\r\nabc'),
  ),
  posted(
    "a text where a file is wanted",
    422,
    "/valid/body/file",
    "multipart/form-data; boundary=x",
    multipart('name="a"\r\n\r\nabc'),
  ),
  posted(
    "a file that was left out",
    422,
    "/valid/body/file",
    "multipart/form-data; boundary=x",
    multipart('name="a"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n'),
  ),
  posted(
    "numbers of a form",
    200,
    "/valid/body/integer",
    "application/x-www-form-urlencoded",
    "a=5",
  ),
  posted("no body where one is wanted", 422, "/valid/body/required", json, ""),
  posted("a body of another type", 422, "/valid/body/required", "text/plain", '{"a":1}'),
  posted("a list where fields are wanted", 422, "/valid/body/required", json, "[1]"),
  posted("a broken body before the rules", 400, "/valid/body/required", json, "{"),
  posted(
    "nested fields",
    200,
    "/valid/nested",
    json,
    '{"author":{"name":"Ann","x":1},"tags":["ab"],"items":[{"id":1}]}',
  ),
  posted(
    "nested failures",
    422,
    "/valid/nested",
    json,
    '{"author":{},"tags":["a",null],"items":[{},{"id":"x"}]}',
  ),
  posted("nothing of what is nested", 422, "/valid/nested", json, "{}"),
  asked("every source", 200, "/valid/sources/5?page=2", { headers: { "x-tenant": "t" } }),
  asked("every source failing", 422, "/valid/sources/x?page=y"),
  posted("a flat map, path and body", 200, "/valid/flat/5", json, '{"name":"x","id":9}'),
  posted("a flat map, failing", 422, "/valid/flat/x", json, "{}"),
  asked("a flat map, path and query", 200, "/valid/flat/5?name=q"),
  posted("a library's schema", 200, "/valid/schema", json, '{"name":"x","age":5,"more":1}'),
  posted("a library's schema, failing", 422, "/valid/schema", json, '{"age":200}'),
  posted("a library's asynchronous schema", 200, "/valid/refined", json, '{"name":"free"}'),
  posted(
    "a library's asynchronous schema, failing",
    422,
    "/valid/refined",
    json,
    '{"name":"taken"}',
  ),
];
