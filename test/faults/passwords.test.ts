import { PasswordHasher, type PasswordHashOptions } from "espalier";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hashPassword, needsRehash, verifyPassword } from "../../src/auth/password.ts";
import { findNodeCrypto } from "../../src/platform/node-crypto.ts";

/** Work that was done, by kind: PBKDF2 iterations, scrypt N·r·p, Argon2id memory times passes. */
type Work = Record<string, number>;

let work: Work = {};

const nodeCrypto = findNodeCrypto();
const hasArgon2 = nodeCrypto?.argon2 !== undefined;

beforeEach(() => {
  work = {};
  const count = (kind: string, amount: number): void => {
    work[kind] = (work[kind] ?? 0) + amount;
  };
  const deriveBits = crypto.subtle.deriveBits.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, "deriveBits").mockImplementation((parameters, ...rest) => {
    const { hash, iterations } = parameters as { hash: string; iterations: number };
    count(hash, iterations);
    return deriveBits(parameters, ...rest);
  });
  if (nodeCrypto?.scrypt === undefined) return;
  const scrypt = nodeCrypto.scrypt.bind(nodeCrypto);
  vi.spyOn(nodeCrypto, "scrypt").mockImplementation((password, salt, length, cost, callback) => {
    count("scrypt", cost.N * cost.r * cost.p);
    scrypt(password, salt, length, cost, callback);
  });
  if (nodeCrypto.argon2 === undefined) return;
  const argon2 = nodeCrypto.argon2.bind(nodeCrypto);
  vi.spyOn(nodeCrypto, "argon2").mockImplementation((algorithm, parameters, callback) => {
    count("argon2id", parameters.memory * parameters.passes);
    argon2(algorithm, parameters, callback);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function workOf(verification: () => Promise<boolean>): Promise<Work> {
  work = {};
  await verification();
  return work;
}

const cheapScrypt = { algorithm: "scrypt", cost: 256, blockSize: 8, parallelization: 5 } as const;
const costs: readonly (readonly [string, PasswordHashOptions, readonly PasswordHashOptions[]])[] = [
  ["PBKDF2 with fewer iterations before", { iterations: 6000 }, [{ iterations: 2100 }]],
  ["PBKDF2 with more iterations before", { iterations: 2100 }, [{ iterations: 6000 }]],
  ["another digest before", { iterations: 3000 }, [{ iterations: 2000, digest: "SHA-512" }]],
  ["scrypt with less memory before", cheapScrypt, [{ ...cheapScrypt, cost: 64 }]],
  [
    "scrypt with more memory and less work before",
    cheapScrypt,
    [{ ...cheapScrypt, cost: 512, parallelization: 1 }],
  ],
  ["PBKDF2 before scrypt", cheapScrypt, [{ iterations: 2000 }, { iterations: 1000 }]],
  ...(hasArgon2
    ? ([
        [
          "scrypt before Argon2id",
          { algorithm: "argon2id", memoryKib: 64, passes: 3 },
          [cheapScrypt, { algorithm: "argon2id", memoryKib: 32, passes: 1 }],
        ],
      ] as const)
    : []),
];

describe.each(costs)("the work of a verification: %s", (_name, current, previous) => {
  test("is the same for every user, an unknown name, and a hash that cannot be read", async () => {
    const hasher = new PasswordHasher({ ...current, previous: [...previous] });
    const hashes = [
      await hasher.hash("right"),
      ...(await Promise.all(previous.map((cost) => hashPassword("right", cost)))),
    ];
    const unknown = await workOf(() => hasher.verify("right", undefined));
    expect(Object.keys(unknown).length).toBeGreaterThan(0);
    for (const hash of [...hashes, null, "", "nonsense", "$scrypt$ln=99,r=8,p=1$a$b"]) {
      for (const password of ["right", "wrong"]) {
        expect(await workOf(() => hasher.verify(password, hash))).toEqual(unknown);
      }
    }
    for (const hash of hashes) {
      expect(await hasher.verify("right", hash)).toBe(true);
      expect(await hasher.verify("wrong", hash)).toBe(false);
    }
  });
});

test("a costlier hash that was not expected raises the work of all later verifications", async () => {
  const hasher = new PasswordHasher({ iterations: 1000 });
  const hash = await hashPassword("right", { iterations: 7000 });
  expect(await hasher.verify("right", hash)).toBe(true);
  expect(await workOf(() => hasher.verify("right", undefined))).toEqual({ "SHA-256": 7000 });
});

test("verifyPassword takes the work of its options for an unknown name and a cheap hash", async () => {
  const options = { iterations: 5000 };
  const cheap = await hashPassword("right", { iterations: 10 });
  for (const hash of [undefined, cheap]) {
    expect(await workOf(() => verifyPassword("right", hash, options))).toEqual({ "SHA-256": 5000 });
  }
});

describe("defaults", () => {
  test("on Node: scrypt with 16 MiB and five lanes", async () => {
    expect(await hashPassword("x")).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/);
  });

  test("PBKDF2: 600,000 iterations of SHA-256", async () => {
    expect(await hashPassword("x", { algorithm: "pbkdf2" })).toMatch(
      /^\$pbkdf2-sha256\$i=600000\$/,
    );
  });

  test.runIf(hasArgon2)("Argon2id: 19 MiB and two passes", async () => {
    const hash = await hashPassword("x", { algorithm: "argon2id" });
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword("x", hash)).toBe(true);
  });

  test("a platform without scrypt uses PBKDF2, and cannot verify a hash of scrypt", async () => {
    const hash = await hashPassword("x", cheapScrypt);
    vi.stubGlobal("process", undefined);
    try {
      await expect(verifyPassword("x", hash)).rejects.toMatchObject({
        code: "ERR_AUTH_HASH_UNSUPPORTED",
        message: expect.stringContaining("has no scrypt"),
      });
      expect(needsRehash(hash)).toBe(true);
      expect(await hashPassword("x")).toMatch(/^\$pbkdf2-sha256\$i=600000\$/);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe("many sign-ins at once", () => {
  test("compute four at a time, and the rest in order", async () => {
    const hasher = new PasswordHasher({ iterations: 1000 });
    let running = 0;
    let most = 0;
    const deriveBits = vi.mocked(crypto.subtle.deriveBits);
    const original = deriveBits.getMockImplementation();
    deriveBits.mockImplementation(async (...parameters) => {
      running += 1;
      most = Math.max(most, running);
      const derived = await original?.(...parameters);
      running -= 1;
      if (derived === undefined) throw new Error("The implementation is missing.");
      return derived;
    });
    const order: number[] = [];
    const ends = Array.from({ length: 40 }, async (_, index) => {
      await hasher.verify("x", undefined);
      order.push(index);
    });
    await Promise.all(ends);
    expect([most, running, order.length]).toEqual([4, 0, 40]);
    expect(await hasher.verify("x", undefined)).toBe(false);
  });

  test("are refused with 503 when too many wait, and admitted afterwards", async () => {
    const hasher = new PasswordHasher({ iterations: 1000, concurrency: 1, maxWaiting: 2 });
    const calls = await Promise.allSettled(
      Array.from({ length: 5 }, () => hasher.verify("x", undefined)),
    );
    expect(calls.map(({ status }) => status)).toEqual([
      ...Array(3).fill("fulfilled"),
      ...Array(2).fill("rejected"),
    ]);
    expect(calls.at(-1)).toMatchObject({ reason: { status: 503 } });
    expect(await hasher.verify("x", undefined)).toBe(false);
  });

  test("go on after one that failed", async () => {
    const hasher = new PasswordHasher({ iterations: 1000, concurrency: 1 });
    const calls = ["", "x", "", "y"].map((password) => hasher.hash(password));
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual([
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  });
});

describe("options", () => {
  test.each([
    [{ algorithm: "bcrypt" }, "cannot be made with"],
    [{ algorithm: "scrypt", iterations: 5 }, 'the option "iterations" does not belong to scrypt'],
    [{ cost: 5, algorithm: "scrypt" }, "cannot be made with"],
    [{ algorithm: "scrypt", cost: 2 ** 22 }, "cannot be made with"],
    [{ algorithm: "argon2id", memoryKib: 4 }, "cannot be made with"],
    [{ digest: "SHA-1" }, "cannot be made with"],
    [
      { previous: {} },
      'The option "previous" of PasswordHasher must be an array of costs, got {}.',
    ],
    [{ previous: [{ iterations: 0 }] }, "cannot be made with"],
    [{ concurrency: 0 }, 'The option "concurrency" of PasswordHasher must be a positive integer'],
    [{ itrations: 5 }, 'unknown option "itrations". Did you mean "iterations"?'],
  ])("%j is refused when the hasher is created", (options, message) => {
    expect(() => new PasswordHasher(options as never)).toThrow(
      expect.objectContaining({
        code: "ERR_AUTH_BAD_OPTION",
        message: expect.stringContaining(message),
      }),
    );
  });
});

test("a hash is outdated if it is cheaper, or of another algorithm", async () => {
  const hasher = new PasswordHasher({ iterations: 3000 });
  expect(hasher.needsRehash(await hasher.hash("x"))).toBe(false);
  for (const cost of [{ iterations: 2999 }, cheapScrypt, { iterations: 3000, digest: "SHA-512" }]) {
    expect(hasher.needsRehash(await hashPassword("x", cost as PasswordHashOptions))).toBe(true);
  }
  expect(hasher.needsRehash(await hashPassword("x", { iterations: 3001 }))).toBe(false);
  expect(hasher.needsRehash("nonsense")).toBe(true);
});
