// Measures how long PasswordHasher takes to verify a password for users whose hashes have different costs,
// and for a name that does not exist. The users take turns, so that other processes slow all of them down
// alike. Fails if a median differs from that of the unknown name by more than the limit.
import { hashPassword, PasswordHasher, type PasswordHashOptions } from "espalier";
import { readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";

interface Case {
  readonly name: string;
  readonly current: PasswordHashOptions;
  readonly previous: readonly PasswordHashOptions[];
}

const cases: readonly Case[] = [
  {
    name: "PBKDF2, 600,000 iterations after 210,000 and 1,000",
    current: { algorithm: "pbkdf2" },
    previous: [{ iterations: 210_000 }, { iterations: 1000 }],
  },
  {
    name: "scrypt, five lanes after one",
    current: { algorithm: "scrypt" },
    previous: [{ algorithm: "scrypt", parallelization: 1 }],
  },
  {
    name: "scrypt after PBKDF2",
    current: { algorithm: "scrypt" },
    previous: [
      { iterations: 210_000, digest: "SHA-512" },
      { iterations: 1000, digest: "SHA-512" },
    ],
  },
];

await runProof("password-timing", { rounds: "string" }, async (proof, options) => {
  const rounds = readCount("--rounds", options.rounds, proof.isQuick ? 5 : 31);
  // Few rounds have rough medians. Without equal work, times differ by a factor of two and more.
  const limit = proof.isQuick ? 0.35 : 0.1;
  for (const { name, current, previous } of cases) {
    const hasher = new PasswordHasher({ ...current, previous });
    const users = new Map<string, string | undefined>([["unknown name", undefined]]);
    for (const cost of [current, ...previous]) {
      users.set(JSON.stringify(cost), await hashPassword("right", cost));
    }
    users.set("unreadable hash", "unreadable");
    const medians = await measure(hasher, users, rounds);
    const unknownMs = medians.get("unknown name") ?? Number.NaN;
    for (const [user, medianMs] of medians) {
      const difference = Math.abs(medianMs / unknownMs - 1);
      proof.add({
        case: `${name}: ${user}`,
        runtime: "node",
        tried: rounds,
        value: Math.round(medianMs * 10) / 10,
        unit: "ms",
        more: { differencePercent: Math.round(difference * 1000) / 10 },
        faults: difference <= limit ? [] : [`differs from an unknown name by ${difference}`],
      });
    }
  }
});

/** Returns the median time of a verification of each user, in milliseconds. */
async function measure(
  hasher: PasswordHasher,
  users: ReadonlyMap<string, string | undefined>,
  rounds: number,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number[]>([...users.keys()].map((user) => [user, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [user, hash] of users) {
      const startedAt = performance.now();
      await hasher.verify(round % 2 === 0 ? "right" : "wrong", hash);
      times.get(user)?.push(performance.now() - startedAt);
    }
  }
  return new Map([...times].map(([user, list]) => [user, medianOf(list)]));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
