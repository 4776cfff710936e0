import { describe, expect, test } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { MemoryTokenStore } from "../../src/auth/memory-token-store.ts";
import type { RefreshTokenOptions } from "../../src/auth/refresh/refresh-options.ts";
import type { TokenPair } from "../../src/auth/refresh/refresh-tokens.ts";
import type { TokenStore } from "../../src/auth/token-store.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { claimsIn, noonMs, secret } from "./support/tokens.ts";

const user = { id: 7, name: "Ada" };
const day = 86_400_000;

interface Setup {
  readonly auth: Auth;
  readonly lines: readonly unknown[];
  readonly entries: Map<string, string>;
  advance(ms: number): void;
  issue(): Promise<TokenPair>;
  refresh(token: string): Promise<TokenPair>;
}

/** A store with only `get` and `set`, like a cache. */
function plainStore(entries: Map<string, string>): TokenStore {
  return {
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
  };
}

function setUp(refresh: Partial<RefreshTokenOptions> = {}, options: AuthOptions = {}): Setup {
  let nowMs = noonMs;
  const now = () => nowMs;
  const entries = new Map<string, string>();
  const logger = createRecordingLogger();
  const refreshTokens = { store: plainStore(entries), ...refresh };
  const auth = new Auth({ secret, now, logger, expiresIn: "15m", refreshTokens, ...options });
  return {
    auth,
    lines: logger.lines,
    entries,
    advance: (ms) => {
      nowMs += ms;
    },
    issue: () => auth.issueTokens(user, { claims: { scope: "read" } }),
    refresh: async (token) => {
      const pair = await auth.refresh(token);
      if (pair === null) throw new Error("The refresh token was refused.");
      return pair;
    },
  };
}

describe("issueTokens", () => {
  test("returns an access token of the user, and a refresh token that is not a JWT", async () => {
    const { auth, issue } = setUp();
    const { accessToken, refreshToken, ...lifetimes } = await issue();
    expect(claimsIn(accessToken)).toEqual({
      sub: "7",
      user,
      scope: "read",
      sid: expect.stringMatching(/^[\w-]{43}$/),
      iat: noonMs / 1000,
      exp: noonMs / 1000 + 900,
    });
    expect(await auth.verifyToken(accessToken)).toEqual(user);
    expect(refreshToken).toMatch(/^refresh_[\w-]{22}\.[\w-]{43}$/);
    expect(await auth.verifyToken(refreshToken)).toBeNull();
    expect(lifetimes).toEqual({ expiresInSeconds: 900, refreshExpiresInSeconds: 30 * 86_400 });
  });

  test("stores nothing usable as a token", async () => {
    const { entries, issue, refresh } = setUp();
    const first = await issue();
    const second = await refresh(first.refreshToken);
    const stored = JSON.stringify([...entries]);
    for (const { refreshToken } of [first, second]) {
      const [familyId = "", tokenSecret = ""] = refreshToken.slice("refresh_".length).split(".");
      expect(stored).not.toContain(familyId);
      expect(stored).not.toContain(tokenSecret);
    }
  });

  test("issues separate tokens for every sign-in", async () => {
    const { issue } = setUp();
    const pairs = await Promise.all(Array.from({ length: 20 }, issue));
    expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).toBe(20);
    expect(new Set(pairs.map(({ accessToken }) => claimsIn(accessToken)["sid"])).size).toBe(20);
  });

  test("rejects a user without an id, and unknown options", async () => {
    const { auth } = setUp();
    await expect(auth.issueTokens({ name: "Ada" } as never)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_USER",
    });
    await expect(auth.issueTokens(user, { expiresIn: "1h" } as never)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_OPTION",
    });
  });

  test("requires the option refreshTokens, as refresh does", async () => {
    const auth = new Auth({ secret });
    for (const call of [() => auth.issueTokens(user), () => auth.refresh("x")]) {
      await expect(call()).rejects.toMatchObject({ code: "ERR_AUTH_NO_REFRESH_TOKENS" });
    }
  });
});

describe("refresh", () => {
  test("returns new tokens with the same claims", async () => {
    const { issue, refresh, advance } = setUp();
    const first = await issue();
    advance(600_000);
    const second = await refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(claimsIn(second.accessToken)).toEqual({
      ...claimsIn(first.accessToken),
      iat: noonMs / 1000 + 600,
      exp: noonMs / 1000 + 1500,
    });
  });

  test.each([
    "",
    "x",
    "refresh_",
    "a.b.c",
    `refresh_${"A".repeat(22)}.${"A".repeat(43)}`,
    undefined,
    null,
    7,
    {},
  ])("returns null for %j", async (token) => {
    const { auth, lines } = setUp();
    expect(await auth.refresh(token as string)).toBeNull();
    expect(lines).toEqual([]);
  });

  test("returns null for an access token", async () => {
    const { auth, issue } = setUp();
    expect(await auth.refresh((await issue()).accessToken)).toBeNull();
  });

  test("ends at the absolute lifetime, however often it was used", async () => {
    const { auth, issue, refresh, advance } = setUp({ expiresIn: "10d", idleExpiresIn: "7d" });
    let { refreshToken } = await issue();
    advance(5 * day);
    ({ refreshToken } = await refresh(refreshToken));
    advance(5 * day - 60_000);
    const last = await refresh(refreshToken);
    expect(last).toMatchObject({ expiresInSeconds: 60, refreshExpiresInSeconds: 60 });
    expect(claimsIn(last.accessToken)["exp"]).toBe((noonMs + 10 * day) / 1000);
    advance(60_000);
    expect(await auth.refresh(last.refreshToken)).toBeNull();
    expect(await auth.verifyToken(last.accessToken)).toBeNull();
  });

  test("expires after the idle lifetime", async () => {
    const { auth, issue, refresh, advance } = setUp({ idleExpiresIn: "2d" });
    let { refreshToken } = await issue();
    advance(2 * day - 1);
    ({ refreshToken } = await refresh(refreshToken));
    advance(2 * day);
    expect(await auth.refresh(refreshToken)).toBeNull();
  });

  test("passes the token's time to live to the store", async () => {
    const ttls: unknown[] = [];
    const entries = new Map<string, string>();
    const store: TokenStore = {
      get: (key) => entries.get(key),
      set: (key, value, ttlMs) => {
        ttls.push(ttlMs);
        entries.set(key, value);
      },
    };
    const { issue, refresh, advance } = setUp({ store, expiresIn: "10d", idleExpiresIn: "7d" });
    const { refreshToken } = await issue();
    advance(6 * day);
    await refresh(refreshToken);
    expect(ttls).toEqual([7 * day, 4 * day]);
  });

  test("calls resolveUser, and ends the sign-in of a removed user", async () => {
    const users = new Map([["7", user]]);
    const { auth, issue, refresh } = setUp(
      {},
      { resolveUser: ({ sub }) => users.get(sub ?? "") ?? null },
    );
    const { refreshToken } = await refresh((await issue()).refreshToken);
    users.clear();
    expect(await auth.refresh(refreshToken)).toBeNull();
    users.set("7", user);
    expect(await auth.refresh(refreshToken)).toBeNull();
  });

  test("keeps the token if resolveUser fails", async () => {
    let isDown = true;
    const resolveUser = () => {
      if (isDown) throw new Error("no database");
      return user;
    };
    const { auth, issue, refresh } = setUp({}, { resolveUser });
    const { refreshToken } = await issue();
    await expect(auth.refresh(refreshToken)).rejects.toThrow("no database");
    isDown = false;
    expect(await refresh(refreshToken)).toMatchObject({ expiresInSeconds: 900 });
  });

  test("an unreadable record is not a sign-in", async () => {
    const { auth, entries, issue } = setUp();
    const { refreshToken } = await issue();
    const [key = ""] = entries.keys();
    for (const text of ["", "null", "[]", "{}", '{"current":"x"}', "not JSON"]) {
      entries.set(key, text);
      expect(await auth.refresh(refreshToken)).toBeNull();
    }
  });
});

describe("reuse", () => {
  test("of a refresh token revokes its sign-in, and is logged with the user's id", async () => {
    const { auth, lines, issue, refresh, advance } = setUp();
    const other = await issue();
    const first = await issue();
    const second = await refresh(first.refreshToken);
    advance(1000);
    expect(await auth.refresh(first.refreshToken)).toBeNull();
    expect(lines).toEqual([
      {
        level: "warn",
        message: "A refresh token was used a second time. Its sign-in was revoked.",
        userId: "7",
      },
    ]);
    expect(await auth.refresh(second.refreshToken)).toBeNull();
    expect(await auth.refresh(other.refreshToken)).not.toBeNull();
  });

  test("of a refresh token revokes the access tokens too, with revocations", async () => {
    const { auth, issue, refresh } = setUp({}, { revocations: new Map() });
    const first = await issue();
    const second = await refresh(first.refreshToken);
    expect(await auth.verifyToken(second.accessToken)).toEqual(user);
    await auth.refresh(first.refreshToken);
    for (const { accessToken } of [first, second]) {
      expect(await auth.verifyToken(accessToken)).toBeNull();
    }
  });

  test("with another secret in the same family counts as well", async () => {
    const { auth, issue } = setUp();
    const { refreshToken } = await issue();
    expect(await auth.refresh(`${refreshToken.slice(0, -43)}${"A".repeat(43)}`)).toBeNull();
    expect(await auth.refresh(refreshToken)).toBeNull();
  });

  test("within the grace period returns the same token again", async () => {
    const { auth, issue, refresh, advance } = setUp({ reuseGraceMs: 10_000 });
    const first = await issue();
    const tabs = await Promise.all([1, 2, 3].map(() => refresh(first.refreshToken)));
    expect(new Set(tabs.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    advance(9999);
    const { refreshToken } = await refresh(first.refreshToken);
    expect(refreshToken).toBe(tabs[0]?.refreshToken);
    await refresh(refreshToken);
    // The first one is no longer the previous token.
    expect(await auth.refresh(first.refreshToken)).toBeNull();
  });

  test("after the grace period revokes", async () => {
    const { auth, issue, refresh, advance } = setUp({ reuseGraceMs: 10_000 });
    const first = await issue();
    const { refreshToken } = await refresh(first.refreshToken);
    advance(10_000);
    expect(await auth.refresh(first.refreshToken)).toBeNull();
    expect(await auth.refresh(refreshToken)).toBeNull();
  });
});

describe("simultaneous refreshes", () => {
  test("have one winner if the store can compare and set", async () => {
    const { auth, issue } = setUp({ store: new MemoryTokenStore({ now: () => noonMs }) });
    const { refreshToken } = await issue();
    const results = await Promise.all(Array.from({ length: 5 }, () => auth.refresh(refreshToken)));
    const winners = results.filter((pair) => pair !== null);
    expect(winners).toHaveLength(1);
    // The others were reuse.
    expect(await auth.refresh(winners[0]?.refreshToken ?? "")).toBeNull();
  });

  test("that both succeed without it end with the next use of the old token", async () => {
    const { auth, issue } = setUp();
    const { refreshToken } = await issue();
    const [one, two] = await Promise.all([auth.refresh(refreshToken), auth.refresh(refreshToken)]);
    const next = one ?? two;
    expect(next).not.toBeNull();
    expect(await auth.refresh(refreshToken)).toBeNull();
    expect(await auth.refresh(next?.refreshToken ?? "")).toBeNull();
  });

  test("that never succeed result in a 503", async () => {
    const entries = new Map<string, string>();
    const store = { ...plainStore(entries), compareAndSet: () => false };
    const { auth, issue } = setUp({ store });
    const { refreshToken } = await issue();
    await expect(auth.refresh(refreshToken)).rejects.toMatchObject({ status: 503 });
  });

  test("do not undo a concurrent revocation", async () => {
    const entries = new Map<string, string>();
    const plain = plainStore(entries);
    let whileWriting: (() => Promise<unknown>) | undefined;
    const store: TokenStore = {
      get: plain.get,
      async set(key, value) {
        const work = whileWriting;
        whileWriting = undefined;
        await work?.();
        await plain.set(key, value);
      },
    };
    const { auth, issue, refresh } = setUp({ store });
    const { refreshToken } = await issue();
    whileWriting = () => auth.revoke(refreshToken);
    const { refreshToken: next } = await refresh(refreshToken);
    expect(await auth.refresh(next)).toBeNull();
  });
});

describe("revoke", () => {
  test("of a refresh token ends only its sign-in", async () => {
    const { auth, issue } = setUp({}, { revocations: new Map() });
    const [one, two] = [await issue(), await issue()];
    expect(await auth.revoke(one.refreshToken)).toBe(true);
    expect(await auth.revoke(one.refreshToken)).toBe(false);
    expect(await auth.refresh(one.refreshToken)).toBeNull();
    expect(await auth.verifyToken(one.accessToken)).toBeNull();
    expect(await auth.verifyToken(two.accessToken)).toEqual(user);
    expect(await auth.refresh(two.refreshToken)).not.toBeNull();
  });

  test("of an access token ends its sign-in too", async () => {
    const { auth, issue, refresh } = setUp({}, { revocations: new Map() });
    const first = await issue();
    const second = await refresh(first.refreshToken);
    expect(await auth.revoke(second.accessToken)).toBe(true);
    expect(await auth.verifyToken(first.accessToken)).toBeNull();
    expect(await auth.refresh(second.refreshToken)).toBeNull();
  });

  test("without revocations stops refreshes, and access tokens expire by themselves", async () => {
    const { auth, issue } = setUp();
    const { accessToken, refreshToken } = await issue();
    expect(await auth.revoke(accessToken)).toBe(true);
    expect(await auth.refresh(refreshToken)).toBeNull();
    expect(await auth.verifyToken(accessToken)).toEqual(user);
    expect(await auth.revoke(await auth.generateToken(user))).toBe(false);
  });

  test("of a sid ends that sign-in", async () => {
    const { auth, issue } = setUp({}, { revocations: new Map() });
    const { accessToken, refreshToken } = await issue();
    await auth.revokeId(String(claimsIn(accessToken)["sid"]));
    expect(await auth.verifyToken(accessToken)).toBeNull();
    expect(await auth.refresh(refreshToken)).toBeNull();
  });
});

describe("options", () => {
  test.each([
    [{ store: {} }, /^The option "refreshTokens\.store" of Auth must be a store/],
    [
      { expiresIn: 0 },
      /^The option "refreshTokens\.expiresIn" of Auth must be a duration above 0, got 0\./,
    ],
    [
      { idleExpiresIn: "-1d" },
      /"refreshTokens\.idleExpiresIn" of Auth must be a duration above 0, got "-1d"/,
    ],
    [{ expiresIn: "soon" }, /refreshTokens\.expiresIn/],
    [
      { reuseGraceMs: -1 },
      /"refreshTokens\.reuseGraceMs" of Auth must be a number from 0 to 60000/,
    ],
    [{ reuseGraceMs: 60_001 }, /got 60001/],
    [{ grace: 5 }, /refreshTokens of Auth: unknown option "grace"/],
  ])("%j is refused", (options, message) => {
    expect(() => setUp(options as never)).toThrow(message);
  });
});
