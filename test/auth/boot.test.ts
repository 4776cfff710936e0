import { afterEach, describe, expect, test, vi } from "vitest";
import { Application } from "../../src/application/application.ts";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthenticationResult } from "../../src/auth/authentication-result.ts";
import { EspalierError } from "../../src/errors.ts";
import { json } from "../../src/http/responses.ts";
import {
  createAuthMiddleware,
  createOptionalAuthMiddleware,
} from "../../src/middleware/authentication.ts";
import { createAuthorizationMiddleware } from "../../src/middleware/authorization.ts";
import type { AuthenticatorSource } from "../../src/middleware/lazy-authenticator.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { unhandledRejectionsOf } from "../support/unhandled-rejections.ts";

const weakness = /^The secret of Auth has 5 bytes/;

function guarded(
  source: AuthenticatorSource,
  create: typeof createAuthMiddleware = createAuthMiddleware,
) {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  app.middleware("auth", create(source));
  app.getRouter().get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
  return { app, lines: logger.lines };
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

afterEach(() => void vi.restoreAllMocks());

describe.each([createAuthMiddleware, createOptionalAuthMiddleware])("%o at boot", (create) => {
  test("warns of a weak secret in the application's log, before there is any request", async () => {
    for (const source of [new Auth({ secret: "short" }), () => new Auth({ secret: "short" })]) {
      const { app, lines } = guarded(source, create);
      await app.boot();
      expect(lines).toMatchObject([{ level: "warn", message: expect.stringMatching(weakness) }]);
    }
  });

  test("names the route and the middleware of an invalid Auth", async () => {
    const { app } = guarded((() => null) as unknown as () => Auth, create);
    expect(String(await failureOf(app.boot()))).toContain(
      `GET /me: ${create.name} got null from its function. ` +
        "Pass an Auth: new Auth({ secret }), or a function that returns one.",
    );
  });
});

test("an object whose authenticate is not a function is not an Auth", () => {
  for (const value of [{ authenticate: "yes" }, { authenticate: undefined }, () => {}]) {
    const create = () => createAuthMiddleware({ authenticate: value } as unknown as Auth);
    if (typeof value === "function") expect(create).not.toThrow();
    else {
      expect(create).toThrow(
        expect.objectContaining({
          code: "ERR_PIPELINE_BAD_MIDDLEWARE",
          message:
            "createAuthMiddleware got an object. " +
            "Pass an Auth: new Auth({ secret }), or a function that returns one.",
        }),
      );
    }
  }
  expect(() => createAuthMiddleware(null as unknown as Auth)).toThrow(
    "createAuthMiddleware got null. Pass an Auth: ",
  );
});

test("a custom authenticator needs only authenticate", async () => {
  const authenticate = async (): Promise<AuthenticationResult> => ({ user: { id: 5 }, claims: {} });
  for (const source of [
    { authenticate },
    () => ({ authenticate }),
    async () => ({ authenticate }),
  ]) {
    const { app } = guarded(source);
    await app.boot();
    expect(await (await app.request("/me")).json()).toEqual({ id: 5 });
  }
});

test("and receives the logger for warnings before the first token", async () => {
  const told: unknown[] = [];
  const own = {
    authenticate: async (): Promise<AuthenticationResult> => ({ user: null, reason: "missing" }),
    useLogger: (logger: unknown) => void told.push(logger),
    prepare: () => void told.push("prepare"),
  };
  const { app } = guarded(own);
  await app.boot();
  expect(told).toEqual([app.logger, "prepare"]);
  const late = guarded(async () => own);
  await late.app.boot();
  expect(told).toHaveLength(2);
  expect((await late.app.request("/me")).status).toBe(401);
  expect(told).toEqual([app.logger, "prepare", late.app.logger]);
});

test("a rejected promise of one does not fail boot, and is not an unhandled rejection", async () => {
  const { app } = guarded(() => Promise.reject(new Error("no database")));
  expect(await unhandledRejectionsOf(() => app.boot())).toEqual([]);
  expect((await app.request("/me")).status).toBe(500);
});

test.each([
  [new Error("no vault"), "ERR_PIPELINE_BAD_MIDDLEWARE", "GET /me: no vault"],
  ["a text", "ERR_PIPELINE_BAD_MIDDLEWARE", "GET /me: a text"],
  [
    new EspalierError("ERR_CONFIG_UNKNOWN_SECTION", "no section"),
    "ERR_CONFIG_UNKNOWN_SECTION",
    "GET /me: no section",
  ],
])("what a function throws stops boot with the route, case %#", async (cause, code, message) => {
  const { app } = guarded(() => {
    throw cause;
  });
  const error = await failureOf(app.boot());
  expect((error as { errors?: unknown }).errors).toMatchObject([{ code, message, cause }]);
});

describe("warnings", () => {
  test("go to the logger of the options, also where an application has one", async () => {
    const own = createRecordingLogger();
    const { app, lines } = guarded(new Auth({ secret: "short", logger: own }));
    await app.boot();
    expect(lines).toEqual([]);
    expect(own.lines).toMatchObject([{ message: expect.stringMatching(weakness) }]);
  });

  test("go to the console by default", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const auth = new Auth({ secret: "short" });
    await auth.verifyToken(await auth.generateToken({ id: 7 }));
    const lines = [warn, error, log].flatMap((method) => method.mock.calls.map(String));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("The secret of Auth has 5 bytes");
  });

  test("do not prevent authentication if their logger fails", async () => {
    const fails = (): never => {
      throw new Error("disk full");
    };
    const logger = { ...createRecordingLogger(), warn: fails };
    const auth = new Auth({ secret: "short", logger });
    expect(await auth.verifyToken(await auth.generateToken({ id: 7 }))).toEqual({ id: 7 });
  });
});

describe("the policy gate at boot", () => {
  const prepare = (application: object, ...args: string[]): void => {
    const use = { args, usedBy: "GET /books", application };
    createAuthorizationMiddleware().prepare?.(use as never);
  };
  const withPolicies = {
    hasPolicy: (name: string) => name === "edit",
    policyNames: () => ["edit"],
  };

  test.each([
    [
      withPolicies,
      [],
      'GET /books: the middleware "can" requires the name of a policy, as in "can:edit".',
    ],
    [
      withPolicies,
      [""],
      'GET /books: the middleware "can" requires the name of a policy, as in "can:edit".',
    ],
    [
      withPolicies,
      ["edti"],
      'GET /books asks for the policy "edti", which is not defined. Did you mean "edit"? ' +
        'Define it with app.definePolicy("edti", …).',
    ],
    [
      {},
      ["edit"],
      'GET /books: the middleware "can" requires policies, which this application does not have. ' +
        'Use Application of "espalier", or pass an object with can(), hasPolicy() and policyNames().',
    ],
  ])("stops what it could not decide, case %#", (application, args, message) => {
    expect(() => prepare(application, ...args)).toThrow(
      expect.objectContaining({ code: "ERR_AUTH_UNKNOWN_POLICY", message }),
    );
  });

  test("asks the host that it was given, and else the application", () => {
    expect(() => prepare(withPolicies, "edit")).not.toThrow();
    const host = { ...withPolicies, can: async () => true };
    const use = { args: ["edit"], usedBy: "GET /books", application: {} };
    expect(() => createAuthorizationMiddleware(host).prepare?.(use as never)).not.toThrow();
  });
});
