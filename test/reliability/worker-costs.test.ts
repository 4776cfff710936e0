/*
 * The short form of `npm run proof -- worker-costs`: fewer starts and requests. Time on a processor is read from
 * Linux.
 */
import { describe, expect, test } from "vitest";
import { measureEvaluation } from "../../proof/worker-costs/measure-evaluation.ts";
import { measureRequestCpu } from "../../proof/worker-costs/measure-request-cpu.ts";

describe.runIf(process.platform === "linux")("what a Worker with 1,000 routes costs", () => {
  test.each(["2024-01-01", "2026-11-01"])(
    "its modules are evaluated in 50 ms under the date %s",
    async (date) => {
      const { processorMs } = await measureEvaluation(date, 3);
      expect(processorMs[0]).toBeGreaterThan(0);
      expect(processorMs[0]).toBeLessThan(50);
    },
    60_000,
  );

  test("a request takes less than a millisecond in 95 of 100", async () => {
    const { p50, quietestP95 } = await measureRequestCpu(1_000);
    expect(p50).toBeGreaterThan(0);
    expect(quietestP95).toBeLessThan(1);
  }, 60_000);
});
