// Stops servers under load: 200 requests in flight, 200 idle connections and 50 streams. Every response
// must be complete, no new connection may be served, and the process must end by itself.
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { type StopResult, stopOnce } from "./stop-once.ts";

const load = { inFlight: 200, idle: 200, streaming: 50 };

await runProof("stop", { runs: "string", runtime: "string" }, async (proof, options) => {
  const runs = readCount("--runs", options.runs, proof.isQuick ? 2 : 20);
  for (const runtime of readChoices("--runtime", options.runtime, ["node", "deno", "bun"])) {
    const results: StopResult[] = [];
    for (let run = 0; run < runs; run += 1) results.push(await stopOnce(runtime, load));
    const slowest = (read: (result: StopResult) => number): number =>
      Math.round(Math.max(...results.map(read)));
    proof.add({
      case: "stop under load",
      runtime,
      tried: runs,
      unit: "stops",
      more: {
        responsesComplete: results.reduce((sum, { whole }) => sum + whole, 0),
        responsesExpected: runs * (load.inFlight + load.streaming),
        lastResponseMs: slowest(({ answeredAfterMs }) => answeredAfterMs),
        lastExitMs: slowest(({ endedAfterMs }) => endedAfterMs),
        longestAfterLastResponseMs: slowest(
          ({ answeredAfterMs, endedAfterMs }) => endedAfterMs - answeredAfterMs,
        ),
      },
      faults: [...new Set(results.flatMap(({ faults }) => faults))],
    });
  }
});
