/*
 * A short form of `npm run proof -- queue-kill`. The kills run at once, because Deno KV redelivers after a minute.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Driver, driverNames } from "../../proof/queue-kill/drivers.ts";
import { countExtraRuns } from "../../proof/queue-kill/extra-runs.ts";
import { killOnce } from "../../proof/queue-kill/kill-once.ts";
import { bundleServer } from "../../proof/queue-kill/killed-server.ts";

let folder: string;
const bundleOf = (driver: Driver): string => join(folder, `${driver}.js`);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "espalier-queue-kill-test-"));
  await Promise.all(driverNames.map((driver) => bundleServer(driver, bundleOf(driver))));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.concurrent.each([
  ["kv", 700],
  ["kv", 1_500],
  ["durable-object", 500],
  ["deno-kv", 400],
] as const)(
  "on %s, a kill after %i ms loses no job",
  async (driver, killAfterMs) => {
    const result = await killOnce(driver, bundleOf(driver), killAfterMs);
    expect(result.accepted).toBeGreaterThan(0);
    expect(result).toMatchObject({ lost: 0, pending: 0, unexplained: 0 });
    // Deno KV delivers up to 100 jobs at once; those that wait for a handler are leased, too.
    expect(result.inFlight).toBeLessThanOrEqual(driver === "deno-kv" ? 100 : 20);
    expect(result.cutOff).toBeLessThanOrEqual(result.inFlight);
    expect(result.done + result.dead).toBeGreaterThanOrEqual(result.accepted);
  },
  200_000,
);

test("extra runs are classified", () => {
  const runs = ["job-1/0/a", "job-1/50/b", "job-2/0/c", "job-2/3900/d", "job-3/0/e", "job-3/9/f"];
  expect(countExtraRuns(runs, new Set(["job-1"]))).toEqual({
    cutOff: 1,
    leaseRanOut: 1,
    unexplained: 1,
  });
});
