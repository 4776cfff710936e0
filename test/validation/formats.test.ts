import { describe, expect, test } from "vitest";
import { isDate, isEmail, isUrl, isUuid } from "../../src/validation/formats.ts";
import type { ValidationRule } from "../../src/validation/rules.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { messagesOf } from "./support.ts";

const label = "a".repeat(63);

const tables: readonly (readonly [
  name: string,
  check: (text: string) => boolean,
  yes: readonly string[],
  no: readonly string[],
])[] = [
  [
    "email",
    isEmail,
    [
      "ada@example.com",
      "a@b.co",
      "a.b+c@sub.example.museum",
      "O'Hara_1!#$%&*/=?^`{|}~-@example.com",
      "1@1.com",
      `${"l".repeat(64)}@example.com`,
      `a@${label}.com`,
      "a@xn--mnchen-3ya.de",
      "a@b.c1",
      "ADA@EXAMPLE.COM",
      `a@${`${"b".repeat(49)}.`.repeat(5)}co`,
    ],
    [
      "",
      "a",
      "@",
      "a@",
      "@b.co",
      "a@b",
      "a@b.",
      "a@.co",
      "a@b..co",
      ".a@b.co",
      "a.@b.co",
      "a..b@b.co",
      "a b@b.co",
      " a@b.co",
      "a@b.co ",
      "a@b.co\n",
      "a@b@c.co",
      "a@-b.co",
      "a@b-.co",
      "a@b_c.co",
      "a@1.2.3.4",
      "a@[1.2.3.4]",
      '"a b"@b.co',
      "ä@b.co",
      "a@bü.co",
      "a@b.co\0",
      "a@b.c\u200bo",
      "Ada <ada@b.co>",
      `${"l".repeat(65)}@example.com`,
      `a@${label}a.com`,
      `a@${`${label}.`.repeat(4)}com`,
    ],
  ],
  [
    "url",
    isUrl,
    [
      "http://a",
      "https://example.com",
      "HTTPS://example.com/",
      "https://example.com:8080/a%20b?c=d#e",
      "https://user:word@example.com/",
      "http://127.0.0.1/",
      "http://[::1]:3000/",
      "https://münchen.example/straße",
    ],
    [
      "",
      "example.com",
      "//example.com",
      "/a",
      "http:",
      "http:/example.com",
      "http:example.com",
      "http://",
      "http:///a",
      "http://?a",
      "http://#a",
      "http://a b",
      "http://a/b c",
      " http://a",
      "http://a ",
      "http://a\n",
      "http://a/\tb",
      "http://a/\u0000",
      "http:\\\\a",
      "http://a\\b",
      "http://a:99999",
      "http://[::1",
      "http://a%zz",
      "javascript:alert(1)",
      "javascript://a/%0aalert(1)",
      "javascript:location='http://a'",
      "mailto:ada@library.example?body=https://a",
      "data:text/plain,a",
      "ftp://example.com",
      "file:///etc/passwd",
      "mailto:a@b.co",
    ],
  ],
  [
    "uuid",
    isUuid,
    [
      "123e4567-e89b-12d3-a456-426614174000",
      "123E4567-E89B-12D3-A456-426614174000",
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
      "01890a5d-ac96-774b-bcce-b302099a8057",
    ],
    [
      "",
      "123e4567e89b12d3a456426614174000",
      "{123e4567-e89b-12d3-a456-426614174000}",
      "urn:uuid:123e4567-e89b-12d3-a456-426614174000",
      "123e4567-e89b-12d3-a456-42661417400",
      "123e4567-e89b-12d3-a456-4266141740000",
      "123e4567-e89b-12d3-a456-42661417400g",
      "123e4567-e89b-12d3-a456-426614174000\n",
      " 123e4567-e89b-12d3-a456-426614174000",
    ],
  ],
  [
    "date",
    isDate,
    [
      "2024-01-01",
      "2024-02-29",
      "2000-02-29",
      "0001-01-01",
      "9999-12-31",
      "2024-01-31",
      "2024-03-31",
      "2024-04-30",
      "2024-05-31",
      "2024-06-30",
      "2024-07-31",
      "2024-08-31",
      "2024-09-30",
      "2024-10-31",
      "2024-11-30",
      "2024-01-01T00:00",
      "2024-01-01T23:59:59",
      "2024-01-01T23:59:59Z",
      "2024-01-01T23:59:59.123Z",
      "2024-01-01T23:59:59.123456789+05:30",
      "2024-01-01T00:00-23:59",
    ],
    [
      "",
      "today",
      "2024",
      "2024-01",
      "2024-1-1",
      "24-01-01",
      "2024-00-01",
      "2024-13-01",
      "2024-01-00",
      "2024-01-32",
      "2024-04-31",
      "2024-06-31",
      "2024-09-31",
      "2024-11-31",
      "2023-02-29",
      "1900-02-29",
      "2024-02-30",
      "2024/01/01",
      "01.01.2024",
      "+002024-01-01",
      "2024-01-01 ",
      " 2024-01-01",
      "2024-01-01\n",
      "2024-01-01T",
      "2024-01-01 10:00",
      "2024-01-01t10:00z",
      "2024-01-01T24:00",
      "2024-01-01T10:60",
      "2024-01-01T10:00:60Z",
      "2024-01-01T10",
      "2024-01-01T110:00",
      "2024-01-01T1 10:00:00Z",
      "2024-01-01T10:00:00.Z",
      "2024-01-01T10:00:00+24:00",
      "2024-01-01T10:00:00+01:60",
      "2024-01-01T10:00:00+0100",
      "2024-01-01T10:00:00.1234567890Z",
      "２０２４-01-01",
    ],
  ],
];

describe.each(tables)("%s", (_name, check, yes, no) => {
  test.each(yes)("accepts %j", (text) => expect(check(text)).toBe(true));
  test.each(no)("refuses %j", (text) => expect(check(text)).toBe(false));

  test("takes linear time for any string", async () => {
    const pieces = [
      "a",
      "a.",
      "a@",
      "@a.",
      "a-",
      "-",
      "1",
      "http://",
      "/",
      "%",
      "😀",
      "2024-01-01T",
      " ",
    ];
    const checkAll = (length: number) => {
      const texts = pieces.flatMap((piece) => {
        const text = piece.repeat(Math.ceil(length / piece.length));
        const short = `a@${text.slice(0, 250)}`;
        return [text, `a@${text}`, `http://a/${text}`, short, `${text}!`];
      });
      return () => texts.forEach((text) => void check(text));
    };
    // Ten times the length takes ten times as long, or a hundred times if it were quadratic.
    expect(await costRatio(checkAll(200_000), checkAll(20_000), 2)).toBeLessThan(40);
  });
});

test("every accepted date is valid for Date", () => {
  const [, , dates] = tables.find(([name]) => name === "date") ?? [];
  for (const text of dates ?? []) expect(new Date(text).getTime()).not.toBeNaN();
});

describe("protocols", () => {
  const messages = (rule: ValidationRule, v: unknown): readonly string[] =>
    messagesOf({ v: rule }, { v });

  test.each([
    ["ftp://files.example/a", []],
    ["FTP://files.example/a", []],
    ["mailto:ada@library.example", []],
    ["https://library.example", []],
    ["http://library.example", ["v must be a valid URL"]],
    ["https:library.example", ["v must be a valid URL"]],
    ["javascript:alert(1)", ["v must be a valid URL"]],
    ["ftp://files.example/a b", ["v must be a valid URL"]],
    ["files.example", ["v must be a valid URL"]],
  ])("take %s as they say", (text, expected) => {
    expect(messages({ type: "url", protocols: ["https", "ftp", "MAILTO"] }, text)).toEqual(
      expected,
    );
  });

  test.each([
    ["http://library.example", []],
    ["http:library.example", ["v must be a valid URL"]],
    ["http:/library.example", ["v must be a valid URL"]],
    ["http://", ["v must be a valid URL"]],
  ])("leave http to a host written out: %s", (text, expected) => {
    expect(messages({ type: "url", protocols: ["http", "ftp"] }, text)).toEqual(expected);
  });

  test.each([
    [[]],
    ["https"],
    [["https:"]],
    [[1]],
    [[null]],
    [["https", "ht tp"]],
    [["1http"]],
    [[" https"]],
  ])("%j is invalid", (protocols) => {
    const rule = { type: "url", protocols } as unknown as ValidationRule;
    expect(() => messages(rule, "x")).toThrow('its "protocols" must be a list such as');
  });

  test("apply to URLs only, also to the default", () => {
    expect(() => messages({ type: "string", protocols: ["ftp"] }, "x")).toThrow(
      'its "protocols" applies only to the type "url".',
    );
    expect(() =>
      messages({ type: "url", protocols: ["ftp"], default: "http://a.example" }, "x"),
    ).toThrow('its "default" must be a valid URL');
  });
});
