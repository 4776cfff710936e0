import {
  Application,
  Auth,
  CorsMiddleware,
  createApiKeyMiddleware,
  createAuthMiddleware,
  createOptionalAuthMiddleware,
  json,
  type Middleware,
  TimeoutMiddleware,
} from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

test.each([1, "yes", undefined, {}])(
  "a policy that returns %j denies access, and is warned about once",
  async (result) => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.use((ctx, next) => {
      ctx.user = { id: 7 };
      return next();
    });
    app.definePolicy("edit", () => result as never);
    app.getRouter().get("/", () => json(1), { middleware: ["can:edit"] });
    for (let time = 0; time < 3; time += 1) expect((await app.request("/")).status).toBe(403);
    expect(logger.lines).toEqual([
      { level: "warn", message: expect.stringMatching(/^The policy "edit" must return a boolean/) },
    ]);
  },
);

describe("a route whose policy is checked without authentication", () => {
  const auth = new Auth({ secret: "x".repeat(32) });
  const custom: Middleware = (_ctx, next) => next();

  async function warningsOf(
    middleware: readonly (string | Middleware)[],
    global: readonly Middleware[] = [],
  ): Promise<readonly unknown[]> {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    for (const one of global) app.use(one);
    app.middleware("auth", createAuthMiddleware(auth));
    app.middleware("auth.optional", createOptionalAuthMiddleware(auth));
    app.middleware("api-key", createApiKeyMiddleware({ findUser: () => null }));
    app.definePolicy("edit", () => true);
    app.getRouter().put("/books/:id", () => json(1), { middleware: [...middleware] });
    await app.boot();
    return logger.lines.map(({ level, message }) => `${level}: ${message}`);
  }

  test("a warning names the route and the order at boot", async () => {
    expect(await warningsOf(["can:edit", "auth"])).toEqual([
      'warn: PUT /books/:id: authentication runs after "can:edit", so every request gets a 401. ' +
        'Put the authentication first: middleware: ["auth", "can:edit"].',
    ]);
    expect(await warningsOf(["can:edit"])).toEqual([
      'warn: PUT /books/:id: no authentication runs before "can:edit", so every request gets a 401. ' +
        'Put the authentication first: middleware: ["auth", "can:edit"].',
    ]);
  });

  test.each([
    ["an authentication follows", ["can:edit", "api-key"], []],
    [
      "an authentication follows a custom middleware and the policy",
      [custom, "can:edit", "auth"],
      [],
    ],
    ["only middleware without users is in front", ["can:edit"], [new CorsMiddleware()]],
    [
      "several of them are",
      [new TimeoutMiddleware({ ms: 1000 }), "can:edit"],
      [new CorsMiddleware()],
    ],
  ])("is warned about when %s", async (_, middleware, global) => {
    expect(await warningsOf(middleware, global)).toHaveLength(1);
  });

  test.each([
    ["authentication is in front", ["auth", "can:edit"], []],
    ["optional authentication is", ["auth.optional", "can:edit"], []],
    ["an API key is", ["api-key", "can:edit", "auth"], []],
    ["authentication is global", ["can:edit"], [createAuthMiddleware(auth)]],
    ["a custom middleware may authenticate", ["can:edit"], [custom]],
    ["a custom middleware of the route may", [custom, "can:edit"], []],
    ["a policy is missing", ["auth"], []],
  ])("is not warned about when %s", async (_, middleware, global) => {
    expect(await warningsOf(middleware, global)).toEqual([]);
  });
});
