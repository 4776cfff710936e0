import { createFakeClock } from "espalier/testing";
import { expect, test } from "vitest";
import { CookieJar } from "../../src/testing/cookie-jar.ts";

function jarWith(requestPath: string, ...lines: string[]): CookieJar {
  const jar = new CookieJar();
  jar.receive(
    new Headers(lines.map((line): [string, string] => ["set-cookie", line])),
    requestPath,
  );
  return jar;
}

test("name and value are stored unchanged", () => {
  const jar = jarWith("/", "a=1; HttpOnly; Secure", ' b = "x=y" ;SameSite=Lax', "__Host-c=;Path=/");
  expect(jar.header("/")).toBe('a=1; b="x=y"; __Host-c=');
  expect(jar.get("b")).toBe('"x=y"');
  expect(jar.get("d")).toBeUndefined();
});

test.each(["", "=nameless", "no value"])("%j is not a cookie", (line) => {
  expect(jarWith("/", line).header("/")).toBeUndefined();
});

test.each([
  ["/docs", "/docs", true],
  ["/docs", "/docs/a", true],
  ["/docs/", "/docs/a", true],
  ["/docs/", "/docs", false],
  ["/docs", "/documents", false],
  ["/", "/anything", true],
])("a cookie of %s for %s: %s", (path, requestPath, isSent) => {
  expect(jarWith("/", `a=1; path=${path}`).header(requestPath) !== undefined).toBe(isSent);
});

test.each([
  ["/a/b/c", "/a/b/d", true],
  ["/a/b/c", "/a/x", false],
  ["/a", "/x", true],
])("without a valid path, it applies to the folder of %s", (from, to, isSent) => {
  expect(jarWith(from, "a=1").header(to) !== undefined).toBe(isSent);
  expect(jarWith(from, "a=1; Path=relative").header(to) !== undefined).toBe(isSent);
});

test("the longer path comes first, and the same name and path is replaced", () => {
  const jar = jarWith("/", "a=1", "a=2; Path=/docs", "a=3");
  expect(jar.header("/docs/x")).toBe("a=2; a=3");
});

test("it is removed on expiry, and Max-Age takes precedence over Expires", () => {
  const clock = createFakeClock("2027-01-01T00:00:00Z").install();
  try {
    const jar = jarWith(
      "/",
      "short=1; Max-Age=10; Expires=Fri, 01 Jan 2100 00:00:00 GMT",
      "dated=1; Expires=Fri, 01 Jan 2027 00:01:00 GMT",
      "session=1; Max-Age=soon; Expires=never",
    );
    expect(jar.header("/")).toBe("short=1; dated=1; session=1");
    clock.advance(10_000);
    expect(jar.header("/")).toBe("dated=1; session=1");
    clock.advance(50_000);
    expect(jar.header("/")).toBe("session=1");
    jar.receive(new Headers({ "set-cookie": "session=; Max-Age=0" }), "/");
    expect(jar.header("/")).toBeUndefined();
  } finally {
    clock.restore();
  }
});

test("a cookie can be set, and all can be cleared", () => {
  const jar = new CookieJar();
  jar.set("a", "1");
  expect(jar.header("/x/y")).toBe("a=1");
  jar.clear();
  expect(jar.header("/")).toBeUndefined();
});
