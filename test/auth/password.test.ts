import { pbkdf2Sync } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { hashPassword, needsRehash, verifyPassword } from "../../src/auth/password.ts";

/** Little work, so that tests are quick. */
const iterations = 1000;

afterEach(() => vi.restoreAllMocks());

describe("hashPassword and verifyPassword", () => {
  test("a hash holds its parameters, and its password verifies", async () => {
    const hash = await hashPassword("correct horse", { iterations });
    expect(hash).toMatch(/^\$pbkdf2-sha512\$i=1000\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await verifyPassword("correct horse", hash)).toBe(true);
    for (const other of ["correct horse ", "Correct horse", "correct", "", "correct horse\0"]) {
      expect(await verifyPassword(other, hash)).toBe(false);
    }
  });

  test("by default it is 100,000 rounds of SHA-512", async () => {
    const hash = await hashPassword("correct horse");
    expect(hash).toMatch(/^\$pbkdf2-sha512\$i=100000\$/);
    expect(await verifyPassword("correct horse", hash)).toBe(true);
  });

  test("each hash has a salt of its own", async () => {
    const hashes = await Promise.all(
      Array.from({ length: 20 }, () => hashPassword("same", { iterations: 1 })),
    );
    expect(new Set(hashes.map((hash) => hash.split("$")[3])).size).toBe(20);
  });

  test("SHA-256 verifies too", async () => {
    const hash = await hashPassword("x", { digest: "SHA-256", iterations });
    expect(hash).toMatch(/^\$pbkdf2-sha256\$i=1000\$/);
    expect(await verifyPassword("x", hash)).toBe(true);
  });

  test("a hash of another implementation verifies", async () => {
    // RFC 7914 section 11 has salts shorter than ours may be, so Node's own PBKDF2 makes this one.
    const salt = Buffer.from("0123456789abcdef");
    const derived = pbkdf2Sync("password", salt, 4096, 32, "sha256");
    const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
    const hash = `$pbkdf2-sha256$i=4096$${base64(salt)}$${base64(derived)}`;
    expect(await verifyPassword("password", hash)).toBe(true);
    expect(await verifyPassword("Password", hash)).toBe(false);
  });

  test("characters in other Unicode forms are the same password", async () => {
    const hash = await hashPassword("caf\u00e9 \ufb01n", { iterations });
    expect(await verifyPassword("cafe\u0301 fin", hash)).toBe(true);
  });

  test.each(["", "x\0", "\0", "x".repeat(1025), undefined, null, 1])(
    "%j is no password",
    async (password) => {
      const given = password as string;
      await expect(hashPassword(given)).rejects.toMatchObject({ code: "ERR_AUTH_BAD_PASSWORD" });
      expect(await verifyPassword(given, await hashPassword("x", { iterations: 1 }))).toBe(false);
    },
  );

  test.each([0, -1, 1.5, Number.NaN, 1_000_001, Number.POSITIVE_INFINITY])(
    "%j iterations are refused",
    async (count) => {
      await expect(hashPassword("x", { iterations: count })).rejects.toMatchObject({
        code: "ERR_AUTH_BAD_OPTION",
      });
    },
  );

  test("no hash, because there is no such user, costs the same work and is false", async () => {
    const derive = vi.spyOn(crypto.subtle, "deriveBits");
    for (const hash of [undefined, null, "", "nonsense"]) {
      expect(await verifyPassword("x", hash)).toBe(false);
    }
    expect(derive.mock.calls.map(([parameters]) => parameters)).toEqual(
      Array.from({ length: 4 }, () =>
        expect.objectContaining({ iterations: 100_000, hash: "SHA-512" }),
      ),
    );
  });

  test("a platform that does fewer iterations is told from a wrong password", async () => {
    vi.spyOn(crypto.subtle, "deriveBits").mockRejectedValue(new DOMException("too many"));
    const hash = `$pbkdf2-sha512$i=600000$${"A".repeat(22)}$${"A".repeat(43)}`;
    await expect(verifyPassword("x", hash)).rejects.toMatchObject({
      code: "ERR_AUTH_HASH_UNSUPPORTED",
      message: expect.stringContaining("600000"),
    });
  });
});

describe("hostile hashes", async () => {
  const good = await hashPassword("x", { iterations: 1 });
  const [, , , salt = "", derived = ""] = good.split("$");

  test.each([
    `$pbkdf2-sha512$i=1000001$${salt}$${derived}`,
    `$pbkdf2-sha512$i=4294967295$${salt}$${derived}`,
    `$pbkdf2-sha512$i=1e9$${salt}$${derived}`,
    `$pbkdf2-sha512$i=0$${salt}$${derived}`,
    `$pbkdf2-sha512$i=-1$${salt}$${derived}`,
    `$pbkdf2-sha512$i=01$${salt}$${derived}`,
    `$pbkdf2-sha1$i=1$${salt}$${derived}`,
    `$pbkdf2-sha512$i=1$$${derived}`,
    `$pbkdf2-sha512$i=1$${salt}$`,
    `$pbkdf2-sha512$i=1$${salt}$${derived.slice(0, 4)}`,
    `$pbkdf2-sha512$i=1$${salt}$${derived.repeat(3)}`,
    `$pbkdf2-sha512$i=1$${salt}$${derived}\n`,
    ` ${good}`,
    `${good}$`,
    good.toUpperCase(),
    "$2b$12$abcdefghijklmnopqrstuv",
    "x",
  ])("%j verifies nothing within one ordinary time", async (hash) => {
    const iterationsOf = vi.spyOn(crypto.subtle, "deriveBits");
    expect(await verifyPassword("x", hash)).toBe(false);
    const [parameters] = iterationsOf.mock.calls[0] ?? [];
    expect((parameters as { iterations: number }).iterations).toBeLessThanOrEqual(100_000);
    expect(needsRehash(hash)).toBe(true);
  });
});

describe("needsRehash", () => {
  test("less work, or another digest, is to be done anew; more is not", async () => {
    const hash = await hashPassword("x", { iterations: 50_000 });
    expect(needsRehash(hash)).toBe(true);
    expect(needsRehash(hash, { iterations: 50_000 })).toBe(false);
    expect(needsRehash(hash, { iterations: 10_000 })).toBe(false);
    expect(needsRehash(hash, { iterations: 10_000, digest: "SHA-256" })).toBe(true);
    expect(needsRehash("")).toBe(true);
  });
});
