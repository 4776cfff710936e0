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
  const jar = jarWith(
    "/",
    "a=1; HttpOnly; Secure",
    ' b = "x=y" ;SameSite=Lax',
    "__Host-c=;Path=/;Secure",
  );
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

// Restates the parser cases of the HTTP State Working Group, for one host that counts as secure.
test.each<readonly [lines: readonly string[], sent: string | undefined]>([
  [["a=b; Max-Age=10000;"], "a=b"],
  [["a=b; max-age=0;"], undefined],
  [["a=b; max-age=-1"], undefined],
  [["a=b; max-age = 10"], "a=b"],
  [["a=b; max-age=junk; max-age=0"], undefined],
  [["a=b; max-age=0; max-age=20"], "a=b"],
  [["a=b; max-age=20; max-age=junk"], "a=b"],
  [["a=b; expires=Mon, 10-Dec-2007 17:02:24 GMT"], undefined],
  [["a=b; expires=Mon, 10-Dec-2007 17:02:24 GMT; max-age=20"], "a=b"],
  [["a=b; max-age=20; expires=Mon, 10-Dec-2007 17:02:24 GMT"], "a=b"],
  [["a=b; expires=not a date"], "a=b"],
  [["a=b", "a=c"], "a=c"],
  [["a=b", "c=d", "a=e"], "a=e; c=d"],
  [["a=b; max-age=20", "a=x; max-age=0"], undefined],
  [["a =b", " c = d "], "a=b; c=d"],
  [["a=b=c"], "a=b=c"],
  [["a=  b c\t"], "a=b c"],
  [["a=, b"], "a=, b"],
  [['a="b"', 'c="d;e"'], 'a="b"; c="d'],
  [["a=b;;;  ; =;=x; ,,,"], "a=b"],
  [["a=b; version=1; comment=x"], "a=b"],
  [["a=b\u00e9\u00ff"], "a=b\u00e9\u00ff"],
  [["a b=c"], "a b=c"],
  [["a="], "a="],
  [["$a=b"], "$a=b"],
  [["a=b; path=/other"], undefined],
  [["a=b; path=/other; path=/"], "a=b"],
  [["a=b; path=/; path=/other"], undefined],
  [["a=b; path=/other; path="], "a=b"],
  [["a=b; path=other"], "a=b"],
  [["a=b; path=/read/"], "a=b"],
  [["a=b; path=/rea"], undefined],
  [["a=b; PATH = /read/page "], "a=b"],
  [["a=root; path=/", "a=deep; path=/read"], "a=deep; a=root"],
  [["a=host", "a=domain; domain=.example.org"], "a=host; a=domain"],
  [["a=1; domain=example.org", "a=2; domain=.Example.ORG"], "a=2"],
  [["a=1; domain=example.org", "a=; max-age=0"], "a=1"],
])("%j is sent as %j", (lines, sent) => {
  expect(jarWith("/read", ...lines).header("/read/page")).toBe(sent);
});

test.each([
  ["__Host-a=1; Secure; Path=/", true],
  ["__Host-a=1; Path=/", false],
  ["__host-a=1; Secure; Path=/; Domain=example.org", false],
  ["__Host-a=1; Secure; Path=/read", false],
  ["__Secure-a=1; Secure", true],
  ["__SECURE-a=1", false],
  ["a=1; SameSite=None", false],
  ["a=1; SameSite=None; Secure", true],
  ["a=1; SameSite=Lax", true],
])("%s is stored, as in browsers: %s", (line, isStored) => {
  expect(jarWith("/", line).header("/read") !== undefined).toBe(isStored);
});
