import { describe, expect, test } from "vitest";
import { Random } from "../support/random.ts";
import { runInterleaving, type Scenario } from "./support/interleaved-sessions.ts";

const scenarios: readonly (readonly [string, Scenario])[] = [
  ["a store with compareAndSet, three processes", { atomic: true, processes: 3 }],
  ["a store without it, one process", { atomic: false, processes: 1 }],
  ["a store without it, three processes", { atomic: false, processes: 3 }],
];

const runs = 1_500;

describe.each(scenarios)("concurrent requests of one session in %s", (_name, scenario) => {
  test(`keep its rules in ${runs} random interleavings`, { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= runs; seed += 1) {
      const violations = await runInterleaving(new Random(seed), scenario);
      expect(violations, `seed ${seed}`).toEqual([]);
    }
  });
});
