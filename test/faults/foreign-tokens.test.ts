import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { Application, Auth, type AuthOptions, createAuthMiddleware, json } from "espalier";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { bearer } from "../auth/support/app.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const issuer = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicJwk = { ...issuer.publicKey.export({ format: "jwk" }), kid: "1" };
const publicPem = issuer.publicKey.export({ type: "spki", format: "pem" }).toString();
const privatePem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

const signed = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: "1" })
    .setExpirationTime("1h")
    .sign(issuer.privateKey);

const foreign: readonly (readonly [string, AuthOptions])[] = [
  ["a key set", { jwks: { keys: [publicJwk] } }],
  [
    "a key set, with a key to sign with",
    {
      jwks: { keys: [publicJwk] },
      privateKey: privatePem(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
    },
  ],
  ["a public key", { publicKey: publicPem }],
];

describe.each(foreign)("tokens of another issuer, verified with %s", (_name, keys) => {
  const auth = new Auth({ ...keys, logger: createRecordingLogger() });
  const userOf = async (claims: Record<string, unknown>): Promise<unknown> =>
    auth.verifyToken(await signed(claims));

  test("stand for their subject, whatever else they say about the user", async () => {
    for (const id of ["admin", 1, null, ["7"], { id: 7 }]) {
      expect(await userOf({ sub: "7", user: { id, name: "Eve" } })).toEqual({
        id: "7",
        name: "Eve",
      });
    }
    expect(await userOf({ sub: "7", user: "admin" })).toEqual({ id: "7" });
    expect(await userOf({ sub: "7", user: { id: 7 } })).toEqual({ id: 7 });
  });

  test("without a subject do not authenticate", async () => {
    for (const claims of [
      {},
      { sub: "" },
      { user: { id: "admin" } },
      { sub: "", user: { id: 7 } },
    ]) {
      expect(await userOf(claims)).toBeNull();
    }
    const resolveUser = () => ({ id: "a-user" });
    const resolving = new Auth({ ...keys, logger: createRecordingLogger(), resolveUser });
    const headers = new Headers(bearer(await signed({ user: { id: 7 } })).headers);
    expect(await resolving.authenticate({ headers })).toEqual({ user: null, reason: "claims" });
  });

  test("are warned about at boot, once, where no audience is required", async () => {
    const warningsWith = async (options: AuthOptions): Promise<unknown[]> => {
      const logger = createRecordingLogger();
      const app = new Application({ logger });
      app.middleware("auth", createAuthMiddleware(new Auth({ ...keys, ...options })));
      for (const path of ["/a", "/b"]) {
        app.getRouter().get(path, (ctx) => json(ctx.user), { middleware: ["auth"] });
      }
      await app.boot();
      return logger.lines.map(({ level, message }) => [level, message]);
    };
    expect(await warningsWith({})).toEqual([
      [
        "warn",
        "Auth verifies tokens of another issuer without the option audience, so it accepts tokens that were " +
          "issued for other applications. Set audience to the identifier of this application at the issuer.",
      ],
    ]);
    expect(await warningsWith({ audience: "https://api.example/" })).toEqual([]);
  });
});

describe("tokens of our own", () => {
  const keys: readonly AuthOptions[] = [
    { secret: "x".repeat(32) },
    { privateKey: privatePem(issuer.privateKey) },
    { privateKey: privatePem(issuer.privateKey), publicKey: publicPem },
  ];

  test.each(keys)(
    "keep the id that they were made for, and need no audience, case %#",
    async (options) => {
      const logger = createRecordingLogger();
      const auth = new Auth({ ...options, logger });
      expect(await auth.verifyToken(await auth.generateToken({ id: 7 }))).toEqual({ id: 7 });
      expect(logger.lines).toEqual([]);
    },
  );

  test("without a subject and an id do not authenticate", async () => {
    const auth = new Auth({ privateKey: privatePem(issuer.privateKey) });
    for (const claims of [{}, { user: {} }, { user: { name: "Eve" } }, { user: [] }]) {
      expect(await auth.verifyToken(await signed(claims))).toBeNull();
    }
    expect(await auth.verifyToken(await signed({ user: { id: 7 } }))).toEqual({ id: 7 });
  });
});

describe("the longest token", () => {
  const groups = Array.from({ length: 200 }, (_, index) => `${index}-${"0".repeat(34)}`);

  test("may be longer than 8 KiB where the option says so", async () => {
    const token = await signed({ sub: "7", groups });
    expect(token.length).toBeGreaterThan(8192);
    const keys = {
      jwks: { keys: [publicJwk] },
      audience: undefined,
      logger: createRecordingLogger(),
    };
    expect(await new Auth(keys).verifyToken(token)).toBeNull();
    const auth = new Auth({ ...keys, maxTokenBytes: token.length });
    expect(await auth.verifyToken(token)).toEqual({ id: "7" });
    expect(
      await new Auth({ ...keys, maxTokenBytes: token.length - 1 }).verifyToken(token),
    ).toBeNull();
  });

  test("is the longest that is issued, too", async () => {
    const user = { id: 7, groups };
    const secret = "x".repeat(32);
    const auth = new Auth({ secret, maxTokenBytes: 16_384 });
    expect(await auth.verifyToken(await auth.generateToken(user))).toEqual(user);
    await expect(new Auth({ secret }).generateToken(user)).rejects.toMatchObject({
      code: "ERR_AUTH_TOKEN_TOO_LARGE",
    });
  });

  test.each([0, -1, 1.5, "8192"])("must be a positive integer, not %j", (maxTokenBytes) => {
    const options = { secret: "x".repeat(32), maxTokenBytes } as AuthOptions;
    expect(() => new Auth(options)).toThrow(/"maxTokenBytes" of Auth must be a positive integer/);
  });
});
