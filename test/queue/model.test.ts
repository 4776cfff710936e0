import { describe, expect, it } from "vitest";
import { backoffDelayMs } from "../../src/queue/backoff.ts";
import { expectJobsAsModelled } from "./support/job-model.ts";
import { seededRandom } from "./support/seeded-random.ts";

// `semantics.test.ts` does so with many more.
it("500 jobs behave as in the model", () => expectJobsAsModelled(500, 7));

describe("the backoff", () => {
  it("is within 20 % of its nominal length, evenly distributed, and below its limit", () => {
    const random = seededRandom(3);
    const backoff = { type: "exponential", delayMs: 1000, maxDelayMs: 60_000 } as const;
    for (let attempt = 1; attempt <= 12; attempt++) {
      const nominal = Math.min(1000 * 2 ** (attempt - 1), 60_000);
      const delays = Array.from({ length: 2000 }, () => backoffDelayMs(backoff, attempt, random));
      const least = Math.min(...delays);
      const most = Math.max(...delays);
      expect(least).toBeGreaterThanOrEqual(nominal * 0.8);
      expect(least).toBeLessThan(nominal * 0.82);
      expect(most).toBeLessThanOrEqual(Math.min(nominal * 1.2, 60_000));
      expect(most).toBeGreaterThan(Math.min(nominal * 1.18, 59_999));
    }
  });

  it("is one second and doubling by default, and constant when fixed", () => {
    const middle = () => 0.5;
    expect([1, 2, 3, 4].map((attempt) => backoffDelayMs({}, attempt, middle))).toEqual([
      1000, 2000, 4000, 8000,
    ]);
    expect(backoffDelayMs({}, 500, middle)).toBe(3_600_000);
    const fixed = { type: "fixed", delayMs: 70 } as const;
    expect([1, 9].map((attempt) => backoffDelayMs(fixed, attempt, middle))).toEqual([70, 70]);
    expect(backoffDelayMs({ delayMs: 0 }, 3, middle)).toBe(0);
  });
});
