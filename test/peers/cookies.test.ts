/*
 * Behaviour that users of Hono (cookie helper), Fastify (its cookie plugin's basics), AdonisJS (cookie parser and
 * serializer) and Laravel (cookie jar) expect of cookies, plain and signed.
 */
import { type CookieOptions, json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { cookiesOf, createApp } from "./support/app.ts";

const secret = "0123456789abcdef0123456789abcdef";

const app = createApp((router) => {
  router.get("/all", (ctx) => json(ctx.cookies.all()));
  router.get("/get/:name", (ctx) => json(ctx.cookies.get(ctx.params.name) ?? "none"));
  router.get("/signed/:name", async (ctx) =>
    json((await ctx.cookies.getSigned(ctx.params.name, secret)) ?? "none"),
  );
  router.get("/sign/:name/:value", async (ctx) => {
    await ctx.cookies.setSigned(ctx.params.name, ctx.params.value, secret);
    return text("signed");
  });
  router.get("/two", (ctx) => {
    ctx.cookies.set("a", "1");
    ctx.cookies.set("b", "2");
    return text("two");
  });
  router.get("/replaced", (ctx) => {
    ctx.cookies.set("a", "1");
    ctx.cookies.set("a", "2");
    return text("one");
  });
  router.get("/delete", (ctx) => {
    ctx.cookies.delete("old", { path: "/app" });
    return json(ctx.cookies.get("old") ?? "none");
  });
  router.get("/fails", (ctx) => {
    ctx.cookies.set("seen", "yes");
    throw new Error("x");
  });
});

const get = async (path: string, cookie: string): Promise<unknown> =>
  (await app.request(path, { headers: { cookie } })).json();

async function setting(name: string, value: string, options?: CookieOptions): Promise<string> {
  const one = createApp((router) => {
    router.get("/", (ctx) => {
      ctx.cookies.set(name, value, options);
      return text("");
    });
  });
  const response = await one.request("/");
  return response.status === 200
    ? (response.headers.getSetCookie()[0] ?? "")
    : String(response.status);
}

describe("reading", () => {
  test("cookies are available by name", async () => {
    expect(await get("/all", "yummy=choco; tasty=strawberry")).toEqual({
      yummy: "choco",
      tasty: "strawberry",
    });
  });

  test("a missing one is undefined", async () => {
    expect(await get("/get/other", "yummy=choco")).toBe("none");
  });

  test("a value may contain equals signs", async () => {
    expect(await get("/get/token", "token=a=b==")).toBe("a=b==");
  });

  test("quotes around a value are not part of it", async () => {
    expect(await get("/get/a", 'a="quoted"')).toBe("quoted");
  });

  test("missing spaces and extra semicolons are tolerated", async () => {
    expect(await get("/all", "a=1;b=2;; ;c=3;nonsense")).toEqual({ a: "1", b: "2", c: "3" });
  });

  test("an empty value is kept", async () => {
    expect(await get("/get/a", "a=; b=1")).toBe("");
  });

  test("without a header there are no cookies", async () => {
    expect(await (await app.request("/all")).json()).toEqual({});
  });

  test("prefixed names are read unchanged", async () => {
    expect(await get("/get/__Host-id", "__Host-id=7")).toBe("7");
  });
});

describe("setting", () => {
  test("name and value come first", async () => {
    expect((await setting("delicious", "macha")).split("; ")[0]).toBe("delicious=macha");
  });

  test("path, domain, times and flags are serialised", async () => {
    const cookie = await setting("a", "1", {
      path: "/app",
      domain: "example.com",
      maxAgeSeconds: 1_000,
      expires: new Date(Date.UTC(2027, 0, 1)),
      secure: true,
      httpOnly: true,
      sameSite: "Strict",
      partitioned: true,
    });
    const parts = cookie.split("; ").map((part) => part.toLowerCase());
    expect(parts).toEqual(
      expect.arrayContaining([
        "path=/app",
        "domain=example.com",
        "max-age=1000",
        "expires=fri, 01 jan 2027 00:00:00 gmt",
        "secure",
        "httponly",
        "samesite=strict",
        "partitioned",
      ]),
    );
  });

  test("two cookies are two headers", async () => {
    const response = await app.request("/two");
    expect(cookiesOf(response)).toBe("a=1; b=2");
  });

  test("setting a cookie again replaces it", async () => {
    expect(cookiesOf(await app.request("/replaced"))).toBe("a=2");
  });

  test("the prefix __Host- forbids a domain and another path", async () => {
    expect(await setting("__Host-a", "1")).toContain("__Host-a=1");
    expect(await setting("__Host-a", "1", { domain: "example.com" })).toBe("500");
    expect(await setting("__Host-a", "1", { path: "/app" })).toBe("500");
  });

  test("the prefix __Secure- requires a secure cookie", async () => {
    expect(await setting("__Secure-a", "1", { secure: false })).toBe("500");
  });

  test("a name that could break the header is rejected", async () => {
    expect(await setting("a;b", "1")).toBe("500");
    expect(await setting("a", "1\r\nset-cookie: b=2")).toBe("500");
  });

  test("cookies set before an error are on its response", async () => {
    const response = await app.request("/fails");
    expect([response.status, cookiesOf(response)]).toEqual([500, "seen=yes"]);
  });
});

describe("deleting", () => {
  test("sets an empty value, with an age of zero and a date in the past", async () => {
    const [cookie = ""] = (await app.request("/delete")).headers.getSetCookie();
    expect(cookie).toMatch(/^old=;/);
    expect(cookie).toMatch(/path=\/app/i);
    expect(cookie).toMatch(/max-age=0/i);
    expect(cookie).toMatch(/expires=Thu, 01 Jan 1970/i);
  });

  test("the client's value can still be read in that request", async () => {
    expect(await get("/delete", "old=value")).toBe("value");
  });
});

describe("signed cookies", () => {
  const sign = async (name: string, value: string): Promise<string> =>
    cookiesOf(await app.request(`/sign/${name}/${value}`));

  test("are read as they were set", async () => {
    expect(await get("/signed/fortune", await sign("fortune", "lots-of-money"))).toBe(
      "lots-of-money",
    );
  });

  test("are readable by the client", async () => {
    expect(await sign("fortune", "lots")).toContain("lots");
  });

  test("are rejected if the value was changed", async () => {
    const cookie = (await sign("fortune", "lots")).replace("lots", "none");
    expect(await get("/signed/fortune", cookie)).toBe("none");
  });

  test("are rejected if the signature was changed or removed", async () => {
    const cookie = await sign("fortune", "lots");
    expect(await get("/signed/fortune", `${cookie}x`)).toBe("none");
    expect(await get("/signed/fortune", "fortune=lots")).toBe("none");
  });

  test("cannot be replaced by one with another name", async () => {
    const cookie = (await sign("fortune", "lots")).replace("fortune=", "role=");
    expect(await get("/signed/role", cookie)).toBe("none");
  });

  test("are plain text without the secret", async () => {
    const cookie = await sign("fortune", "lots");
    expect(await get("/get/fortune", cookie)).toBe(cookie.slice("fortune=".length));
  });
});
