import {
  Application,
  Auth,
  createApiKeyMiddleware,
  createAuthMiddleware,
  createBasicAuthMiddleware,
  createOptionalAuthMiddleware,
  HttpError,
  hashApiKey,
  type Middleware,
  markPrivate,
  text,
} from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

const auth = new Auth({ secret: "x".repeat(32) });
const token = await auth.generateToken({ id: 1 });
const keyHash = await hashApiKey("key_1");

/** A guard as the guide shows it. */
const findByCertificate: Middleware = async (ctx, next) => {
  if (!ctx.headers.has("x-certificate")) {
    const headers = new Headers();
    markPrivate(headers, "X-Certificate");
    throw new HttpError(401, "A certificate is required.", { headers });
  }
  ctx.user = { id: "1", roles: [] };
  const response = await next();
  markPrivate(response.headers, "X-Certificate");
  return response;
};

const guards = [
  {
    name: "a bearer token",
    middleware: createAuthMiddleware(auth),
    headers: { authorization: `Bearer ${token}` },
    vary: "Authorization",
  },
  {
    name: "an optional bearer token",
    middleware: createOptionalAuthMiddleware(auth),
    headers: { authorization: `Bearer ${token}` },
    vary: "Authorization",
  },
  {
    name: "an API key",
    middleware: createApiKeyMiddleware({
      findUser: (hash) => (hash === keyHash ? { id: 1 } : null),
      header: "X-Label-Key",
    }),
    headers: { "x-label-key": "key_1" },
    vary: "X-Label-Key",
  },
  {
    name: "Basic credentials",
    middleware: createBasicAuthMiddleware({
      findUser: (name, password) => (name === "printer" && password === "ink" ? { id: 1 } : null),
    }),
    headers: { authorization: `Basic ${btoa("printer:ink")}` },
    vary: "Authorization",
  },
  {
    name: "a custom guard",
    middleware: findByCertificate,
    headers: { "x-certificate": "1" },
    vary: "X-Certificate",
  },
];

function createApp(middleware: (typeof guards)[number]["middleware"]): Application {
  const app = new Application({ logger: createRecordingLogger() });
  app.middleware("guard", middleware);
  const router = app.getRouter();
  const options = { middleware: ["guard"] };
  router.get("/plain", () => text("mine"), options);
  router.get("/missing", () => Promise.reject(new HttpError(404)), options);
  router.get("/failing", () => Promise.reject(new Error("a bug")), options);
  for (const [path, value] of [
    ["/public", "public, max-age=60"],
    ["/shared", "S-MaxAge=60"],
    ["/private", "private, max-age=60"],
    ["/no-store", "no-store"],
    ["/max-age", "max-age=60"],
  ] as const) {
    router.get(path, () => text("mine", 200, { "cache-control": value }), options);
  }
  router.get("/vary", () => text("mine", 200, { vary: "Accept" }), options);
  return app;
}

describe.each(guards)("a response behind $name", ({ middleware, headers, vary }) => {
  const app = createApp(middleware);
  const cacheHeaders = async (path: string, init: RequestInit = { headers }) => {
    const response = await app.request(path, init);
    return [response.headers.get("cache-control"), response.headers.get("vary")];
  };

  test.each(["/plain", "/missing", "/failing"])("%s is private", async (path) => {
    expect(await cacheHeaders(path)).toEqual(["private", vary]);
  });

  test("keeps its max-age, for the client's own cache alone", async () => {
    expect(await cacheHeaders("/max-age")).toEqual(["private, max-age=60", vary]);
  });

  test("adds to the Vary of the handler", async () => {
    expect(await cacheHeaders("/vary")).toEqual(["private", `Accept, ${vary}`]);
  });

  test("is left alone where the handler says who may store it", async () => {
    expect(await cacheHeaders("/public")).toEqual(["public, max-age=60", null]);
    expect(await cacheHeaders("/shared")).toEqual(["S-MaxAge=60", null]);
    expect(await cacheHeaders("/private")).toEqual(["private, max-age=60", vary]);
    expect(await cacheHeaders("/no-store")).toEqual(["no-store", vary]);
  });

  test("without credentials is not stored for clients that have them", async () => {
    const response = await app.request("/plain");
    expect(response.headers.get("vary")).toBe(vary);
    const isRefused = response.status === 401;
    expect(response.headers.get("cache-control")).toBe(isRefused ? "private" : null);
  });
});
