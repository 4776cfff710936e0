// Stops servers that are full of work, and looks whether everybody gets a whole answer: 200 requests in
// flight, 200 idle connections and 50 streams; 20 times on Node, on Deno and on Bun. Exit code 1 for any
// answer that is cut, any new connection that is served, and any process that does not end by itself.
//
//   node proof/stop.mjs [--runs N] [--runtime node,deno,bun] [--json FILE]
//
// The package must have been built.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { stopOnce } from "./stop/stop-once.ts";

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    runtime: { type: "string", default: "node,deno,bun" },
    json: { type: "string" },
  },
});
const runs = Number(options.runs);
const load = { inFlight: 200, idle: 200, streaming: 50 };
const rows = [];
for (const runtime of options.runtime.split(",")) {
  const results = [];
  for (let run = 0; run < runs; run += 1) results.push(await stopOnce(runtime, load));
  const faults = results.flatMap((result) => result.faults);
  const slowest = (member) => Math.round(Math.max(...results.map((result) => result[member])));
  const row = {
    runtime,
    runs,
    wholeRuns: results.filter((result) => result.faults.length === 0).length,
    answersWhole: results.reduce((sum, { whole }) => sum + whole, 0),
    answersExpected: runs * (load.inFlight + load.streaming),
    lastAnswerMs: slowest("answeredAfterMs"),
    lastExitMs: slowest("endedAfterMs"),
    // How long a process stays when everybody has been answered.
    longestAfterLastAnswerMs: Math.round(
      Math.max(...results.map((result) => result.endedAfterMs - result.answeredAfterMs)),
    ),
  };
  rows.push(row);
  console.log(JSON.stringify(row));
  for (const fault of new Set(faults)) console.log(`  FAULT ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ rows }, null, 2)}\n`);
