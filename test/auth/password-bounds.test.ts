import { afterEach, describe, expect, test, vi } from "vitest";
import { hashPassword, needsRehash, verifyPassword } from "../../src/auth/password.ts";
import { parsePasswordHash } from "../../src/auth/passwords/hash-text.ts";

afterEach(() => void vi.restoreAllMocks());

const quick = { iterations: 1 };

describe("a password", () => {
  test("has at most 1,024 characters", async () => {
    const longest = "x".repeat(1_024);
    const hash = await hashPassword(longest, quick);
    expect(await verifyPassword(longest, hash)).toBe(true);
    expect(await verifyPassword(`${longest}x`, hash)).toBe(false);
    await expect(hashPassword(`${longest}x`, quick)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_PASSWORD",
    });
  });

  test.each([undefined, null, 5, {}, ["x"]])("must be a string, not %j", async (password) => {
    await expect(hashPassword(password as never, quick)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_PASSWORD",
      message:
        "A password must be a string of 1 to 1024 characters. Check it with a validation rule.",
    });
    const hash = await hashPassword("x", quick);
    expect(await verifyPassword(password as never, hash)).toBe(false);
  });
});

describe("the cost of a hash", () => {
  const salt = "A".repeat(22);
  const derived = "A".repeat(43);
  const withIterations = (count: number | string): string =>
    `$pbkdf2-sha256$i=${count}$${salt}$${derived}`;

  test("is at most a million iterations", () => {
    expect(parsePasswordHash(withIterations(1_000_000))?.cost).toMatchObject({
      iterations: 1_000_000,
    });
    expect(parsePasswordHash(withIterations(1_000_001))).toBeUndefined();
    expect(parsePasswordHash(withIterations("0"))).toBeUndefined();
    expect(parsePasswordHash(withIterations("01"))).toBeUndefined();
    expect(parsePasswordHash(withIterations("10000000"))).toBeUndefined();
    expect(needsRehash(withIterations(1), { iterations: 1_000_000 })).toBe(true);
    expect(needsRehash(withIterations(1_000_000), { iterations: 1_000_000 })).toBe(false);
    expect(needsRehash(withIterations(999_999), { iterations: 1_000_000 })).toBe(true);
    const sha512 = { iterations: 1_000_000, digest: "SHA-512" } as const;
    expect(needsRehash(withIterations(1_000_000), sha512)).toBe(true);
  });

  test.each([
    { iterations: 0 },
    { iterations: -1 },
    { iterations: 1.5 },
    { iterations: 1_000_001 },
    { iterations: "1" },
    { digest: "SHA-1" },
    { digest: "" },
    { iterations: 5, digest: "SHA-384" },
  ])("is not %j", async (options) => {
    const { iterations = 600_000, digest = "SHA-256" } = options as {
      iterations?: unknown;
      digest?: unknown;
    };
    const cost = JSON.stringify({ algorithm: "pbkdf2", digest, iterations });
    const expected = {
      code: "ERR_AUTH_BAD_OPTION",
      message: expect.stringContaining(`a password hash cannot be made with ${cost}. Use pbkdf2`),
    };
    await expect(hashPassword("x", options as never)).rejects.toMatchObject(expected);
    expect(() => needsRehash(withIterations(1), options as never)).toThrow(
      expect.objectContaining(expected),
    );
  });

  test("that the platform rejects is an error with a fix", async () => {
    const cause = new Error("iteration counts above 100000 are not supported");
    vi.spyOn(crypto.subtle, "deriveBits").mockRejectedValue(cause);
    const error = {
      code: "ERR_AUTH_HASH_UNSUPPORTED",
      message:
        "The platform refuses 200000 iterations of PBKDF2; Cloudflare Workers allow 100000. " +
        "Hash with fewer, or verify this password on another platform.",
      cause,
    };
    await expect(hashPassword("x", { iterations: 200_000 })).rejects.toMatchObject(error);
    await expect(verifyPassword("x", withIterations(200_000))).rejects.toMatchObject(error);
  });
});
