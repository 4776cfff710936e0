import {
  Auth,
  type AuthOptions,
  Controller,
  createAuthMiddleware,
  createOptionalAuthMiddleware,
  json,
  type Policy,
  text,
} from "espalier";
import { createAuthorizationMiddleware } from "espalier/middleware/authorization";
import { expect, test } from "vitest";
import { createApp, createLoggedApp, jsonOf } from "./support.ts";

const secret = "a secret of thirty-two bytes or more";
const ada = { id: "7", name: "Ada", role: "librarian" };

function bearer(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** An application with a guarded, an optional and a policed route, and tokens for it. */
function createGuarded(options: Partial<AuthOptions> = {}) {
  const auth = new Auth({ secret, ...options });
  const { app, lines } = createLoggedApp();
  app.middleware("auth", createAuthMiddleware(auth));
  app.middleware("optional", createOptionalAuthMiddleware(auth));
  const router = app.getRouter();
  router.get("/me", (ctx) => json([ctx.user, ctx.state["claims"]]), { middleware: ["auth"] });
  router.get("/maybe", (ctx) => json(ctx.user), { middleware: ["optional"] });
  return { app, auth, lines };
}

/** An application with one policy in front of `/`, asked for by `reference`. */
function createPoliced(policy: Policy, reference = "can:edit") {
  const { app, auth, lines } = createGuarded();
  app.definePolicy("edit", policy);
  app.getRouter().get("/", () => text("edited"), { middleware: ["optional", reference] });
  return { app, auth, lines };
}

/** A token with any claims, signed with our secret. */
async function tokenWith(claims: object): Promise<string> {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const content = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  const name = { name: "HMAC", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey("raw", bytes, name, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(content));
  return `${content}.${Buffer.from(signature).toString("base64url")}`;
}

test("Authentication 1: a token signed with the secret passes the guard", async () => {
  const { app, auth } = createGuarded();
  const token = await auth.generateToken(ada);
  expect((await app.request("/me", bearer(token))).status).toBe(200);
  expect((await app.request("/me")).status).toBe(401);
});

test("Authentication 1: a missing, empty or invalid secret throws immediately", () => {
  for (const wrong of [undefined, "", null, 7, "-----BEGIN PUBLIC KEY-----\nMA==\n"]) {
    expect(() => new Auth({ secret: wrong } as AuthOptions)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^ERR_AUTH_BAD_(SECRET|KEY)$/) }),
    );
  }
});

test("Authentication 1: a short secret logs one warning", async () => {
  const { app, lines } = createGuarded({ secret: "short" });
  await app.request("/me");
  await app.request("/me");
  expect(lines.filter(({ level }) => level === "warn")).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain('"short"');
});

test("Authentication 2: the optional guard admits every request; without a valid token the user is null", async () => {
  const { app, auth } = createGuarded();
  const other = new Auth({ secret: "another secret of thirty-two bytes" });
  const own = await auth.generateToken(ada);
  expect(await (await app.request("/maybe", bearer(own))).json()).toEqual(ada);
  for (const init of [{}, bearer("no token"), bearer(await other.generateToken(ada))]) {
    const response = await app.request("/maybe", init);
    expect([response.status, await response.json()]).toEqual([200, null]);
  }
});

test("Authentication 3: ctx.user is { id, …user }, and ctx.state has the claims", async () => {
  const { app, auth } = createGuarded();
  const response = await app.request("/me", bearer(await auth.generateToken(ada)));
  const [user, claims] = (await response.json()) as [unknown, { iat: number; exp: number }];
  expect(user).toEqual(ada);
  expect(claims).toMatchObject({ sub: "7", iat: expect.any(Number), exp: expect.any(Number) });
  expect(claims.exp - claims.iat).toBe(3600);
});

test("Authentication 3: resolveUser returns the user; null rejects the token", async () => {
  const { app, auth } = createGuarded({
    resolveUser: async ({ sub }) => (sub === "7" ? { id: "7", name: "from the database" } : null),
  });
  const known = await app.request("/me", bearer(await auth.generateToken({ id: "7" })));
  expect(((await known.json()) as unknown[])[0]).toEqual({ id: "7", name: "from the database" });
  const unknown = await app.request("/me", bearer(await auth.generateToken({ id: "8" })));
  expect(unknown.status).toBe(401);
});

test("Authentication 4: only true passes; anything else is a 403 that names the policy", async () => {
  for (const [answer, status] of [
    [true, 200],
    [false, 403],
    [1, 403],
    ["true", 403],
    [undefined, 403],
  ] as const) {
    const { app, auth } = createPoliced(async () => answer as boolean);
    const response = await app.request("/", bearer(await auth.generateToken(ada)));
    expect([answer, response.status]).toEqual([answer, status]);
    if (status === 200) continue;
    expect(await jsonOf(response)).toMatchObject({
      title: "Forbidden",
      detail: 'Policy "edit" denied access.',
    });
  }
});

test("Authentication 4: the policy receives ctx and the arguments after the comma", async () => {
  const seen: unknown[] = [];
  const { app, auth } = createPoliced((ctx, ...args) => {
    seen.push(ctx.user, ctx.route?.pattern, ...args);
    return true;
  }, "can:edit,draft,own");
  await app.request("/", bearer(await auth.generateToken(ada)));
  expect(seen).toEqual([ada, "/", "draft", "own"]);
});

test("Authentication 4: without a user the response is 401, and no policy runs", async () => {
  let asked = 0;
  const { app } = createPoliced(() => {
    asked += 1;
    return true;
  });
  const response = await app.request("/");
  expect([response.status, response.headers.get("www-authenticate"), asked]).toEqual([
    401,
    'Bearer realm="api"',
    0,
  ]);
});

test("Authentication 4: a policy that throws is a 500, never a pass", async () => {
  const { app, auth, lines } = createPoliced(() => {
    throw new Error("pw=hunter2");
  });
  const response = await app.request("/", bearer(await auth.generateToken(ada)));
  const body = await response.text();
  expect([response.status, JSON.parse(body).title]).toEqual([500, "Internal Server Error"]);
  expect(body).not.toContain("hunter2");
  expect(lines).toMatchObject([{ level: "error", error: { message: "pw=hunter2" } }]);
});

test("Authentication 4: definePolicies registers several; app.can checks one", async () => {
  const { app, auth } = createGuarded();
  app.definePolicies({ yes: async () => true, no: async () => false });
  app
    .getRouter()
    .get("/ask", async (ctx) => json([await app.can("yes", ctx), await app.can("no", ctx)]), {
      middleware: ["optional"],
    });
  const asked = async (init: RequestInit) => (await app.request("/ask", init)).json();
  expect(await asked(bearer(await auth.generateToken(ada)))).toEqual([true, false]);
  expect(await asked({})).toEqual([false, false]);
});

test("Authentication 4: an undefined policy fails at boot", async () => {
  const app = createApp();
  app.getRouter().get("/", () => text("x"), { middleware: ["can:edti"] });
  app.definePolicy("edit", async () => true);
  await expect(app.boot()).rejects.toThrow('the policy "edti", which is not defined');
});

test("Authentication 4: the authorization middleware has its entry point, and works under any name", async () => {
  const { app, auth } = createGuarded();
  app.definePolicy("edit", async (ctx) => (ctx.user as typeof ada).role === "librarian");
  app.middleware("may", createAuthorizationMiddleware());
  app.middleware("can", createAuthorizationMiddleware(app));
  for (const gate of ["may", "can"]) {
    app.getRouter().get(`/${gate}`, () => text("x"), { middleware: ["auth", `${gate}:edit`] });
    const as = async (user: typeof ada) =>
      (await app.request(`/${gate}`, bearer(await auth.generateToken(user)))).status;
    expect([await as(ada), await as({ ...ada, role: "reader" })]).toEqual([200, 403]);
  }
});

test("Authentication 5: a controller can respond with 401 and 403 in beforeHandle", async () => {
  class Shelve extends Controller {
    protected override async beforeHandle(): Promise<Response | null> {
      const user = this.context.user as typeof ada | null;
      if (user === null) return this.error("Sign in first.", 401);
      return user.role === "librarian" ? null : this.error("Librarians only.", 403);
    }
    async handle(): Promise<Response> {
      return this.text("shelved");
    }
  }
  const { app, auth } = createGuarded();
  app.getRouter().post("/shelve", Shelve, { middleware: ["optional"] });
  const as = async (init: RequestInit) => app.request("/shelve", { method: "POST", ...init });
  const anonymous = await as({});
  expect([anonymous.status, await anonymous.json()]).toEqual([
    401,
    { success: false, message: "Sign in first." },
  ]);
  const reader = await as(bearer(await auth.generateToken({ ...ada, role: "reader" })));
  expect([reader.status, await reader.json()]).toEqual([
    403,
    { success: false, message: "Librarians only." },
  ]);
  const librarian = await as(bearer(await auth.generateToken(ada)));
  expect(await librarian.text()).toBe("shelved");
});

test("Authentication, token: only Authorization: Bearer carries it, in any case", async () => {
  const { app, auth } = createGuarded();
  const token = await auth.generateToken(ada);
  const statusOf = async (headers: Record<string, string>, path = "/me") =>
    (await app.request(path, { headers })).status;
  for (const scheme of ["Bearer", "bearer", "BEARER"]) {
    expect(await statusOf({ authorization: `${scheme} ${token}` })).toBe(200);
  }
  expect(await statusOf({ authorization: token })).toBe(401);
  expect(await statusOf({ authorization: `Basic ${token}` })).toBe(401);
  expect(await statusOf({ cookie: `token=${token}` })).toBe(401);
  expect(await statusOf({}, `/me?token=${token}&access_token=${token}`)).toBe(401);
});

test("Authentication, refusal: Problem Details with the same body for every reason", async () => {
  const { app, auth } = createGuarded();
  const seconds = Math.floor(Date.now() / 1000);
  const valid = await auth.generateToken(ada);
  const reasons = [
    bearer("nonsense"),
    bearer(`${valid.slice(0, -4)}AAAA`),
    bearer(await tokenWith({ sub: "7", exp: seconds - 10 })),
    bearer(await tokenWith({ sub: "7", exp: seconds + 60, nbf: seconds + 50 })),
    bearer(await tokenWith({ sub: "7" })),
    bearer(await new Auth({ secret: "another secret of thirty-two bytes" }).generateToken(ada)),
  ];
  const missing = await app.request("/me");
  expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="api"');
  const { traceId: _, ...expected } = await jsonOf(missing);
  expect(expected).toMatchObject({ title: "Unauthorized", status: 401 });
  for (const init of reasons) {
    const response = await app.request("/me", init);
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer realm="api", error="invalid_token"',
    );
    const { traceId: _, ...body } = await jsonOf(response);
    expect(body).toEqual(expected);
  }
});

test("Authentication, claims: exp is required unless requireExp is false", async () => {
  const token = await tokenWith({ sub: "7", user: { name: "Ada" } });
  expect((await createGuarded().app.request("/me", bearer(token))).status).toBe(401);
  const lenient = createGuarded({ requireExp: false }).app;
  expect((await lenient.request("/me", bearer(token))).status).toBe(200);
});

test("Authentication, claims: issuer and audience are checked if given", async () => {
  const options = { issuer: "https://library.example", audience: "catalogue" };
  const { app, auth } = createGuarded(options);
  expect((await app.request("/me", bearer(await auth.generateToken(ada)))).status).toBe(200);
  for (const change of [{ issuer: "https://evil.example" }, { audience: "other" }]) {
    const other = new Auth({ secret, ...options, ...change });
    expect((await app.request("/me", bearer(await other.generateToken(ada)))).status).toBe(401);
  }
});

test("Authentication, claims: clockTolerance is in seconds, zero by default", async () => {
  const token = await tokenWith({ sub: "7", exp: Math.floor(Date.now() / 1000) - 5 });
  expect((await createGuarded().app.request("/me", bearer(token))).status).toBe(401);
  const tolerant = createGuarded({ clockTolerance: 60 }).app;
  expect((await tolerant.request("/me", bearer(token))).status).toBe(200);
});

test("Authentication, verifyToken: the user, or null for a token that is not valid", async () => {
  const { auth } = createGuarded();
  const token = await auth.generateToken(ada, { expiresIn: "10m" });
  expect(await auth.verifyToken(token)).toEqual(ada);
  expect(await auth.verifyToken(`${token}x`)).toBeNull();
  expect(await auth.verifyToken(await auth.generateToken(ada, { expiresIn: 0 }))).toBeNull();
});

test("Authentication, generateToken: throws for a user without id", async () => {
  const { auth } = createGuarded();
  await expect(auth.generateToken({ name: "Ada" } as never)).rejects.toMatchObject({
    code: "ERR_AUTH_BAD_USER",
  });
});

test("Authentication, events: auth.failed has the reason, and no part of the token", async () => {
  const { app } = createGuarded();
  const events: unknown[] = [];
  app.on("auth.failed", (payload) => void events.push(payload));
  await app.request("/me");
  await app.request("/me", bearer("nonsense"));
  expect(events).toMatchObject([
    { method: "GET", path: "/me", route: "/me", reason: "missing" },
    { reason: "malformed" },
  ]);
  expect(JSON.stringify(events)).not.toContain("nonsense");
});
