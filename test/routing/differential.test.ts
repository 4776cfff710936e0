import { describe, expect, it } from "vitest";
import { DeferredMatcher } from "../../src/routing/deferred-matcher.ts";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import { findDifference } from "../support/matcher-difference.ts";
import { generatePlainRouteSet } from "../support/plain-route-generator.ts";
import { Random } from "../support/random.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

describe("compiled and reference matcher", () => {
  it("return the same results for 200,000 random pairs of a route set and a path", () => {
    const report = findDifference(wasmMatcher, createReferenceMatcher, {
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
    expect(report.refusedPatterns).toBeGreaterThan(333);
  }, 120_000);
});

describe("deferred and reference matcher", () => {
  it("return the same results for 20,000 random pairs of plain routes and a path", () => {
    let started = 0;
    const report = findDifference(
      (options) =>
        new DeferredMatcher(() => {
          started += 1;
          return wasmMatcher(options);
        }),
      createReferenceMatcher,
      // The first question for allowed methods starts the module, so each set has one request.
      { pairs: 20_000, seed: 20_260_101, requestsPerSet: 1, generate: generatePlainRouteSet },
    );
    expect(report.difference).toBeUndefined();
    expect(report.pairs).toBe(20_000);
    expect(started).toBe(20_000);
    expect(report.statuses[200]).toBeGreaterThan(12_000);
    expect(report.statuses[404]).toBeGreaterThan(1_000);
    expect(report.statuses[405]).toBeGreaterThan(100);
    expect(report.refusedPatterns).toBeGreaterThan(1_000);
  }, 120_000);

  it("answer a third of these requests before the module has started", () => {
    const random = new Random(1);
    let beforeStart = 0;
    for (let i = 0; i < 1_000; i++) {
      const set = generatePlainRouteSet(random);
      let hasStarted = false;
      const matcher = new DeferredMatcher(() => {
        hasStarted = true;
        return wasmMatcher(set);
      });
      for (const route of set.routes) {
        try {
          matcher.insert(...route);
        } catch {
          // The pattern exists already.
        }
      }
      matcher.find(...set.request());
      if (!hasStarted) beforeStart += 1;
    }
    expect(beforeStart).toBeGreaterThan(333);
  });
});
