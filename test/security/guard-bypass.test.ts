import { expect, test } from "vitest";
import { Random } from "../support/random.ts";
import { createGuardedApplication, guardedPaths } from "./guarded.ts";
import { randomSpelling } from "./spelling.ts";
import { describeTargets, type HostileAnswer, type SendHostile } from "./targets.ts";

/**
 * Number of spellings, each requested with every method. Fewer over sockets, unless
 * `GUARD_BYPASS_SPELLINGS` sets the number: 100000 for the long run.
 */
const spellings = { "in process": 100_000, "on Node": 5_000, "in workerd": 5_000 } as const;
const wanted = Number(process.env["GUARD_BYPASS_SPELLINGS"] ?? 0);

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"] as const;

const timeLimitMs = wanted > 0 ? 3_600_000 : 300_000;

/** Statistics of the responses, to verify that guarded routes were reached. */
interface Tally {
  readonly violations: string[];
  /** By required guards and the intended path. */
  readonly reached: Set<string>;
  handled: number;
  refused: number;
  open: number;
}

interface Ask {
  readonly meant: string;
  readonly path: string;
  readonly method: string;
  readonly isSignedIn: boolean;
}

function count(tally: Tally, ask: Ask, { status, headers }: HostileAnswer): void {
  const needs = headers.get("x-needs");
  if (status === 401) tally.refused += 1;
  if (headers.has("x-open")) tally.open += 1;
  if (needs !== null) {
    tally.handled += 1;
    tally.reached.add(ask.meant);
    if (!ask.isSignedIn || needs !== headers.get("x-passed")) {
      tally.violations.push(`${ask.method} ${ask.path} passed ${headers.get("x-passed")}`);
    }
  }
  if (status >= 500 && status !== 501)
    tally.violations.push(`${ask.method} ${ask.path}: ${status}`);
}

/** Requests a spelling with every method, half of them without credentials. */
async function askAll(send: SendHostile, random: Random, tally: Tally): Promise<void> {
  const meant = random.pick(guardedPaths);
  const path = randomSpelling(random, encodeURI(meant));
  const isSignedIn = random.chance(0.5);
  const headers: Record<string, string> = isSignedIn ? { authorization: "Bearer 1" } : {};
  await Promise.all(
    methods.map(async (method) => {
      const answer = await send({ method, path, headers });
      count(tally, { meant, path, method, isSignedIn }, answer);
    }),
  );
}

describeTargets(
  "guards",
  (send, name) => {
    const rounds = wanted > 0 ? wanted : spellings[name];

    test(
      `of ${rounds} spellings with 8 methods no handler runs where its guards did not`,
      async () => {
        const random = new Random(0x6a2d);
        const tally = {
          violations: [],
          reached: new Set<string>(),
          handled: 0,
          refused: 0,
          open: 0,
        };
        for (let round = 0; round < rounds; round++) await askAll(send, random, tally);
        expect(tally.violations).toEqual([]);
        expect([...tally.reached].toSorted()).toEqual([...guardedPaths].toSorted());
        // At least a twentieth of the requests reached a guarded handler, and a guard that rejected.
        for (const answers of [tally.handled, tally.refused, tally.open]) {
          expect(answers).toBeGreaterThan((rounds * methods.length) / 20);
        }
      },
      timeLimitMs,
    );
  },
  { create: createGuardedApplication, worker: "test/security/guarded-worker.ts" },
);
