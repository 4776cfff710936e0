import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Application } from "../../src/application/application.ts";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { EspalierError } from "../../src/errors.ts";
import { json } from "../../src/http/responses.ts";
import {
  createAuthMiddleware,
  createOptionalAuthMiddleware,
} from "../../src/middleware/authentication.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { bearer } from "./support/app.ts";
import { type KeyServer, startKeyServer } from "./support/key-server.ts";
import { keyPairs } from "./support/keys.ts";
import { createPair, createShortPair, jwkOf } from "./support/pairs.ts";
import { hmacToken, secret } from "./support/tokens.ts";

const user = { id: 7 };

interface Issuer {
  readonly publicJwk: JsonWebKey & { kid: string };
  readonly auth: Auth;
}

/** A signer with a key of this id. */
async function createIssuer(kid: string, curve = "P-256"): Promise<Issuer> {
  const pair = await createPair({ name: "ECDSA", namedCurve: curve });
  const privateKey = { ...(await jwkOf(pair.privateKey)), kid };
  return { publicJwk: { ...(await jwkOf(pair.publicKey)), kid }, auth: new Auth({ privateKey }) };
}

const first = await createIssuer("first");
const second = await createIssuer("second");
const stranger = await createIssuer("stranger");

describe("a key set passed as an object", () => {
  const jwks = { keys: [first.publicJwk, second.publicJwk] };

  test("verifies with the key of kid", async () => {
    const auth = new Auth({ jwks });
    for (const issuer of [first, second]) {
      expect(await auth.verifyToken(await issuer.auth.generateToken(user))).toEqual(user);
    }
    expect(await auth.verifyToken(await stranger.auth.generateToken(user))).toBeNull();
  });

  test("a token with the kid of another key is rejected", async () => {
    const forger = new Auth({
      privateKey: {
        ...(await jwkOf((await createPair({ name: "ECDSA", namedCurve: "P-256" })).privateKey)),
        kid: "first",
      },
    });
    expect(await new Auth({ jwks }).verifyToken(await forger.generateToken(user))).toBeNull();
  });

  test("without kid every key of the algorithm is tried", async () => {
    const pair = await createPair({ name: "ECDSA", namedCurve: "P-256" });
    const token = await new Auth({ privateKey: pair.privateKey }).generateToken(user);
    const own = await jwkOf(pair.publicKey);
    expect(await new Auth({ jwks: { keys: [...jwks.keys, own] } }).verifyToken(token)).toEqual(
      user,
    );
    expect(await new Auth({ jwks }).verifyToken(token)).toBeNull();
  });

  test("each key is used only for its algorithm", async () => {
    const keys = await Promise.all(
      keyPairs.map(async ({ pair, name }) => ({ ...(await jwkOf(pair.publicKey)), kid: name })),
    );
    const auth = new Auth({ jwks: { keys } });
    for (const { pair, name } of keyPairs) {
      const privateKey = { ...(await jwkOf(pair.privateKey)), kid: name };
      const signer = new Auth({ privateKey });
      expect(await auth.verifyToken(await signer.generateToken(user))).toEqual(user);
    }
    const onlyEs = new Auth({ jwks: { keys }, algorithms: ["ES256"] });
    const rs256 = keyPairs.find(({ name }) => name === "RS256");
    const privateKey = { ...(await jwkOf(rs256?.pair.privateKey as CryptoKey)), kid: "RS256" };
    const token = await new Auth({ privateKey }).generateToken(user);
    expect(await onlyEs.verifyToken(token)).toBeNull();
  });

  test("secrets, private keys and keys for other purposes are ignored", async () => {
    const { publicJwk } = first;
    const privateJwk = await jwkOf((await createPair({ name: "Ed25519" })).privateKey);
    const oct = { kty: "oct", k: "c2VjcmV0", kid: "oct", alg: "HS256" };
    const enc = { ...publicJwk, use: "enc" };
    const broken = { ...second.publicJwk, x: "AAAA" };
    for (const keys of [[], [oct], [privateJwk], [enc], [null], ["x"], "x", undefined]) {
      const create = () => new Auth({ jwks: { keys } as never });
      expect(create).toThrow(EspalierError);
    }
    const auth = new Auth({ jwks: { keys: [oct, enc, broken, publicJwk] as never } });
    expect(await auth.verifyToken(await first.auth.generateToken(user))).toEqual(user);
    expect(await auth.verifyToken(await second.auth.generateToken(user))).toBeNull();
    const forged = await hmacToken({ alg: "HS256", kid: "oct" }, {}, { secret: "secret" });
    expect(await auth.verifyToken(forged)).toBeNull();
  });

  test("a short RSA key among them authenticates no one and does not affect others", async () => {
    const short = { ...(await jwkOf((await createShortPair()).publicKey)), kid: "short" };
    const auth = new Auth({ jwks: { keys: [short, first.publicJwk] } });
    expect(await auth.verifyToken(await first.auth.generateToken(user))).toEqual(user);
    const rs256 = keyPairs.find(({ name }) => name === "RS256");
    const privateKey = { ...(await jwkOf(rs256?.pair.privateKey as CryptoKey)), kid: "short" };
    expect(await auth.verifyToken(await new Auth({ privateKey }).generateToken(user))).toBeNull();
  });

  test("an algorithm of secrets does not fit", () => {
    expect(() => new Auth({ jwks, algorithms: ["HS256"] })).toThrow(/does not fit the key/);
  });
});

test.each([
  "http://issuer.example/keys",
  "http://127.0.0.1.attacker.example/keys",
  "ftp://issuer.example/keys",
  "/keys",
  "",
  "issuer.example",
])("the URL %j is refused", (jwks) => {
  expect(() => new Auth({ jwks })).toThrow(/^The option "jwks" of Auth is not an https: URL/);
});

describe("a key set at a URL", () => {
  let server: KeyServer;
  let nowMs: number;
  const logger = createRecordingLogger();
  const createAuth = (options: AuthOptions = {}): Auth =>
    new Auth({ jwks: server.url, now: () => nowMs, logger, ...options });
  const passes = async (auth: Auth, issuer: Issuer): Promise<boolean> =>
    (await auth.verifyToken(await issuer.auth.generateToken(user))) !== null;
  const reason = async (auth: Auth, issuer: Issuer): Promise<string | undefined> => {
    const token = await issuer.auth.generateToken(user);
    const headers = new Headers({ authorization: `Bearer ${token}` });
    return (await auth.authenticate({ headers })).reason;
  };

  beforeEach(async () => {
    server = await startKeyServer();
    server.answer({ keys: [first.publicJwk] });
    nowMs = Date.now();
    logger.lines.length = 0;
  });
  afterEach(() => server.close());

  test("is fetched lazily, once, and cached for ten minutes", async () => {
    const auth = createAuth();
    expect(server.count()).toBe(0);
    for (let time = 0; time < 5; time += 1) expect(await passes(auth, first)).toBe(true);
    nowMs += 10 * 60_000 - 1;
    expect(await passes(auth, first)).toBe(true);
    expect(server.count()).toBe(1);
    nowMs += 1;
    expect(await passes(auth, first)).toBe(true);
    expect(server.count()).toBe(2);
  });

  test("is not fetched for malformed tokens", async () => {
    const auth = createAuth();
    await auth.verifyToken("x");
    await auth.verifyToken(await hmacToken({ alg: "none" }, {}));
    expect(server.count()).toBe(0);
  });

  test("a new key is found immediately after the cool-down, and the old one is dropped", async () => {
    const auth = createAuth();
    expect(await passes(auth, first)).toBe(true);
    server.answer({ keys: [second.publicJwk] });
    nowMs += 30_000;
    expect(await passes(auth, second)).toBe(true);
    expect(await passes(auth, first)).toBe(false);
    expect(server.count()).toBe(2);
  });

  test("unknown kids cause at most one request to the issuer in 30 seconds", async () => {
    const auth = createAuth();
    for (let time = 0; time < 50; time += 1) expect(await passes(auth, stranger)).toBe(false);
    expect(server.count()).toBe(1);
    nowMs += 29_999;
    expect(await passes(auth, stranger)).toBe(false);
    expect(server.count()).toBe(1);
    nowMs += 1;
    expect(await passes(auth, stranger)).toBe(false);
    expect(server.count()).toBe(2);
    expect(await passes(auth, first)).toBe(true);
  });

  test("a hundred concurrent requests cause one request", async () => {
    server.answer({ keys: [first.publicJwk] }, { delayMs: 60 });
    const auth = createAuth();
    const results = await Promise.all(Array.from({ length: 100 }, () => passes(auth, first)));
    expect(results.every(Boolean)).toBe(true);
    expect(server.count()).toBe(1);
  });

  test("if the issuer is down: 503 instead of 401, at most one request per second", async () => {
    server.answer({}, { status: 500 });
    const auth = createAuth();
    for (let time = 0; time < 10; time += 1) {
      expect(await reason(auth, first)).toBe("keys-unavailable");
    }
    expect(server.count()).toBe(1);
    expect(logger.lines.filter(({ error }) => error !== undefined)).toMatchObject([
      { level: "warn", message: `The keys at ${server.url.href} could not be fetched.` },
    ]);

    const app = new Application({ logger });
    app.middleware("auth", createAuthMiddleware(auth));
    app.middleware("maybe", createOptionalAuthMiddleware(auth));
    app.getRouter().get("/", (ctx) => json(ctx.user), { middleware: ["auth"] });
    app.getRouter().get("/maybe", (ctx) => json(ctx.user), { middleware: ["maybe"] });
    const token = await first.auth.generateToken(user);
    const response = await app.request("/", bearer(token));
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await (await app.request("/maybe", bearer(token))).json()).toBeNull();
    expect((await app.request("/", bearer("x"))).status).toBe(401);

    server.answer({ keys: [first.publicJwk] });
    nowMs += 1_000;
    expect(await passes(auth, first)).toBe(true);
  });

  test("keys are used for an hour after the issuer went down", async () => {
    const auth = createAuth();
    expect(await passes(auth, first)).toBe(true);
    server.answer({}, { status: 503 });
    nowMs += 10 * 60_000;
    for (let time = 0; time < 10; time += 1) expect(await passes(auth, first)).toBe(true);
    expect(server.count()).toBe(2);
    const lasting = await first.auth.generateToken(user, { expiresIn: "1d" });
    nowMs += 60 * 60_000 - 1;
    expect(await auth.verifyToken(lasting)).toEqual(user);
    nowMs += 1;
    expect(await auth.verifyToken(lasting)).toBeNull();
  });

  test.each([
    ["a redirect", { status: 302, headers: { location: "/elsewhere" } }],
    ["another status", { status: 203 }],
    ["no JSON", { text: "<html>" }],
    ["no keys", { text: '{"keys":[]}' }],
    ["null", { text: "null" }],
    ["too much", { text: `{"keys":[],"x":"${"x".repeat(512 * 1024)}"}` }],
  ])("a response that is %s is not a key set", async (_what, options) => {
    server.answer({ keys: [first.publicJwk] }, options);
    expect(await reason(createAuth(), first)).toBe("keys-unavailable");
  });

  test("at most a hundred keys of a set are read", async () => {
    const keys = Array.from({ length: 99 }, (_, index) => ({
      ...first.publicJwk,
      kid: `${index}`,
    }));
    server.answer({ keys: [...keys, second.publicJwk, first.publicJwk] });
    const auth = createAuth();
    expect(await passes(auth, second)).toBe(true);
    expect(await passes(auth, first)).toBe(false);
  });

  test("a cancelled request is replaced after six seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    // As on Workers, which cancels a request when its client disconnects.
    const dead = vi.spyOn(globalThis, "fetch").mockReturnValueOnce(new Promise(() => {}));
    try {
      const auth = createAuth();
      const token = await first.auth.generateToken(user);
      void auth.verifyToken(token);
      const waiting = auth.verifyToken(token);
      await vi.advanceTimersByTimeAsync(5_900);
      expect(dead).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(200);
      vi.useRealTimers();
      expect(await waiting).toEqual(user);
      expect(dead).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
      vi.restoreAllMocks();
    }
  });

  test("with a private key it also signs", async () => {
    const pair = await createPair({ name: "ECDSA", namedCurve: "P-256" });
    const privateKey = { ...(await jwkOf(pair.privateKey)), kid: "own" };
    server.answer({ keys: [{ ...(await jwkOf(pair.publicKey)), kid: "own" }] });
    const auth = createAuth({ privateKey });
    expect(await auth.verifyToken(await auth.generateToken(user))).toEqual(user);
    expect(await auth.verifyToken(await new Auth({ secret }).generateToken(user))).toBeNull();
  });
});
