/*
 * Behaviour that users of Hono (cors), Fastify (its cors plugin), AdonisJS (cors) and Laravel (handle cors) expect of
 * cross-origin headers.
 */
import { CorsMiddleware, type CorsOptions, HttpError, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support/app.ts";

const page = "https://app.example";

const allowing = (options: CorsOptions) =>
  createApp((router, app) => {
    app.use(new CorsMiddleware(options));
    router.get("/", () => text("x"));
    router.put("/", () => text("x"));
    router.get("/varied", () => {
      const response = text("x");
      response.headers.set("vary", "accept-encoding");
      return response;
    });
    router.get("/fails", () => {
      throw new HttpError(500);
    });
  });

const preflight = (origin: string, headers: Record<string, string> = {}): RequestInit => ({
  method: "OPTIONS",
  headers: { origin, "access-control-request-method": "PUT", ...headers },
});

const from = (origin: string): RequestInit => ({ headers: { origin } });

const allowed = (response: Response): string | null =>
  response.headers.get("access-control-allow-origin");

describe("everybody", () => {
  const app = allowing({ origins: "*" });

  test("may read responses, through the asterisk", async () => {
    expect(allowed(await app.request("/", from(page)))).toBe("*");
  });

  test("may read responses of errors and unknown paths", async () => {
    expect(allowed(await app.request("/fails", from(page)))).toBe("*");
    expect(allowed(await app.request("/nowhere", from(page)))).toBe("*");
  });

  test("does not add Vary: Origin", async () => {
    expect((await app.request("/", from(page))).headers.get("vary")).toBeNull();
  });

  test("may not send cookies", async () => {
    const { headers } = await app.request("/", from(page));
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("together with credentials is rejected, as browsers reject it", () => {
    expect(() => new CorsMiddleware({ origins: "*", credentials: true })).toThrow();
  });
});

describe("preflights", () => {
  const app = allowing({ origins: "*" });

  test("are 204 with the methods, and no body", async () => {
    const response = await app.request("/", preflight(page));
    const methods = response.headers.get("access-control-allow-methods") ?? "";
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(methods.split(/, ?/).toSorted()).toEqual([
      "DELETE",
      "GET",
      "HEAD",
      "PATCH",
      "POST",
      "PUT",
    ]);
  });

  test("allow the requested headers", async () => {
    const asked = { "access-control-request-headers": "x-preflight, x-test" };
    const { headers } = await app.request("/", preflight(page, asked));
    const names = headers.get("access-control-allow-headers") ?? "";
    expect(names.split(/, ?/)).toEqual(["x-preflight", "x-test"]);
    expect(headers.get("vary")?.toLowerCase()).toContain("access-control-request-headers");
  });

  test("with a huge number of headers are harmless", async () => {
    const asked = { "access-control-request-headers": `x-a${",x-a".repeat(20_000)}` };
    expect((await app.request("/", preflight(page, asked))).status).toBe(204);
  });

  test("succeed for unknown paths, before any guard", async () => {
    expect((await app.request("/nowhere", preflight(page))).status).toBe(204);
  });

  test("allow exactly the configured lists", async () => {
    const fixed = allowing({
      origins: page,
      methods: ["GET", "PUT"],
      allowedHeaders: ["x-one", "x-two"],
      maxAge: 600,
      credentials: true,
    });
    const { headers } = await fixed.request("/", preflight(page));
    expect(headers.get("access-control-allow-methods")?.split(/, ?/)).toEqual(["GET", "PUT"]);
    expect(headers.get("access-control-allow-headers")?.split(/, ?/)).toEqual(["x-one", "x-two"]);
    expect(headers.get("access-control-max-age")).toBe("600");
    expect(headers.get("access-control-allow-credentials")).toBe("true");
  });

  test("without a requested method are ordinary OPTIONS requests", async () => {
    const response = await app.request("/", { method: "OPTIONS", headers: { origin: page } });
    expect([response.status, response.headers.get("allow")]).toEqual([
      204,
      "GET, HEAD, PUT, OPTIONS",
    ]);
  });
});

describe("listed origins", () => {
  const app = allowing({ origins: [page, "https://other.example"], exposedHeaders: ["x-total"] });

  test("each get their origin back", async () => {
    expect(allowed(await app.request("/", from(page)))).toBe(page);
    expect(allowed(await app.request("/", from("https://other.example")))).toBe(
      "https://other.example",
    );
  });

  test("others get no headers, but their request is served", async () => {
    const response = await app.request("/", from("https://evil.example"));
    expect([response.status, allowed(response)]).toEqual([200, null]);
  });

  test("are compared completely", async () => {
    const strangers = [
      "https://app.example.evil.example",
      "https://evil-app.example",
      "http://app.example",
      "https://app.example:8443",
      "null",
    ];
    for (const origin of strangers) {
      expect(allowed(await app.request("/", from(origin)))).toBeNull();
    }
  });

  test("add Vary: Origin to every response, also to those without permission", async () => {
    for (const init of [from(page), from("https://evil.example"), {}]) {
      expect((await app.request("/", init)).headers.get("vary")).toBe("Origin");
    }
  });

  test("extend an existing Vary header", async () => {
    const vary = (await app.request("/varied", from(page))).headers.get("vary")?.toLowerCase();
    expect(vary?.split(/, ?/).toSorted()).toEqual(["accept-encoding", "origin"]);
  });

  test("may read exposed headers", async () => {
    const { headers } = await app.request("/", from(page));
    expect(headers.get("access-control-expose-headers")).toBe("x-total");
  });

  test("a preflight of another origin gets no permission", async () => {
    expect(allowed(await app.request("/", preflight("https://evil.example")))).toBeNull();
  });
});

describe("a function of origins", () => {
  test("decides, also asynchronously", async () => {
    const app = allowing({
      origins: async (origin) => (await Promise.resolve(origin)).endsWith(".tenant.example"),
    });
    expect(allowed(await app.request("/", from("https://a.tenant.example")))).toBe(
      "https://a.tenant.example",
    );
    expect(allowed(await app.request("/", from("https://evil.example")))).toBeNull();
  });
});
