import { describe, expect, test } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { MemoryTokenStore } from "../../src/auth/memory-token-store.ts";
import { hashPassword, needsRehash, verifyPassword } from "../../src/auth/password.ts";
import { kindOf } from "../../src/util/describe.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { secret } from "./support/tokens.ts";

function failureOf(create: () => unknown): unknown {
  try {
    create();
    return undefined;
  } catch (error) {
    return error;
  }
}

const names = "a non-empty string or a list of them";
const time =
  'The option "expiresIn" of Auth must be a number of seconds or a string with a unit, such as "15m", ' +
  '"1h" or "7d", got "soon".';
const store = "a store with the methods get and set";

test.each([
  [{ issuer: "" }, `The option "issuer" of Auth must be ${names}, got "".`],
  [{ issuer: [] }, `The option "issuer" of Auth must be ${names}, got [].`],
  [{ issuer: ["a", 5] }, `The option "issuer" of Auth must be ${names}, got ["a", 5].`],
  [{ audience: 5 }, `The option "audience" of Auth must be ${names}, got 5.`],
  [{ audience: [""] }, `The option "audience" of Auth must be ${names}, got [""].`],
  [
    { clockTolerance: -1 },
    'The option "clockTolerance" of Auth must be a number of seconds of at least 0, got -1.',
  ],
  [
    { clockTolerance: Number.NaN },
    'The option "clockTolerance" of Auth must be a number of seconds of at least 0, got NaN.',
  ],
  [
    { clockTolerance: "5" },
    'The option "clockTolerance" of Auth must be a number of seconds of at least 0, got "5".',
  ],
  [{ expiresIn: "soon" }, time],
  [{ revocations: {} }, `The option "revocations" of Auth must be ${store}, got {}.`],
  [{ revocations: null }, `The option "revocations" of Auth must be ${store}, got null.`],
  [{ revocations: 5 }, `The option "revocations" of Auth must be ${store}, got 5.`],
  [
    { revocations: { get() {} } },
    `The option "revocations" of Auth must be ${store}, got { get }.`,
  ],
  [
    { revocations: { set() {} } },
    `The option "revocations" of Auth must be ${store}, got { set }.`,
  ],
])("an invalid option is rejected with a message, case %#", (options, message) => {
  const create = (): Auth => new Auth({ secret, ...options } as unknown as AuthOptions);
  expect(failureOf(create)).toMatchObject({ code: "ERR_AUTH_BAD_OPTION", message });
});

test("an option of a token too", async () => {
  const auth = new Auth({ secret });
  const generate = (options: object): Promise<unknown> => auth.generateToken({ id: 7 }, options);
  await expect(generate({ expiresIn: "soon" })).rejects.toMatchObject({
    code: "ERR_AUTH_BAD_OPTION",
    message: time,
  });
  await expect(generate({ expires: "1h" })).rejects.toMatchObject({
    code: "ERR_AUTH_BAD_OPTION",
    message: expect.stringMatching(/^generateToken\(\): unknown option "expires"\./),
  });
});

test("an option of issueTokens is rejected with its name", async () => {
  const auth = new Auth({ secret, refreshTokens: { store: new MemoryTokenStore() } });
  await expect(auth.issueTokens({ id: 7 }, { expiresIn: "1h" } as object)).rejects.toMatchObject({
    code: "ERR_AUTH_BAD_OPTION",
    message: expect.stringMatching(/^issueTokens\(\): unknown option "expiresIn"\./),
  });
});

test.each([
  ["storeTimeoutMs", "0"],
  ["maxTokenBytes", "0"],
])("%s must be a positive integer", (option, given) => {
  expect(failureOf(() => new Auth({ secret, [option]: 0 }))).toMatchObject({
    code: "ERR_AUTH_BAD_OPTION",
    message: `The option "${option}" of Auth must be a positive integer, got ${given}.`,
  });
});

test("the time of revokeId is rejected with its name", async () => {
  const auth = new Auth({ secret, revocations: new MemoryTokenStore() });
  await expect(auth.revokeId("1", "soon")).rejects.toMatchObject({
    code: "ERR_AUTH_BAD_OPTION",
    message: time,
  });
});

test.each([
  ["hashPassword()", () => hashPassword("a password", { rounds: 5 } as object)],
  ["verifyPassword()", () => verifyPassword("a password", null, { rounds: 5 } as object)],
  ["needsRehash()", async () => needsRehash("a hash", { rounds: 5 } as object)],
])("an option of %s is rejected with its name", async (name, call) => {
  const message = expect.stringContaining(`${name}: unknown option "rounds".`);
  await expect(call()).rejects.toMatchObject({ code: "ERR_AUTH_BAD_OPTION", message });
});

test.each([
  ["sign", "generateToken()"],
  ["issue", "generateToken()"],
  ["verify", "verifyToken()"],
])("the method %s of other libraries names ours", (name, replacement) => {
  const auth = new Auth({ secret }) as unknown as Record<string, () => void>;
  expect(failureOf(() => auth[name]?.())).toMatchObject({
    code: "ERR_AUTH_UNKNOWN_METHOD",
    message: `Auth has no method "${name}". Use ${replacement}.`,
  });
});

describe("a weak secret is reported", () => {
  test.each(["generateToken", "verifyToken"] as const)("by the first %s", async (method) => {
    const logger = createRecordingLogger();
    const auth = new Auth({ secret: "short", logger });
    expect(logger.lines).toEqual([]);
    await auth[method](method === "verifyToken" ? ("x" as never) : ({ id: 7 } as never));
    expect(logger.lines).toMatchObject([
      { level: "warn", message: expect.stringMatching(/^The secret of Auth has 5 bytes; HS256/) },
    ]);
  });
});

describe("what is revoked", () => {
  function createRevoker() {
    const revoked: unknown[] = [];
    const revocations = {
      get: () => undefined,
      set: (key: string) => void revoked.push(key),
    };
    return { auth: new Auth({ secret, revocations }), revoked };
  }

  test.each(["", "a", "a.b", "a.b.c", "a.b.", "b6c4ff0e-7a51-4c0c-9d52-1a2f7c1e9d10", "refresh_x"])(
    "must be a valid token, or nothing is stored: %j",
    async (token) => {
      const { auth, revoked } = createRevoker();
      expect(await auth.revoke(token)).toBe(false);
      expect(revoked).toEqual([]);
    },
  );

  test("may be an id with revokeId", async () => {
    const { auth, revoked } = createRevoker();
    await auth.revokeId("some-id");
    expect(revoked).toEqual(["auth.revoked.some-id"]);
  });

  test("requires a store, named in the message", async () => {
    const auth = new Auth({ secret });
    for (const call of [() => auth.revoke("a"), () => auth.revokeId("a")]) {
      await expect(call()).rejects.toMatchObject({
        code: "ERR_AUTH_NO_REVOCATIONS",
        message:
          "This Auth has no store of revoked tokens. " +
          "Add one: new Auth({ …, revocations: new MemoryTokenStore() }).",
      });
    }
    await expect(auth.refresh("a")).rejects.toMatchObject({
      code: "ERR_AUTH_NO_REFRESH_TOKENS",
      message:
        "This Auth has no store of refresh tokens. " +
        "Add one: new Auth({ …, refreshTokens: { store: new MemoryTokenStore() } }).",
    });
  });
});

test.each([undefined, null, {}, { id: "" }, { id: Number.NaN }, { id: null }, "7", { id: {} }])(
  "%j has no valid id for a token",
  async (user) => {
    await expect(new Auth({ secret }).generateToken(user as never)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_USER",
      message:
        "The user of a token must have an id, a non-empty string or a number, " +
        `got ${kindOf(Object(user).id)}. Pass one: generateToken({ id: 7, name: "Ada" }).`,
    });
  },
);

test("a user that is not JSON is rejected with the cause", async () => {
  const user: { id: number; self?: unknown } = { id: 7 };
  user.self = user;
  await expect(new Auth({ secret }).generateToken(user)).rejects.toMatchObject({
    code: "ERR_AUTH_BAD_USER",
    message: "The user cannot be written as JSON. Give generateToken an object of plain values.",
    cause: expect.any(TypeError),
  });
});

test("a token of the maximum length is created", async () => {
  const auth = new Auth({ secret });
  const lengths: number[] = [];
  for (let pad = 5_900; pad < 6_200; pad += 1) {
    const user = { id: 7, pad: "x".repeat(pad) };
    const length = await auth.generateToken(user).then(
      (token) => token.length,
      () => undefined,
    );
    if (length === undefined) break;
    lengths.push(length);
  }
  expect(lengths.at(-1)).toBe(8_192);
});
