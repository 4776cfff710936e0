import { describe, expect, test } from "vitest";
import { Application } from "../../src/application/application.ts";
import { createApiKey, hashApiKey } from "../../src/auth/api-keys.ts";
import { Auth } from "../../src/auth/auth.ts";
import { parseBasicCredentials } from "../../src/auth/basic.ts";
import { hashPassword, verifyPassword } from "../../src/auth/password.ts";
import type { RequestContext } from "../../src/http/context.ts";
import { json } from "../../src/http/responses.ts";
import { createApiKeyMiddleware } from "../../src/middleware/api-key-authentication.ts";
import {
  createAuthMiddleware,
  createOptionalAuthMiddleware,
} from "../../src/middleware/authentication.ts";
import { createBasicAuthMiddleware } from "../../src/middleware/basic-authentication.ts";
import type { Middleware } from "../../src/pipeline/middleware.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { header, hmacToken, noonMs, payload, secret } from "./support/tokens.ts";

const auth = new Auth({ secret, now: () => noonMs });
const honest = await auth.generateToken({ id: 7, name: "Ada" });
const expired = await auth.generateToken({ id: 7 }, { expiresIn: -1 });

const show = (ctx: RequestContext): Response =>
  json({ user: ctx.user, claims: ctx.state["claims"] });

/** Creates an application whose route `/in` uses this middleware. */
function appBehind(middleware: Middleware): Application {
  const app = new Application({ logger: createRecordingLogger() });
  app.middleware("guard", middleware);
  app.getRouter().get("/in", show, { middleware: ["guard"] });
  app.getRouter().post("/in", show, { middleware: ["guard"] });
  app.getRouter().get("/public", show);
  return app;
}

const withAuthorization = (authorization: string): RequestInit => ({ headers: { authorization } });

describe("createAuthMiddleware", () => {
  const app = appBehind(createAuthMiddleware(auth));

  test("sets the user and the claims on the context", async () => {
    const response = await app.request("/in", withAuthorization(`Bearer ${honest}`));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      user: { id: 7, name: "Ada" },
      claims: expect.objectContaining({ sub: "7" }),
    });
  });

  test("responds with Problem Details and a challenge, which has an error if a token was sent", async () => {
    const without = await app.request("/in");
    expect(without.headers.get("www-authenticate")).toBe('Bearer realm="api"');
    expect(without.headers.get("content-type")).toBe("application/problem+json");
    expect(await without.json()).toEqual({
      type: "https://httpwg.org/specs/rfc9110.html#status.401",
      title: "Unauthorized",
      status: 401,
      detail: "Valid credentials are required.",
      instance: "http://localhost/in",
      traceId: expect.any(String),
    });
    const withToken = await app.request("/in", withAuthorization(`Bearer ${expired}`));
    expect(withToken.headers.get("www-authenticate")).toBe(
      'Bearer realm="api", error="invalid_token"',
    );
  });

  test("every reason has the same body", async () => {
    const others = [
      "",
      "Basic eDp5",
      "Bearer",
      "Bearer x",
      `Bearer ${expired}`,
      `Bearer ${await hmacToken(header, payload, { secret: "other" })}`,
      `Bearer ${await hmacToken({ alg: "none" }, payload)}`,
      `Bearer ${await hmacToken(header, { sub: "1" })}`,
    ];
    const bodies = await Promise.all(
      others.map(async (value) => {
        const response = await app.request("/in", withAuthorization(value));
        const body = (await response.json()) as Record<string, unknown>;
        return JSON.stringify({ ...body, traceId: "" });
      }),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  test.each([
    [`Bearer ${honest}`, 200],
    [`bearer ${honest}`, 200],
    [`BEARER ${honest}`, 200],
    [`Bearer  ${honest}`, 200],
    [` Bearer ${honest} `, 200],
    [`Basic ${honest}`, 401],
    [`Token ${honest}`, 401],
    [`JWT ${honest}`, 401],
    [honest, 401],
    ["Bearer", 401],
    ["Bearer ", 401],
    [`Bearer: ${honest}`, 401],
    [`Bearer${honest}`, 401],
    [`Bearer\t${honest}`, 401],
    [`Bearer ${honest}, Bearer ${honest}`, 401],
    [`Bearer ${honest},`, 401],
    [`Bearer ${honest} x`, 401],
    [`Bearer Bearer ${honest}`, 401],
    [`XBearer ${honest}`, 401],
    [`Bearer "${honest}"`, 401],
    [`Bearer token=${honest}`, 401],
  ])(" Authorization: %s gives %i", async (value, status) => {
    expect((await app.request("/in", withAuthorization(value))).status).toBe(status);
  });

  test(" a token in the query, a cookie, the body or another header is ignored", async () => {
    const attempts: [string, RequestInit][] = [
      [`/in?token=${honest}`, {}],
      [`/in?access_token=${honest}`, {}],
      ["/in", { headers: { cookie: `token=${honest}; jwt=${honest}; Authorization=${honest}` } }],
      ["/in", { headers: { "x-access-token": honest, "proxy-authorization": `Bearer ${honest}` } }],
      [
        "/in",
        { method: "POST", body: new URLSearchParams({ access_token: honest, token: honest }) },
      ],
      [
        "/in",
        {
          method: "POST",
          headers: { cookie: `jwt=${honest}`, "content-type": "application/x-www-form-urlencoded" },
          body: "title=x",
        },
      ],
    ];
    for (const [path, init] of attempts) {
      expect((await app.request(path, init)).status).toBe(401);
    }
  });

  test(" other headers do not affect authentication", async () => {
    const headers = {
      "x-middleware-subrequest": "middleware:middleware:middleware",
      "x-http-method-override": "GET",
      "x-original-url": "/public",
      "x-rewrite-url": "/public",
      "x-forwarded-user": "admin",
      "x-user-id": "7",
    };
    for (const [name, value] of Object.entries(headers)) {
      expect((await app.request("/in", { headers: { [name]: value } })).status).toBe(401);
    }
    const body = new URLSearchParams({ _method: "DELETE" });
    expect((await app.request("/in", { method: "POST", body })).status).toBe(401);
    expect((await app.request("/in", { method: "HEAD" })).status).toBe(401);
  });

  test("emits auth.failed with the reason, without the token", async () => {
    const own = appBehind(createAuthMiddleware(auth));
    const events: unknown[] = [];
    own.on("auth.failed", (event) => {
      events.push(event);
    });
    await own.request("/in?x=1", { headers: { "x-request-id": "r1" } });
    await own.request("/in", withAuthorization(`Bearer ${expired}`));
    await own.request("/in", withAuthorization(`Bearer ${honest}`));
    expect(events).toEqual([
      { id: "r1", method: "GET", path: "/in", route: "/in", reason: "missing" },
      { id: expect.any(String), method: "GET", path: "/in", route: "/in", reason: "expired" },
    ]);
  });

  test("a failing subscriber does not change the response", async () => {
    const own = appBehind(createAuthMiddleware(auth));
    own.on("auth.failed", () => {
      throw new Error("no mail server");
    });
    expect((await own.request("/in")).status).toBe(401);
  });

  test("a failing resolveUser is a 500 and authenticates no one", async () => {
    const failing = new Auth({
      secret,
      now: () => noonMs,
      resolveUser: () => Promise.reject(new Error("no connection")),
    });
    const response = await appBehind(createAuthMiddleware(failing)).request(
      "/in",
      withAuthorization(`Bearer ${honest}`),
    );
    expect(response.status).toBe(500);
  });

  test("logs a warning about a short secret at boot", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.middleware("auth", createAuthMiddleware(new Auth({ secret: "short" })));
    app.getRouter().get("/", show, { middleware: ["auth"] });
    app.getRouter().get("/again", show, { middleware: ["auth"] });
    expect(logger.lines).toEqual([]);
    await app.boot();
    expect(logger.lines).toMatchObject([
      { level: "warn", message: expect.stringContaining("5 bytes") },
    ]);
  });

  test("documents its scheme in OpenAPI", () => {
    expect(createAuthMiddleware(auth).documentation).toEqual({
      responses: { 401: expect.any(String) },
      security: { bearerAuth: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
    });
  });

  test.each([undefined, null, {}, "secret", { secret: "x" }])("%j is not an Auth", (value) => {
    for (const create of [createAuthMiddleware, createOptionalAuthMiddleware]) {
      expect(() => create(value as unknown as Auth)).toThrow(/Pass an Auth: new Auth/);
    }
  });
});

describe("createOptionalAuthMiddleware", async () => {
  const app = appBehind(createOptionalAuthMiddleware(auth));

  test("a valid token identifies its user", async () => {
    const response = await app.request("/in", withAuthorization(`Bearer ${honest}`));
    expect(await response.json()).toMatchObject({ user: { id: 7, name: "Ada" } });
  });

  test.each([
    ["nothing", ""],
    ["garbage", "Bearer x"],
    ["another scheme", "Basic eDp5"],
    ["an expired token", `Bearer ${expired}`],
    ["alg none", `Bearer ${await hmacToken({ alg: "none" }, payload)}`],
    ["8 KiB", `Bearer ${"a".repeat(8192)}`],
  ])("%s is null", async (_what, value) => {
    const response = await app.request("/in", withAuthorization(value));
    expect([response.status, await response.json()]).toEqual([200, { user: null }]);
  });

  test("is optional in OpenAPI", () => {
    const { documentation } = createOptionalAuthMiddleware(auth);
    expect(documentation).toMatchObject({ isSecurityOptional: true, security: { bearerAuth: {} } });
    expect(documentation?.responses).toBeUndefined();
  });
});

describe("createApiKeyMiddleware", async () => {
  const { key, hash } = await createApiKey("shelf_live");
  const owners = new Map([[hash, { id: "machine" }]]);
  const app = appBehind(createApiKeyMiddleware({ findUser: (found) => owners.get(found) }));

  test("a known key identifies its owner", async () => {
    expect(key).toMatch(/^shelf_live_[\w-]{43}$/);
    expect(hash).toMatch(/^[\w-]{43}$/);
    const response = await app.request("/in", { headers: { "x-api-key": key } });
    expect(await response.json()).toEqual({ user: { id: "machine" } });
  });

  test.each([
    {},
    { "x-api-key": "" },
    { "x-api-key": key.slice(1) },
    { "x-api-key": `${key}x` },
    { "x-api-key": key.toUpperCase() },
    { "x-api-key": hash },
    { "x-api-key": "a".repeat(513) },
    { authorization: `Bearer ${key}` },
    { cookie: `x-api-key=${key}` },
  ])("%j is a 401", async (headers) => {
    const response = await app.request("/in", { headers: headers as Record<string, string> });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      'ApiKey realm="api"',
    ]);
  });

  test("a key of more than 512 characters is not even hashed", async () => {
    const long = "a".repeat(512);
    const own = appBehind(
      createApiKeyMiddleware({
        findUser: async (found) =>
          found === (await hashApiKey(long)) || found === (await hashApiKey(`${long}a`))
            ? { id: 1 }
            : null,
      }),
    );
    expect((await own.request("/in", { headers: { "x-api-key": long } })).status).toBe(200);
    expect((await own.request("/in", { headers: { "x-api-key": `${long}a` } })).status).toBe(401);
  });

  test("another header can be configured, and invalid options are rejected", async () => {
    const own = appBehind(
      createApiKeyMiddleware({ header: "X-Key", findUser: async (found) => owners.get(found) }),
    );
    expect((await own.request("/in", { headers: { "x-key": key } })).status).toBe(200);
    expect((await own.request("/in", { headers: { "x-api-key": key } })).status).toBe(401);
    expect(() => createApiKeyMiddleware({ findUser: owners as never })).toThrow(
      /must get \{ findUser/,
    );
    expect(() => createApiKeyMiddleware({ findUser: () => null, header: "a b" })).toThrow();
    await expect(createApiKey("a b")).rejects.toMatchObject({ code: "ERR_AUTH_BAD_OPTION" });
    expect((await createApiKey()).key).not.toBe((await createApiKey()).key);
  });
});

describe("createBasicAuthMiddleware", async () => {
  const passwordHash = await hashPassword("päss:word", { iterations: 1000 });
  const seen: string[] = [];
  const app = appBehind(
    createBasicAuthMiddleware({
      realm: "back office",
      async findUser(name, password) {
        seen.push(name);
        const isRight = await verifyPassword(password, name === "ada" ? passwordHash : undefined);
        return isRight ? { id: 1, name } : null;
      },
    }),
  );
  const credentials = (text: string | Buffer) =>
    withAuthorization(`Basic ${Buffer.from(text).toString("base64")}`);

  test("the correct name and password, with a case-insensitive scheme", async () => {
    const response = await app.request("/in", credentials("ada:päss:word"));
    expect(await response.json()).toEqual({ user: { id: 1, name: "ada" } });
    const base64 = Buffer.from("ada:päss:word").toString("base64");
    expect((await app.request("/in", withAuthorization(`basic  ${base64}`))).status).toBe(200);
  });

  test.each([
    ["nothing", {}],
    ["a wrong password", credentials("ada:x")],
    ["an unknown name", credentials("bob:päss:word")],
    ["no colon", credentials("ada")],
    ["an empty one", credentials("")],
    ["Latin-1", credentials(Buffer.from("ada:päss:word", "latin1"))],
    ["a control character", credentials("ada\n:päss:word")],
    ["no base64", withAuthorization("Basic ada:pass")],
    ["half a group of base64", withAuthorization("Basic YWRhO")],
    ["another scheme", withAuthorization(`Bearer ${honest}`)],
    ["a long one", credentials(`ada:${"x".repeat(10_000)}`)],
  ])("%s is a 401", async (_what, init) => {
    const response = await app.request("/in", init);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="back office", charset="UTF-8"',
    ]);
  });

  test("credentials that are not UTF-8 are rejected, without replacement characters", () => {
    const header = `Basic ${Buffer.from("ad\xe4:x", "latin1").toString("base64")}`;
    expect(parseBasicCredentials(header)).toBeUndefined();
    expect(parseBasicCredentials(`Basic ${btoa("a:b:c")}`)).toEqual({ name: "a", password: "b:c" });
    expect(parseBasicCredentials(null)).toBeUndefined();
  });

  test("malformed credentials are never passed to the application", () => {
    expect(new Set(seen)).toEqual(new Set(["ada", "bob"]));
  });

  test("a realm that could break its quotes is rejected", () => {
    const findUser = () => null;
    expect(() => createBasicAuthMiddleware({ findUser, realm: 'a"b' })).toThrow();
    expect(() => createBasicAuthMiddleware({ findUser, realm: "a\r\nb" })).toThrow();
    expect(() => createBasicAuthMiddleware({} as never)).toThrow(/must get \{ findUser/);
  });
});
