// Stops servers with SIGTERM, under load and with clients that never finish. Complete responses must be
// delivered, no new connection served, and the process must end by itself within its deadline.
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { type Proof, runProof } from "../support/run-proof.ts";
import { stopUnderLoad } from "./stop-under-load.ts";
import {
  clientsOfEachKind,
  servedKinds,
  stopTimeoutMs,
  stopWithStuckClients,
} from "./stop-with-stuck-clients.ts";

const load = { inFlight: 200, idle: 200, streaming: 50 };
type Runtime = "node" | "deno" | "bun";

await runProof("stop", { runs: "string", runtime: "string" }, async (proof, options) => {
  const runs = readCount("--runs", options.runs, proof.isQuick ? 1 : 20);
  for (const runtime of readChoices("--runtime", options.runtime, ["node", "deno", "bun"])) {
    await proveUnderLoad(proof, runtime, runs);
    await proveStuckClients(proof, runtime, runs);
  }
});

async function proveUnderLoad(proof: Proof, runtime: Runtime, runs: number): Promise<void> {
  const results = await repeat(runs, () => stopUnderLoad(runtime, load));
  proof.add({
    case: "stop under load",
    runtime,
    tried: runs,
    unit: "stops",
    more: {
      responsesComplete: sum(results.map(({ whole }) => whole)),
      responsesExpected: runs * (load.inFlight + load.streaming),
      lastResponseMs: greatest(results.map(({ answeredAfterMs }) => answeredAfterMs)),
      lastExitMs: greatest(results.map(({ endedAfterMs }) => endedAfterMs)),
      longestAfterLastResponseMs: greatest(
        results.map(({ answeredAfterMs, endedAfterMs }) => endedAfterMs - answeredAfterMs),
      ),
    },
    faults: countFaults(results),
  });
}

async function proveStuckClients(proof: Proof, runtime: Runtime, runs: number): Promise<void> {
  const results = await repeat(runs, () => stopWithStuckClients(runtime));
  proof.add({
    case: "stop with clients that never finish",
    runtime,
    tried: runs,
    unit: "stops",
    more: {
      responsesComplete: sum(results.map(({ whole }) => whole)),
      responsesExpected: runs * clientsOfEachKind * servedKinds,
      jobsEnded: sum(results.map(({ jobsEnded }) => jobsEnded)),
      deadlineMs: stopTimeoutMs,
      lastExitMs: greatest(results.map(({ endedAfterMs }) => endedAfterMs)),
    },
    faults: countFaults(results),
  });
}

async function repeat<Result>(times: number, run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < times; at += 1) results.push(await run());
  return results;
}

/** Lists each fault once, with the number of runs that had it. */
function countFaults(results: readonly { readonly faults: readonly string[] }[]): string[] {
  const all = results.flatMap(({ faults }) => faults);
  return [...new Set(all)].map(
    (fault) => `${fault} (${all.filter((one) => one === fault).length} times)`,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function greatest(numbers: readonly number[]): number {
  return Math.round(Math.max(...numbers));
}
