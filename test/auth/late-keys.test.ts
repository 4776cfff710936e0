import { describe, expect, test } from "vitest";
import { Application } from "../../src/application/application.ts";
import { BootError } from "../../src/application/boot/boot-error.ts";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import type { Jwk } from "../../src/auth/keys/types.ts";
import { EspalierError } from "../../src/errors.ts";
import { json } from "../../src/http/responses.ts";
import {
  createAuthMiddleware,
  createOptionalAuthMiddleware,
} from "../../src/middleware/authentication.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { bearer } from "./support/app.ts";
import { createPair, jwkOf, pemOf } from "./support/pairs.ts";
import { secret } from "./support/tokens.ts";

const user = { id: 7 };
const token = await new Auth({ secret }).generateToken(user);

const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    return await promise;
  } catch (error) {
    return error;
  }
};

function guarded(middleware: ReturnType<typeof createAuthMiddleware>): Application {
  const app = new Application({ logger: createRecordingLogger() });
  app.middleware("auth", middleware);
  app.getRouter().get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
  return app;
}

describe("a key from a function", () => {
  test("is read lazily and once", async () => {
    let count = 0;
    const auth = new Auth({
      secret: () => {
        count += 1;
        return secret;
      },
    });
    expect(count).toBe(0);
    expect(await auth.verifyToken(token)).toEqual(user);
    expect(await auth.verifyToken(await auth.generateToken(user))).toEqual(user);
    expect(count).toBe(1);
  });

  test("may be any kind of key", async () => {
    const pair = await createPair({ name: "ECDSA", namedCurve: "P-256" });
    const [privatePem, publicPem] = [await pemOf(pair.privateKey), await pemOf(pair.publicKey)];
    const signer = new Auth({ privateKey: () => privatePem });
    const jwk = (await jwkOf(pair.publicKey)) as Jwk;
    const signed = await signer.generateToken(user);
    const verifiers: AuthOptions[] = [
      { privateKey: () => privatePem },
      { publicKey: () => publicPem },
      { jwks: () => ({ keys: [jwk] }) },
    ];
    for (const options of verifiers)
      expect(await new Auth(options).verifyToken(signed)).toEqual(user);
    const bytes = new TextEncoder().encode(secret);
    expect(await new Auth({ secretKey: () => bytes }).verifyToken(token)).toEqual(user);
  });

  test("is one key, and an error beside another one", () => {
    expect(() => new Auth({ secret: () => secret, publicKey: () => "" })).toThrow(
      "Auth must have one key to verify tokens, got secret and publicKey.",
    );
  });

  test("is retried after a failure, because the environment may arrive later", async () => {
    const env: Record<string, string> = {};
    const auth = new Auth({ secret: () => env["SECRET"] as string });
    await expect(auth.generateToken(user)).rejects.toMatchObject({ code: "ERR_AUTH_BAD_SECRET" });
    env["SECRET"] = secret;
    expect(await auth.verifyToken(token)).toEqual(user);
  });

  test.each([
    [{ secret: () => undefined }, "ERR_AUTH_BAD_SECRET", '"secret" of Auth returned undefined'],
    [{ secret: () => "" }, "ERR_AUTH_BAD_SECRET", "got an empty string"],
    [{ secret: async () => secret }, "ERR_AUTH_BAD_SECRET", "returned a promise"],
    [{ publicKey: () => null }, "ERR_AUTH_BAD_KEY", '"publicKey" of Auth returned null'],
    [
      { publicKey: () => "x" },
      "ERR_AUTH_BAD_KEY",
      '"publicKey" of Auth is a string that is not a supported PEM',
    ],
    [
      { jwks: () => "http://keys.example" },
      "ERR_AUTH_BAD_KEY",
      '"jwks" of Auth is not an https: URL',
    ],
  ])("that is invalid is reported, case %#", async (options, code, message) => {
    const auth = new Auth(options as AuthOptions);
    const error = await failureOf(auth.verifyToken(token));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    const booting = failureOf(guarded(createAuthMiddleware(auth)).boot());
    expect(await booting).toBeInstanceOf(BootError);
    expect(String(await booting)).toContain(`GET /me: `);
    expect(String(await booting)).toContain(message);
  });

  test("that throws has its error as the cause, but not in the message", async () => {
    const cause = new Error("vault is sealed with hunter2");
    const auth = new Auth({
      secret: () => {
        throw cause;
      },
    });
    const error = await failureOf(auth.generateToken(user));
    expect(error).toMatchObject({ code: "ERR_AUTH_BAD_SECRET", cause });
    expect(String(error)).not.toContain("hunter2");
    expect(error).toMatchObject({
      message: 'The function in the option "secret" of Auth threw; its error is the cause.',
    });
  });

  test("that throws an EspalierError rejects with that error", async () => {
    const cause = new EspalierError("ERR_CONFIG_UNKNOWN_SECTION", "Unknown section.");
    const auth = new Auth({
      publicKey: () => {
        throw cause;
      },
    });
    expect(await failureOf(auth.verifyToken(token))).toBe(cause);
  });

  test("that returns nothing has no cause", async () => {
    const error = await failureOf(new Auth({ jwks: () => null as never }).verifyToken(token));
    expect(error).toMatchObject({
      code: "ERR_AUTH_BAD_KEY",
      message:
        'The function in the option "jwks" of Auth returned null. Is the environment variable set?',
    });
    expect(error).not.toHaveProperty("cause");
    const promise = new Auth({ jwks: (async () => "x") as never }).verifyToken(token);
    expect(await failureOf(promise)).toMatchObject({
      message:
        'The function in the option "jwks" of Auth returned a promise. It must return the key synchronously.',
    });
  });
});

describe("createAuthMiddleware with a function", () => {
  test("resolves the service after boot", async () => {
    const app: Application = guarded(createAuthMiddleware(() => app.resolve("auth")));
    app.configure("jwt", { secret: { required: true, type: "string" } }, { source: { secret } });
    app.singleton(
      "auth",
      () => new Auth({ secret: app.getConfig<{ secret: string }>("jwt").secret }),
    );
    expect(await (await app.request("/me", bearer(token))).json()).toEqual(user);
    expect((await app.request("/me", bearer("x"))).status).toBe(401);
  });

  test("may be async, and logs warnings about its Auth", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    const auth = new Auth({ secret: "short" });
    app.use(createOptionalAuthMiddleware(async () => auth));
    app.getRouter().get("/me", (ctx) => json(ctx.user));
    const signed = await auth.generateToken(user);
    expect(await (await app.request("/me", bearer(signed))).json()).toEqual(user);
    expect(await (await app.request("/me")).json()).toBeNull();
  });

  test("fails at boot if it throws, naming the route and the missing value", async () => {
    const app: Application = guarded(createAuthMiddleware(() => app.resolve("oauth")));
    app.singleton("auth", () => new Auth({ secret }));
    const error = await failureOf(app.boot());
    expect(error).toBeInstanceOf(BootError);
    expect(String(error)).toContain('GET /me: Service "oauth"');
    expect(String(error)).toContain('Did you mean "auth"?');
  });

  test("does not repeat boot's configuration errors", async () => {
    const app: Application = guarded(createAuthMiddleware(() => app.resolve("auth")));
    app.configure("jwt", { secret: { required: true, type: "string" } }, { source: {} });
    app.singleton(
      "auth",
      () => new Auth({ secret: app.getConfig<{ secret: string }>("jwt").secret }),
    );
    const error = await failureOf(app.boot());
    expect(error).toBeInstanceOf(BootError);
    expect(error instanceof BootError && error.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining("Configuration jwt.secret:"),
    ]);
  });

  test("that fails in a request is a 500, with its cause only in the log", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.use(
      createAuthMiddleware(async () => {
        throw new Error("no database");
      }),
    );
    app.getRouter().get("/me", (ctx) => json(ctx.user));
    const response = await app.request("/me", bearer(token));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("no database");
    expect(JSON.stringify(logger.lines)).toContain("no database");
  });

  test("that does not return an Auth is reported", async () => {
    const nothing = (() => ({})) as unknown as () => Auth;
    const error = await failureOf(guarded(createAuthMiddleware(nothing)).boot());
    expect(String(error)).toContain("createAuthMiddleware got an object from its function.");
    const later = (async () => undefined) as unknown as () => Promise<Auth>;
    expect((await guarded(createAuthMiddleware(later)).request("/me")).status).toBe(500);
  });
});
