import { describe, expect, test } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { MemoryTokenStore } from "../../src/auth/memory-token-store.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { claimsIn, noonMs, secret } from "./support/tokens.ts";

const user = { id: 7, name: "Ada" };

function createAuth(options: AuthOptions = {}): { auth: Auth; advance: (ms: number) => void } {
  let nowMs = noonMs;
  const now = () => nowMs;
  const revocations = new MemoryTokenStore({ now });
  return {
    auth: new Auth({ secret, now, revocations, ...options }),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

describe("revoke", () => {
  test("invalidates one token and keeps the user's others", async () => {
    const { auth } = createAuth();
    const [one, two] = [await auth.generateToken(user), await auth.generateToken(user)];
    expect(claimsIn(one)["jti"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(await auth.revoke(one)).toBe(true);
    expect(await auth.verifyToken(one)).toBeNull();
    expect(await auth.verifyToken(two)).toEqual(user);
    const headers = new Headers({ authorization: `Bearer ${one}` });
    expect((await auth.authenticate({ headers })).reason).toBe("revoked");
  });

  test("stores an id of any characters under a key that every store accepts", async () => {
    const store = new Map<string, string>();
    const { auth } = createAuth({ revocations: store });
    for (const id of ["a/b%", "a\0", "a\ud800"]) await auth.revokeId(id);
    expect([...store.keys()]).toEqual([
      "auth.revoked.a/b%",
      "auth.revoked.a\ufffd0000",
      "auth.revoked.a\ufffdd800",
    ]);
  });

  test("stores a token until it would have expired, including clock tolerance", async () => {
    const kept: unknown[] = [];
    const store = new Map<string, string>();
    const revocations = {
      get: (key: string) => store.get(key),
      set: (key: string, value: string, ttlMs?: number) => {
        kept.push([key, ttlMs]);
        store.set(key, value);
      },
    };
    const { auth, advance } = createAuth({ revocations, clockTolerance: 10 });
    const token = await auth.generateToken(user);
    advance(600_000);
    await auth.revoke(token);
    expect(kept).toEqual([[`auth.revoked.${claimsIn(token)["jti"]}`, 3_010_000]]);
    advance(3_009_000);
    expect(await auth.verifyToken(token)).toBeNull();
  });

  test("works by id too, for ever or until the token expires", async () => {
    const { auth, advance } = createAuth();
    const [one, two] = [
      await auth.generateToken(user, { expiresIn: "1w" }),
      await auth.generateToken(user, { expiresIn: "1w" }),
    ];
    await auth.revokeId(String(claimsIn(one)["jti"]));
    await auth.revokeId(String(claimsIn(two)["jti"]), "1d");
    advance(86_400_000 - 1);
    expect([await auth.verifyToken(one), await auth.verifyToken(two)]).toEqual([null, null]);
    advance(1);
    expect([await auth.verifyToken(one), await auth.verifyToken(two)]).toEqual([null, user]);
  });

  test("stores nothing for an invalid or foreign token", async () => {
    const store = new Map<string, string>();
    const { auth } = createAuth({ revocations: store });
    const foreign = await createAuth({ secret: "x".repeat(32) }).auth.generateToken(user);
    const expired = await auth.generateToken(user, { expiresIn: -1 });
    const plain = await new Auth({ secret, now: () => noonMs }).generateToken(user);
    for (const token of [foreign, expired, plain, "a.b.c"]) {
      expect(await auth.revoke(token)).toBe(false);
    }
    expect(store.size).toBe(0);
    expect(await auth.verifyToken(plain)).toEqual(user);
  });

  test("with an unreadable store no one is authenticated", async () => {
    const fail = () => Promise.reject(new Error("no connection"));
    const logger = createRecordingLogger();
    const { auth } = createAuth({ revocations: { get: fail, set: fail }, logger });
    const token = await auth.generateToken(user);
    for (const call of [() => auth.verifyToken(token), () => auth.revoke(token)]) {
      await expect(call()).rejects.toMatchObject({ status: 503, code: "ERR_STORE_FAILED" });
    }
  });

  test("without a store it is an error with a fix", async () => {
    const auth = new Auth({ secret });
    const token = await auth.generateToken(user);
    expect(claimsIn(token)).not.toHaveProperty("jti");
    await expect(auth.revoke(token)).rejects.toMatchObject({ code: "ERR_AUTH_NO_REVOCATIONS" });
    for (const revocations of [null, {}, { get: () => 0 }]) {
      expect(() => new Auth({ secret, revocations: revocations as never })).toThrow(
        /must be a store with the methods get and set/,
      );
    }
  });
});
