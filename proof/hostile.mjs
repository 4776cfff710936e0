// Sends hostile input to an application with every feature on, on Node's sockets and in workerd: generated
// requests, framings, naughty strings, JSON, names of prototypes, many clients at once, secrets, clients
// that leave, and errors at every place. Exit code 1 for any fault.
//
//   node proof/hostile.mjs [--requests N] [--runtime node|workerd] [--seed S] [--only requests,json]
//                          [--quick] [--json FILE]
//
// The package must have been built. The same seed gives the same requests; by default there is one fixed
// seed, and a fresh one, which is printed, for a tenth as many requests.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { proveAborts } from "./hostile/prove-aborts.ts";
import { proveErrors } from "./hostile/prove-errors.ts";
import { proveFramings } from "./hostile/prove-framings.ts";
import { proveIsolation } from "./hostile/prove-isolation.ts";
import { proveJson } from "./hostile/prove-json.ts";
import { proveLogs } from "./hostile/prove-logs.ts";
import { provePollution } from "./hostile/prove-pollution.ts";
import { proveRequests } from "./hostile/prove-requests.ts";
import { proveStrings } from "./hostile/prove-strings.ts";
import { startTarget } from "./hostile/target.ts";

const { values: options } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    runtime: { type: "string" },
    seed: { type: "string", default: "20261128" },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const requests = options.quick ? 3_000 : Number(options.requests);
const seed = Number(options.seed);
const fresh = Math.floor(Math.random() * 2 ** 31);
const scaled = (count) => (options.quick ? Math.ceil(count / 20) : count);

/** What is proved on each runtime; `nodeOnly` needs the log, or what only Node tells. */
const parts = {
  requests: (target) => proveRequests(target, { requests, seed }),
  fresh: (target) => proveRequests(target, { requests: Math.ceil(requests / 10), seed: fresh }),
  framings: (target) => proveFramings(target, { cases: scaled(1_000), seed }),
  strings: (target) => proveStrings(target),
  json: proveJson,
  pollution: (target) => provePollution(target, { shapes: scaled(500), seed }),
  isolation: (target) => proveIsolation(target, { requests: scaled(100_000) }),
  aborts: (target) => proveAborts(target, { aborts: scaled(10_000), seed }),
};
const nodeOnly = { logs: (target) => proveLogs(target, { requests: scaled(10_000), seed }) };
const isWanted = (name) => options.only === undefined || options.only.split(",").includes(name);

const findings = [];
async function prove(name, run) {
  if (!isWanted(name)) return;
  const startedAt = Date.now();
  const finding = await run();
  const seconds = (Date.now() - startedAt) / 1_000;
  findings.push({ finding, seconds });
  console.log(`${finding}\n  ${seconds.toFixed(1)} s\n`);
}

console.log(
  `${cpus().length} cores ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}\n`,
);
await prove("errors", proveErrors);
for (const runtime of options.runtime?.split(",") ?? ["node", "workerd"]) {
  const target = await startTarget(runtime);
  try {
    for (const [name, run] of Object.entries(parts)) await prove(name, () => run(target));
    if (runtime !== "node") continue;
    for (const [name, run] of Object.entries(nodeOnly)) await prove(name, () => run(target));
  } finally {
    const hasStopped = await target.stop();
    if (!hasStopped) console.log(`${runtime} was still serving somebody 5 s after SIGTERM.\n`);
  }
}
const faults = findings.reduce((sum, { finding }) => sum + finding.faults.size, 0);
console.log(`${findings.length} proofs, ${faults} kinds of faults.`);
if (options.json !== undefined) {
  const rows = findings.map(({ finding, seconds }) => ({
    title: finding.title,
    tried: finding.tried,
    counts: Object.fromEntries(finding.counts),
    faults: Object.fromEntries(finding.faults),
    seconds,
  }));
  writeFileSync(options.json, `${JSON.stringify({ seed, fresh, rows }, null, 2)}\n`);
}
process.exitCode = faults > 0 ? 1 : 0;
