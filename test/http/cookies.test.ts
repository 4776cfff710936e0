import { describe, expect, test } from "vitest";
import type { CookieOptions, Cookies } from "../../src/http/cookies.ts";
import { createCookies } from "../../src/http/create-cookies.ts";

const received = (cookie: string): Cookies => createCookies(new Headers({ cookie }));

function setCookies(cookies: Cookies): string[] {
  const headers = new Headers();
  cookies.applyTo(headers);
  return headers.getSetCookie();
}

function written(name: string, value: string, options?: CookieOptions): string {
  const cookies = createCookies(new Headers());
  cookies.set(name, value, options);
  return setCookies(cookies)[0] ?? "";
}

test.each([
  [{ maxAge: 60 }, 'unknown option "maxAge". Known: "path", "domain", "maxAgeSeconds", '],
  [{ samesite: "Strict" }, 'unknown option "samesite". Did you mean "sameSite"?'],
  [{ httponly: true }, 'unknown option "httponly". Did you mean "httpOnly"?'],
  ["Secure", "options must be an object, got a string."],
])("a cookie with the options %o is refused, and not sent without them", (options, problem) => {
  expect(() => written("sid", "1", options as CookieOptions)).toThrow(
    expect.objectContaining({
      code: "ERR_HTTP_BAD_COOKIE",
      message: expect.stringContaining(`The cookie "sid" cannot be set: ${problem}`),
    }),
  );
});

describe("reading", () => {
  test("returns values unchanged", () => {
    const cookies = received('a=1; b=x=y==; c=%20; d=; e="quoted"; =f; g; h =\t i \t');
    expect({ ...cookies.all() }).toEqual({
      a: "1",
      b: "x=y==",
      c: "%20",
      d: "",
      e: "quoted",
      h: "i",
    });
    expect(cookies.get("b")).toBe("x=y==");
    expect(cookies.get("g")).toBeUndefined();
  });

  test("without a header there are no cookies", () => {
    expect(Object.keys(createCookies(new Headers()).all())).toEqual([]);
  });

  test("the first of equal names is used", () => {
    expect(received("sid=good; sid=evil").get("sid")).toBe("good");
  });

  test("only spaces and tabs are trimmed, so that names cannot be spoofed", () => {
    expect(received("\u00a0sid=evil; sid=good").get("sid")).toBe("good");
    expect(received("\u00a0sid=evil").get("sid")).toBeUndefined();
  });

  test("names are exact, prefixes too", () => {
    const cookies = received("__host-sid=evil; __Host-sid=good");
    expect(cookies.get("__Host-sid")).toBe("good");
    expect(cookies.get("__host-sid")).toBe("evil");
    expect(cookies.get("__HOST-SID")).toBeUndefined();
  });

  test("names of built-in properties are ordinary", () => {
    const cookies = received("__proto__=1; toString=2; constructor=3");
    expect(Object.getPrototypeOf(cookies.all())).toBeNull();
    expect(Object.keys(cookies.all())).toEqual(["__proto__", "toString", "constructor"]);
    expect(cookies.get("valueOf")).toBeUndefined();
  });
});

describe("setting", () => {
  test("is Secure, HttpOnly, SameSite=Lax and valid for every path by default", () => {
    expect(written("sid", "abc")).toBe("sid=abc; Path=/; HttpOnly; Secure; SameSite=Lax");
  });

  test("writes every attribute", () => {
    expect(
      written("sid", "a=b==", {
        path: "/a=b",
        domain: "app.example",
        maxAgeSeconds: 60,
        expires: new Date(Date.UTC(2031, 0, 2, 3, 4, 5)),
        httpOnly: false,
        secure: true,
        sameSite: "None",
        partitioned: true,
        priority: "High",
      }),
    ).toBe(
      "sid=a=b==; Path=/a=b; Domain=app.example; Max-Age=60; " +
        "Expires=Thu, 02 Jan 2031 03:04:05 GMT; Secure; SameSite=None; Partitioned; Priority=High",
    );
  });

  test("several cookies are several headers, in order; a repeated one is replaced", () => {
    const cookies = createCookies(new Headers({ cookie: "a=old" }));
    cookies.set("a", "1");
    cookies.set("b", "2");
    cookies.set("a", "3", { path: "/x" });
    cookies.set("a", "4");
    expect(cookies.get("a")).toBe("old");
    const headers = new Headers({ "set-cookie": "z=0" });
    cookies.applyTo(headers);
    cookies.applyTo(headers);
    expect(headers.getSetCookie().map((text) => text.split(";")[0])).toEqual([
      "z=0",
      "b=2",
      "a=3",
      "a=4",
    ]);
  });

  test("delete expires it, at its path and domain", () => {
    const cookies = createCookies(new Headers());
    cookies.delete("sid", { path: "/a", domain: "app.example" });
    expect(setCookies(cookies)).toEqual([
      "sid=; Path=/a; Domain=app.example; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; " +
        "HttpOnly; Secure; SameSite=Lax",
    ]);
  });

  const odd = [";", "\r", "\n", "\0", "\r\nset-cookie: a=b", "; Domain=evil.example"];
  test.each(odd)("%j in any part is rejected", (text) => {
    const refused = expect.objectContaining({ code: "ERR_HTTP_BAD_COOKIE" });
    const attempts: (() => unknown)[] = [
      () => written(`a${text}`, "x"),
      () => written("a", `x${text}`),
      () => written("a", "x", { path: `/${text}` }),
      () => written("a", "x", { domain: `a${text}` }),
      () => written("a", "x", { sameSite: `Lax${text}` as "Lax" }),
      () => written("a", "x", { priority: `Low${text}` as "Low" }),
    ];
    for (const attempt of attempts) expect(attempt).toThrow(refused);
  });

  test.each([
    ["an empty name", "", "x", {}],
    ["= in the name", "a=b", "x", {}],
    ["a blank in the name", "a b", "x", {}],
    ["a blank in the value", "a", "x y", {}],
    ["a comma in the value", "a", "x,y", {}],
    ["a quote in the value", "a", '"x"', {}],
    ["a backslash in the value", "a", "x\\y", {}],
    ["letters beyond ASCII", "a", "é", {}],
    ["more than 4096 bytes", "a", "x".repeat(4096), {}],
    ["a relative path", "a", "x", { path: "x" }],
    ["an empty domain", "a", "x", { domain: "" }],
    ["= in the domain", "a", "x", { domain: "a=b" }],
    ["two dots in the domain", "a", "x", { domain: "a..b" }],
    ["a fraction as age", "a", "x", { maxAgeSeconds: 1.5 }],
    ["NaN as age", "a", "x", { maxAgeSeconds: Number.NaN }],
    ["an invalid date", "a", "x", { expires: new Date(Number.NaN) }],
    ["SameSite=None without Secure", "a", "x", { sameSite: "None", secure: false }],
    ["Partitioned without Secure", "a", "x", { partitioned: true, secure: false }],
    ["__Secure- without Secure", "__Secure-a", "x", { secure: false }],
    ["__secure- in another case", "__SECURE-a", "x", { secure: false }],
    ["__Host- without Secure", "__Host-a", "x", { secure: false }],
    ["__Host- with a path", "__Host-a", "x", { path: "/x" }],
    ["__Host- with a domain", "__Host-a", "x", { domain: "a.example" }],
    ["__host- with a domain", "__host-a", "x", { domain: "a.example" }],
  ] satisfies [string, string, string, CookieOptions][])(
    "%s is refused",
    (_, name, value, options) => {
      expect(() => written(name, value, options)).toThrow(
        expect.objectContaining({ code: "ERR_HTTP_BAD_COOKIE" }),
      );
    },
  );

  test("prefixes work if their rules are met", () => {
    expect(written("__Host-a", "x")).toBe("__Host-a=x; Path=/; HttpOnly; Secure; SameSite=Lax");
    expect(written("__Secure-a", "x", { domain: ".a.example", path: "/x" })).toContain("Secure;");
    expect(written("a", "x".repeat(4095))).toContain("xxx");
  });

  test("an error names the part and the fix, never the value", () => {
    expect(() => written("a", "top secret")).toThrow(
      'The cookie "a" has an invalid value: encode it first, with encodeURIComponent.',
    );
  });
});

describe("signed", () => {
  const secret = "correct horse battery staple, and more of it";

  async function signed(name: string, value: string, key = secret): Promise<string> {
    const cookies = createCookies(new Headers());
    await cookies.setSigned(name, value, key);
    return (
      setCookies(cookies)[0]
        ?.split(";")[0]
        ?.slice(name.length + 1) ?? ""
    );
  }

  test("is read with the same secret", async () => {
    const text = await signed("sid", "user.42");
    expect(text).toMatch(/^user\.42\.[\w-]{43}$/);
    expect(await received(`sid=${text}`).getSigned("sid", secret)).toBe("user.42");
    expect(await received(`sid=${await signed("sid", "")}`).getSigned("sid", secret)).toBe("");
  });

  test("accepts the options of set", async () => {
    const cookies = createCookies(new Headers());
    await cookies.setSigned("sid", "x", secret, { sameSite: "Strict" });
    expect(setCookies(cookies)[0]).toContain("SameSite=Strict");
    await expect(cookies.setSigned("sid", "a;b", secret)).rejects.toMatchObject({
      code: "ERR_HTTP_BAD_COOKIE",
    });
  });

  test("is undefined if anything was changed", async () => {
    const text = await signed("sid", "42");
    const last = text.at(-1) === "A" ? "B" : "A";
    const changed = [
      `43${text.slice(2)}`,
      text.slice(0, -1),
      `${text.slice(0, -1)}${last}`,
      `${text}=`,
      `${text}A`,
      "42",
      "42.",
      `42.${"A".repeat(43)}`,
      "",
    ];
    for (const forged of changed) {
      expect(await received(`sid=${forged}`).getSigned("sid", secret), forged).toBeUndefined();
    }
    expect(await received(`sid=${text}`).getSigned("sid", "another secret")).toBeUndefined();
    expect(await received("x=1").getSigned("sid", secret)).toBeUndefined();
  });

  test("a signature has one encoding", async () => {
    const text = await signed("sid", "42");
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const index = digits.indexOf(text.at(-1) ?? "");
    // The last character has two unused bits; all four encodings decode to the same bytes.
    const twins = [1, 2, 3].map(
      (bits) => text.slice(0, -1) + digits[(index & ~3) | ((index + bits) & 3)],
    );
    for (const twin of twins) {
      expect(await received(`sid=${twin}`).getSigned("sid", secret), twin).toBeUndefined();
    }
  });

  test("is valid only for its name", async () => {
    const text = await signed("theme", "admin");
    expect(await received(`role=${text}`).getSigned("role", secret)).toBeUndefined();
  });

  test.each([[""], [undefined]])("rejects the secret %j", async (bad) => {
    const cookies = received("sid=1.a");
    const refused = { code: "ERR_HTTP_BAD_COOKIE" };
    await expect(cookies.setSigned("sid", "x", bad as string)).rejects.toMatchObject(refused);
    await expect(cookies.getSigned("sid", bad as string)).rejects.toMatchObject(refused);
  });
});
