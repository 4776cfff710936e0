import { describe, expect, test, vi } from "vitest";
import { Application } from "../../src/application/application.ts";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { json } from "../../src/http/responses.ts";
import { createApiKeyMiddleware } from "../../src/middleware/api-key-authentication.ts";
import {
  createAuthMiddleware,
  createOptionalAuthMiddleware,
} from "../../src/middleware/authentication.ts";
import { createAuthorizationMiddleware } from "../../src/middleware/authorization.ts";
import { createBasicAuthMiddleware } from "../../src/middleware/basic-authentication.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { createPair, jwkOf } from "./support/pairs.ts";
import { header, hmacToken, noon, noonMs, payload, secret } from "./support/tokens.ts";

const createAuth = (options: AuthOptions = {}): Auth =>
  new Auth({ secret, now: () => noonMs, ...options });

/** Returns the reason why a token is rejected; undefined if it is accepted. */
async function reasonFor(auth: Auth, token: string): Promise<string | undefined> {
  return (await auth.authenticate({ headers: new Headers({ authorization: `Bearer ${token}` }) }))
    .reason;
}

describe("the reason for rejecting a token", () => {
  const signed = (claims: object): Promise<string> => hmacToken(header, { ...payload, ...claims });

  test.each([
    [{ exp: noon }, {}, "expired"],
    [{ exp: noon + 1 }, {}, undefined],
    [{ exp: noon - 5 }, { clockTolerance: 5 }, "expired"],
    [{ exp: noon - 5 }, { clockTolerance: 6 }, undefined],
    [{ nbf: noon + 1 }, {}, "not-yet-valid"],
    [{ nbf: noon }, {}, undefined],
    [{ nbf: noon + 6 }, { clockTolerance: 5 }, "not-yet-valid"],
    [{ nbf: noon + 5 }, { clockTolerance: 5 }, undefined],
    [{ iat: noon + 31 }, {}, "not-yet-valid"],
    [{ iat: noon + 30 }, {}, undefined],
    [{ iat: noon + 35 }, { clockTolerance: 5 }, undefined],
    [{ iat: noon + 36 }, { clockTolerance: 5 }, "not-yet-valid"],
    [{ iat: undefined }, {}, undefined],
    [{ exp: undefined }, {}, "claims"],
    [{ exp: undefined }, { requireExp: false }, undefined],
    [{ iss: "a" }, { issuer: ["b", "a"] }, undefined],
    [{ iss: "c" }, { issuer: ["b", "a"] }, "issuer"],
    [{}, { issuer: "a" }, "issuer"],
    [{ aud: ["x", "a"] }, { audience: "a" }, undefined],
    [{ aud: "x" }, { audience: ["a", "b"] }, "audience"],
    [{}, { audience: "a" }, "audience"],
    [{ exp: "soon" }, {}, "malformed"],
    [{ sub: 5 }, {}, "malformed"],
    [{ iss: 5 }, {}, "malformed"],
    [{ jti: 5 }, {}, "malformed"],
    [{ nbf: "0" }, {}, "malformed"],
    [{ iat: null }, {}, "malformed"],
  ] as const)("with %j and %j is %s", async (claims, options, reason) => {
    expect(await reasonFor(createAuth(options), await signed(claims))).toBe(reason);
  });

  test.each(["5", '"text"', "true", "null", "[]"])(
    "whose header or claims are %s is malformed, whatever its signature",
    async (text) => {
      const others = { secret: "another-secret-of-32-bytes-or-so" };
      for (const options of [{}, others]) {
        expect(await reasonFor(createAuth(), await hmacToken(header, text, options))).toBe(
          "malformed",
        );
        expect(await reasonFor(createAuth(), await hmacToken(text, payload, options))).toBe(
          "malformed",
        );
      }
      expect(await reasonFor(createAuth(), await hmacToken(header, payload, others))).toBe(
        "signature",
      );
    },
  );

  test("of another algorithm is a missing or unsuitable key", async () => {
    const with384 = await hmacToken({ alg: "HS384" }, payload, { hash: "SHA-384" });
    expect(await reasonFor(createAuth(), with384)).toBe("unknown-key");
    expect(await reasonFor(createAuth({ algorithms: ["HS384"] }), with384)).toBeUndefined();
    for (const alg of ["none", "HS257", "", "toString", "__proto__"]) {
      expect(await reasonFor(createAuth(), await hmacToken({ alg }, payload))).toBe("algorithm");
    }
  });

  test("that is revoked, or whose user is unknown, is reported too", async () => {
    const revocations = new Map([["auth.revoked.gone", "revoked"]]);
    const token = await signed({ jti: "gone" });
    expect(await reasonFor(createAuth({ revocations }), token)).toBe("revoked");
    expect(await reasonFor(createAuth({ revocations }), await signed({ jti: "x" }))).toBe(
      undefined,
    );
    for (const nothing of [null, undefined]) {
      const empty = { get: () => nothing, set: () => {} };
      expect(await reasonFor(createAuth({ revocations: empty }), token)).toBeUndefined();
    }
    for (const missing of [null, undefined]) {
      expect(await reasonFor(createAuth({ resolveUser: () => missing }), token)).toBe(
        "unknown-user",
      );
    }
  });
});

test("of several keys without an id the signing key decides, at any position", async () => {
  const ecdsa = { name: "ECDSA", namedCurve: "P-256" };
  const pairs = await Promise.all([1, 2, 3].map(() => createPair(ecdsa)));
  const keys = await Promise.all(pairs.map(({ publicKey }) => jwkOf(publicKey)));
  const named = keys.map((key, index) => ({ ...key, kid: `key ${index}` }));
  const verifier = createAuth({ secret: undefined, jwks: { keys } as never });
  const byName = createAuth({ secret: undefined, jwks: { keys: named } as never });
  for (const { privateKey } of pairs) {
    const signer = createAuth({ secret: undefined, privateKey });
    const token = await signer.generateToken({ id: 7 });
    expect(await reasonFor(verifier, token)).toBeUndefined();
    expect(await reasonFor(byName, token)).toBeUndefined();
    const old = await signer.generateToken({ id: 7 }, { expiresIn: 0 });
    expect(await reasonFor(verifier, old)).toBe("expired");
  }
  const { privateKey } = await createPair(ecdsa);
  const stranger = createAuth({ secret: undefined, privateKey });
  expect(await reasonFor(verifier, await stranger.generateToken({ id: 7 }))).toBe("signature");
});

describe("the event auth.failed has the reason", () => {
  const asked: unknown[] = [];
  const findUser = (given: string): null => {
    asked.push(given);
    return null;
  };
  const app = new Application({ logger: createRecordingLogger() });
  app.middleware("auth", createAuthMiddleware(createAuth()));
  app.middleware("key", createApiKeyMiddleware({ findUser }));
  app.middleware("basic", createBasicAuthMiddleware({ findUser }));
  for (const name of ["auth", "key", "basic"]) {
    app.getRouter().get(`/${name}`, () => json(1), { middleware: [name] });
  }
  const isAskedFor = new Set(["unknown-key", "password"]);
  const basic = (text: string): object => ({ authorization: `Basic ${btoa(text)}` });

  test.each([
    ["/auth", {}, "missing"],
    ["/auth", { authorization: "Basic eDp5" }, "missing"],
    ["/auth", { authorization: "Bearer" }, "malformed"],
    ["/auth", { authorization: "Bearer a b" }, "malformed"],
    ["/key", {}, "missing"],
    ["/key", { "x-api-key": "" }, "missing"],
    ["/key", { "x-api-key": "key_x" }, "unknown-key"],
    ["/basic", {}, "missing"],
    ["/basic", { authorization: "Bearer x" }, "malformed"],
    ["/basic", basic("no colon"), "malformed"],
    ["/basic", basic("ada:wrong"), "password"],
    ["/basic", basic(":"), "password"],
  ])("a request was not let in: %s %j: %s", async (path, headers, reason) => {
    const told: unknown[] = [];
    app.on("auth.failed", (event) => void told.push(event));
    const init = { headers: headers as Record<string, string> };
    expect((await app.request(path, init)).status).toBe(401);
    // Without credentials no user is looked up.
    expect(asked.splice(0)).toHaveLength(isAskedFor.has(reason) && path !== "/auth" ? 1 : 0);
    await vi.waitFor(() => expect(told).toMatchObject([{ reason, path, method: "GET" }]), {
      timeout: 10_000,
    });
  });
});

test("the policy gate denies requests without a user, or without a policy that allows them", async () => {
  const asked: unknown[] = [];
  const host = {
    can: async (name: string, _ctx: unknown, ...args: string[]) => {
      asked.push([name, ...args]);
      return name === "";
    },
    hasPolicy: () => true,
    policyNames: () => [],
  };
  const gate = createAuthorizationMiddleware(host);
  const app = new Application({ logger: createRecordingLogger() });
  const told: unknown[] = [];
  app.on("auth.failed", (event) => void told.push(event));
  for (const [name, user] of [
    ["null", null],
    ["undefined", undefined],
    ["known", { id: 7 }],
  ] as const) {
    app.middleware(`as.${name}`, (ctx, next) => {
      ctx.user = user as never;
      return next();
    });
    app.middleware(`gate.${name}`, (ctx, next) => gate(ctx, next));
    const middleware = [`as.${name}`, `gate.${name}`];
    app.getRouter().get(`/${name}`, () => json(1), { middleware });
  }
  app.middleware("gate", gate);
  app.getRouter().get("/no", () => json(1), { middleware: ["as.known", "gate:no,draft"] });
  for (const [path, status] of [
    ["/null", 401],
    ["/undefined", 401],
    ["/known", 200],
    ["/no", 403],
  ] as const) {
    expect((await app.request(path)).status).toBe(status);
  }
  expect(asked).toEqual([[""], ["no", "draft"]]);
  await expect.poll(() => told).toMatchObject([{ reason: "no-user" }, { reason: "no-user" }]);
});

describe("the response to a client", () => {
  async function answerOf(auth: unknown, path: string): Promise<[number, unknown]> {
    const app = new Application({ logger: createRecordingLogger() });
    app.middleware("auth", createAuthMiddleware(auth as Auth));
    app.middleware("maybe", createOptionalAuthMiddleware(auth as Auth));
    app.getRouter().get("/auth", (ctx) => json(Object.keys(ctx.state)), { middleware: ["auth"] });
    app.getRouter().get("/maybe", (ctx) => json(Object.keys(ctx.state)), { middleware: ["maybe"] });
    const response = await app.request(path);
    return [response.status, await response.json()];
  }
  const refusing = (reason: string) => ({ authenticate: async () => ({ user: null, reason }) });

  test.each(["missing", "malformed", "signature", "expired", "revoked", "unknown-user"])(
    "is the same for every reason: %s",
    async (reason) => {
      const [status, body] = await answerOf(refusing(reason), "/auth");
      expect(status).toBe(401);
      expect(body).toMatchObject({ detail: "Valid credentials are required." });
      expect(JSON.stringify(body)).not.toContain(reason);
    },
  );

  test("says that the service is unavailable without keys", async () => {
    const [status, body] = await answerOf(refusing("keys-unavailable"), "/auth");
    expect(status).toBe(503);
    expect(body).toMatchObject({ detail: "Authentication is not available at the moment." });
  });

  test("has no reason with optional authentication, and no claims", async () => {
    expect(await answerOf(refusing("expired"), "/maybe")).toEqual([200, []]);
    const known = { authenticate: async () => ({ user: { id: 7 }, claims: {} }) };
    expect(await answerOf(known, "/maybe")).toEqual([200, ["claims"]]);
    expect(await answerOf(known, "/auth")).toEqual([200, ["claims"]]);
  });

  test("in the OpenAPI document lists the possible causes", () => {
    expect(createAuthMiddleware(createAuth()).documentation?.responses).toEqual({
      401: "The bearer token is missing or invalid.",
    });
  });
});
