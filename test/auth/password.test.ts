import { pbkdf2Sync, scryptSync } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { hashPassword, needsRehash, verifyPassword } from "../../src/auth/password.ts";
import { PasswordHasher } from "../../src/auth/passwords/password-hasher.ts";

/** Low cost, so that tests are fast. */
const iterations = 1000;

afterEach(() => vi.restoreAllMocks());

describe("hashPassword and verifyPassword", () => {
  test("a hash contains its parameters, and its password verifies", async () => {
    const hash = await hashPassword("correct horse", { iterations });
    expect(hash).toMatch(/^\$pbkdf2-sha256\$i=1000\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await verifyPassword("correct horse", hash)).toBe(true);
    for (const other of ["correct horse ", "Correct horse", "correct", "", "correct horse\0"]) {
      expect(await verifyPassword(other, hash)).toBe(false);
    }
  });

  test("a hash of scrypt verifies", async () => {
    // RFC 7914 section 12, the third vector.
    const derived = Buffer.from(
      "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2",
      "hex",
    );
    const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
    const hash = `$scrypt$ln=14,r=8,p=1$${base64(Buffer.from("SodiumChloride"))}$${base64(derived)}`;
    expect(await verifyPassword("pleaseletmein", hash)).toBe(true);
    expect(await verifyPassword("pleaseletmeout", hash)).toBe(false);
  });

  test("a hash of scrypt verifies with its cost as n=", async () => {
    const salt = Buffer.from("0123456789abcdef");
    const derived = scryptSync("password", salt, 64, { N: 16_384, r: 8, p: 1 });
    const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
    const hashOf = (cost: string): string =>
      `$scrypt$${cost},r=8,p=1$${base64(salt)}$${base64(derived)}`;
    expect(await verifyPassword("password", hashOf("n=16384"))).toBe(true);
    expect(await verifyPassword("Password", hashOf("n=16384"))).toBe(false);
    expect(needsRehash(hashOf("n=16384"), { algorithm: "scrypt", parallelization: 1 })).toBe(false);
    vi.spyOn(console, "warn").mockImplementation(() => {});
    for (const cost of ["n=16383", "n=14", "ln=16384", "n=1073741824", "n=1", "N=16384"]) {
      expect(await verifyPassword("password", hashOf(cost), { iterations: 1 })).toBe(false);
    }
  });

  test("a hash that cannot be read logs one warning per format, without the hash", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const hasher = new PasswordHasher({ iterations: 1 });
    const bcrypt = "$2y$12$4Umg0rCJwMswRw/l.SwHvuQV01coP0eWmGzd61QH2RvAOMANUBGC.";
    for (const hash of [bcrypt, bcrypt, null, undefined, ""]) {
      expect(await hasher.verify("secret", hash)).toBe(false);
    }
    expect(await verifyPassword("secret", null, { iterations: 1 })).toBe(false);
    expect(warn.mock.calls.map(String)).toEqual([
      expect.stringContaining('A stored password hash that begins with \\"$2y$\\" cannot be read'),
    ]);
    expect(warn.mock.calls.map(String).join()).not.toContain("4Umg0rCJ");
    for (const hash of ["plain password", "$plain$password", "{SSHA}abc"]) {
      expect(await hasher.verify("secret", hash)).toBe(false);
    }
    expect(warn).toHaveBeenCalledTimes(2);
    expect(String(warn.mock.calls[1])).toContain("A stored password hash of an unknown format");
    expect(String(warn.mock.calls[1])).not.toMatch(/plain|SSHA/);
    // An invalid hash of a supported format.
    await hasher.verify("secret", "$scrypt$ln=99,r=8,p=1$c2FsdHNhbHQ$aGFzaA");
    expect(warn).toHaveBeenCalledTimes(3);
    // Without an object that knows what it has logged.
    expect(await verifyPassword("secret", bcrypt, { iterations: 1 })).toBe(false);
    expect(warn).toHaveBeenCalledTimes(4);
  });

  test("each hash has its own salt", async () => {
    const hashes = await Promise.all(
      Array.from({ length: 20 }, () => hashPassword("same", { iterations: 1 })),
    );
    expect(new Set(hashes.map((hash) => hash.split("$")[3])).size).toBe(20);
  });

  test("SHA-512 verifies too", async () => {
    const hash = await hashPassword("x", { digest: "SHA-512", iterations });
    expect(hash).toMatch(/^\$pbkdf2-sha512\$i=1000\$/);
    expect(await verifyPassword("x", hash)).toBe(true);
  });

  test("a hash of another implementation verifies", async () => {
    // Created with Node's PBKDF2, because RFC 7914, section 11, has salts below the minimum length.
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
    "%j is not a password",
    async (password) => {
      const given = password as string;
      await expect(hashPassword(given)).rejects.toMatchObject({ code: "ERR_AUTH_BAD_PASSWORD" });
      expect(await verifyPassword(given, await hashPassword("x", { iterations: 1 }))).toBe(false);
    },
  );

  test.each([0, -1, 1.5, Number.NaN, 1_000_001, Number.POSITIVE_INFINITY])(
    "%j iterations are rejected",
    async (count) => {
      await expect(hashPassword("x", { iterations: count })).rejects.toMatchObject({
        code: "ERR_AUTH_BAD_OPTION",
      });
    },
  );

  test("iterations that the platform rejects are an error, not a wrong password", async () => {
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
    `$scrypt$ln=0,r=8,p=1$${salt}$${derived}`,
    `$scrypt$ln=31,r=8,p=1$${salt}$${derived}`,
    `$scrypt$ln=99,r=8,p=1$${salt}$${derived}`,
    `$scrypt$ln=18,r=16,p=1$${salt}$${derived}`,
    `$scrypt$ln=14,r=8,p=33$${salt}$${derived}`,
    `$scrypt$ln=14,r=8$${salt}$${derived}`,
    `$argon2id$v=19$m=262145,t=1,p=1$${salt}$${derived}`,
    `$argon2id$v=19$m=262144,t=9,p=1$${salt}$${derived}`,
    `$argon2id$v=19$m=64,t=1,p=9$${salt}$${derived}`,
    `$argon2i$v=19$m=64,t=1,p=1$${salt}$${derived}`,
  ])("%j verifies no password, without hashing", async (hash) => {
    const derive = vi.spyOn(crypto.subtle, "deriveBits");
    expect(await verifyPassword("x", hash, { iterations: 7 })).toBe(false);
    expect(derive.mock.calls).toMatchObject([[{ iterations: 7 }, {}, 256]]);
    expect(needsRehash(hash)).toBe(true);
  });
});

describe("needsRehash", () => {
  test("a cheaper hash, or one with another digest, is outdated; a costlier one is not", async () => {
    const hash = await hashPassword("x", { iterations: 50_000 });
    expect(needsRehash(hash)).toBe(true);
    expect(needsRehash(hash, { algorithm: "pbkdf2" })).toBe(true);
    expect(needsRehash(hash, { iterations: 50_000 })).toBe(false);
    expect(needsRehash(hash, { iterations: 10_000 })).toBe(false);
    expect(needsRehash(hash, { iterations: 10_000, digest: "SHA-512" })).toBe(true);
    expect(needsRehash("")).toBe(true);
  });
});
