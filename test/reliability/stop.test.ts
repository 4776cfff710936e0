import { expect, test } from "vitest";
import { stopUnderLoad } from "../../proof/stop/stop-under-load.ts";

test("every response in progress is completed when a server stops", async () => {
  const result = await stopUnderLoad("node", { inFlight: 100, idle: 100, streaming: 25 });
  expect(result.faults).toEqual([]);
  expect([result.whole, result.exitCode]).toEqual([125, 0]);
});
