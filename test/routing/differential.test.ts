import { describe, expect, it } from "vitest";
import { createMatcher } from "../../src/routing/create-matcher.ts";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import { findDifference } from "../support/matcher-difference.ts";

describe("compiled and reference matcher", () => {
  it("return the same results for 200,000 random pairs of a route set and a path", () => {
    expect(createMatcher({ ignoreTrailingSlash: true }).engine).toBe("wasm");
    const report = findDifference(createMatcher, createReferenceMatcher, {
      pairs: 200_000,
      seed: 20_260_101,
    });
    expect(report.difference).toBeUndefined();
    expect(report.pairs).toBeGreaterThanOrEqual(200_000);

    // The pairs are meaningful only if they include every kind of result.
    for (const [status, least] of [
      [200, 40_000],
      [400, 500],
      [404, 20_000],
      [405, 5_000],
    ] as const) {
      expect({ status, count: report.statuses[status] }).toEqual({
        status,
        count: expect.toSatisfy((count: number) => count >= least),
      });
    }
    expect(report.refusedPatterns).toBeGreaterThan(500);
  }, 120_000);
});
