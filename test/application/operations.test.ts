import {
  Application,
  type ApplicationOptions,
  Auth,
  createAuthMiddleware,
  json,
  RateLimitMiddleware,
  text,
} from "espalier";
import { describe, expect, test, vi } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

function createApp(options: ApplicationOptions = {}) {
  const logger = createRecordingLogger();
  return { app: new Application({ logger, ...options }), logger };
}

describe("cors", () => {
  const origin = { origin: "https://page.example" };

  test("true allows every origin, on every response", async () => {
    const { app } = createApp({ cors: true });
    app.getRouter().post("/a", () => text("a"), { validation: { name: { required: true } } });
    app.getRouter().get("/throws", () => {
      throw new Error("broken");
    });
    for (const [path, method] of [
      ["/nowhere", "GET"],
      ["/a", "GET"],
      ["/a", "POST"],
      ["/throws", "GET"],
    ]) {
      const response = await app.request(path ?? "", { method: method ?? "", headers: origin });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test("a preflight is handled before authentication, a plain OPTIONS is not", async () => {
    const { app } = createApp({ cors: { origins: ["https://page.example"], credentials: true } });
    const authenticate = vi.fn(() => text("no", 401));
    const handler = vi.fn(() => text("handled"));
    app.middleware("auth", authenticate);
    app.getRouter().group("/g", { middleware: ["auth"] }, (group) => {
      group.post("/a", handler);
      group.options("/b", handler);
    });
    const headers = { ...origin, "access-control-request-method": "POST" };
    const preflight = await app.request("/g/a", { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-credentials")]).toEqual([
      204,
      "true",
    ]);
    for (const path of ["/g/b", "/unknown"]) {
      expect((await app.request(path, { method: "OPTIONS", headers })).status).toBe(204);
    }
    expect(authenticate).not.toHaveBeenCalled();
    expect((await app.request("/g/b", { method: "OPTIONS" })).status).toBe(401);
    expect(authenticate).toHaveBeenCalledTimes(1);
    expect(handler).not.toHaveBeenCalled();
  });
});

describe("policies", () => {
  const secret = "a secret of at least thirty-two bytes, for tests";
  const auth = new Auth({ secret });

  async function createGuarded() {
    const { app } = createApp();
    app.middleware("auth", createAuthMiddleware(auth));
    app.definePolicies({
      librarian: async (ctx) => (ctx.user as { role?: string }).role === "librarian",
      owner: async (ctx, kind) =>
        kind === "loan" && ctx.params["id"] === (ctx.user as { id: string }).id,
    });
    app
      .getRouter()
      .get("/books", (ctx) => json(ctx.user), { middleware: ["auth", "can:librarian"] });
    app
      .getRouter()
      .get("/loans/:id", () => text("yours"), { middleware: ["auth", "can:owner,loan"] });
    const as = async (user: object) => ({
      authorization: `Bearer ${await auth.generateToken(user)}`,
    });
    return { app, as };
  }

  test("can:<policy> allows, denies with 403, and with 401 without a user", async () => {
    const { app, as } = await createGuarded();
    expect((await app.request("/books")).status).toBe(401);
    const reader = await app.request("/books", { headers: await as({ id: "1", role: "reader" }) });
    expect(reader.status).toBe(403);
    expect(await reader.json()).toMatchObject({ detail: 'Policy "librarian" denied access.' });
    const librarian = await app.request("/books", {
      headers: await as({ id: "1", role: "librarian" }),
    });
    expect(await librarian.json()).toEqual({ id: "1", role: "librarian" });
  });

  test("arguments are passed to the policy", async () => {
    const { app, as } = await createGuarded();
    const headers = await as({ id: "7" });
    expect((await app.request("/loans/7", { headers })).status).toBe(200);
    expect((await app.request("/loans/8", { headers })).status).toBe(403);
  });

  test("an undefined policy fails at boot, with the nearest name", async () => {
    const { app } = createApp();
    app.definePolicy("librarian", () => true);
    app.getRouter().get("/books", () => text("books"), { middleware: ["can:librarain"] });
    await expect(app.boot()).rejects.toThrow(
      'GET /books asks for the policy "librarain", which is not defined. Did you mean "librarian"?',
    );
  });
});

describe("health", () => {
  test("the endpoints report their checks", async () => {
    const { app } = createApp();
    app.addHealthCheck("database", async () => ({ status: "pass" }));
    app.addHealthCheck("mail", async () => {
      throw new Error("pw=hunter2");
    });
    app.enableHealthEndpoints();
    const ready = await app.request("/health/ready");
    expect([ready.status, ready.headers.get("cache-control")]).toEqual([503, "no-store"]);
    const body = await ready.text();
    expect(JSON.parse(body)).toMatchObject({
      status: "fail",
      checks: { database: { status: "pass" }, mail: { status: "fail" } },
    });
    expect(body).not.toContain("hunter2");
    expect((await app.request("/health/live")).status).toBe(200);
  });

  test("bypassMiddleware serves them before global middleware", async () => {
    const { app } = createApp();
    app.use(() => text("closed", 403));
    app.enableHealthEndpoints({ bypassMiddleware: true });
    expect((await app.request("/health")).status).toBe(200);
  });
});

describe("OpenAPI", () => {
  test("describes routes with their middleware, except itself", async () => {
    const { app } = createApp();
    app.middleware("auth", createAuthMiddleware(new Auth({ secret: "x".repeat(32) })));
    app.getRouter().post("/books/:id", () => text("book"), {
      middleware: ["auth"],
      validation: { title: { type: "string", required: true } },
    });
    app.enableHealthEndpoints();
    app.exposeOpenApi("/openapi.json", { info: { title: "Books", version: "1" }, ui: "/docs" });
    const document = (await (await app.request("/openapi.json")).json()) as {
      openapi: string;
      paths: Record<string, { post: { responses: object } }>;
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths)).toEqual(["/books/{id}"]);
    expect(Object.keys(document.paths["/books/{id}"]?.post.responses ?? {})).toEqual(
      expect.arrayContaining(["401", "422"]),
    );
    expect(await (await app.request("/docs")).text()).toContain("/books/{id}");
  });
});

describe("observability", () => {
  test("one record per request, and the id on every response", async () => {
    const { app, logger } = createApp();
    app.useRequestObservability({ includeBody: false, logLevel: "info" });
    app.getRouter().get("/books/:id", () => text("book"));
    const found = await app.request("/books/1?token=canary", { headers: { "x-request-id": "r1" } });
    const missing = await app.request("/nowhere");
    expect(found.headers.get("x-request-id")).toBe("r1");
    expect(missing.headers.get("x-request-id")).toMatch(/^[\w.-]{36}$/);
    expect(logger.lines).toMatchObject([
      { level: "info", id: "r1", method: "GET", route: "/books/:id", status: 200 },
      { level: "info", method: "GET", status: 404 },
    ]);
    expect(JSON.stringify(logger.lines)).not.toContain("canary");
  });
});

test("health checks are not rate limited", async () => {
  const { app } = createApp();
  app.use(new RateLimitMiddleware({ limit: 1, key: () => "everybody" }));
  app.enableHealthEndpoints();
  app.getRouter().get("/", () => text("limited"));
  const statuses = [];
  for (const path of ["/health", "/health", "/", "/", "/health"]) {
    statuses.push((await app.request(path)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429, 200]);
});
