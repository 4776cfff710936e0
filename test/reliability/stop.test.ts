/*
 * The short form of `npm run proof -- stop`: one graceful stop, on Node.
 */
import { expect, test } from "vitest";
import { stopOnce } from "../../proof/stop/stop-once.ts";

test("whoever is being answered when a server stops gets a whole answer", async () => {
  const result = await stopOnce("node", { inFlight: 100, idle: 100, streaming: 25 });
  expect(result.faults).toEqual([]);
  expect([result.whole, result.exitCode]).toEqual([125, 0]);
});
