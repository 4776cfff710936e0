/*
 * The short form of `npm run proof -- body-limit`: fewer framings.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBodyLimitTarget } from "../../proof/body-limit/body-limit-target.ts";
import { proveBodyLimit } from "../../proof/body-limit/prove-body-limit.ts";
import { provePulledBytes } from "../../proof/body-limit/prove-pulled-bytes.ts";
import type { Target } from "../../proof/hostile/target.ts";

const seed = 20261128;

test("at most the limit and one chunk are read of an endless stream", async () => {
  const finding = await provePulledBytes("in process");
  expect(Object.fromEntries(finding.faults)).toEqual({});
  expect(finding.tried).toBe(72);
});

describe.each(["node", "workerd"] as const)("the limit of bodies on %s", (runtime) => {
  let target: Target;
  beforeAll(async () => {
    target = await startBodyLimitTarget(runtime);
  });
  afterAll(() => target.stop());

  test("holds in every listed framing", async () => {
    const finding = await proveBodyLimit(target, { cases: 95, seed });
    expect(Object.fromEntries(finding.faults)).toEqual({});
    expect(finding.tried).toBe(95);
    expect(finding.counts.get("handler runs")).toBeGreaterThan(10);
  }, 60_000);

  test.runIf(runtime === "workerd")("holds for streams in the isolate", async () => {
    const finding = await provePulledBytes(target);
    expect(Object.fromEntries(finding.faults)).toEqual({});
    expect(finding.tried).toBe(24);
  });
});
