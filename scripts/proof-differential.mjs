// Asks the compiled matcher and the reference matcher the same random questions until they differ.
//
//   node scripts/proof-differential.mjs [--pairs N] [--seed S] [--requests N] [--quick]
//                                       [--json FILE [--resume]]
//
// A pair is a set of routes and a request; each set is asked `--requests` times. Exit code 1, the
// seed and a minimal program when they differ. The file is written after every seed, which is
// 50,000 pairs; `--resume` goes on behind the last seed in it.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { createWasmMatcher } from "../src/routing/matcher.ts";
import { createReferenceMatcher } from "../src/routing/reference-matcher.ts";
import { findDifference } from "../test/support/matcher-difference.ts";

const PAIRS_PER_SEED = 50_000;

const { values } = parseArgs({
  options: {
    pairs: { type: "string" },
    seed: { type: "string", default: "1" },
    requests: { type: "string", default: "25" },
    quick: { type: "boolean", default: false },
    json: { type: "string" },
    resume: { type: "boolean", default: false },
  },
});
const wanted = Number(values.pairs ?? (values.quick ? 100_000 : 2_000_000));
const firstSeed = Number(values.seed);
const requestsPerSet = Number(values.requests);
for (const number of [wanted, firstSeed, requestsPerSet]) {
  if (Number.isSafeInteger(number) && number > 0) continue;
  throw new Error("--pairs, --seed and --requests take whole numbers above 0.");
}

const wasmFile = new URL("../router-wasm/pkg/router.wasm", import.meta.url);
const module = new WebAssembly.Module(readFileSync(wasmFile));
const createCompiled = (options) => createWasmMatcher(module, options);

const counted = ["pairs", "distinctPairs", "routeSets", "refusedPatterns"];
let totals = {
  nextSeed: firstSeed,
  pairs: 0,
  distinctPairs: 0,
  routeSets: 0,
  refusedPatterns: 0,
  differences: 0,
  cpuSeconds: 0,
  statuses: {},
};
if (values.resume && existsSync(values.json ?? "")) {
  totals = JSON.parse(readFileSync(values.json, "utf8")).totals;
}

let cpuSpent = cpuSeconds();
while (totals.pairs < wanted && totals.differences === 0) {
  const seed = totals.nextSeed;
  const pairs = Math.min(PAIRS_PER_SEED, wanted - totals.pairs);
  const search = { pairs, seed, requestsPerSet };
  const report = findDifference(createCompiled, createReferenceMatcher, search);
  for (const name of counted) totals[name] += report[name];
  for (const [status, count] of Object.entries(report.statuses)) {
    totals.statuses[status] = (totals.statuses[status] ?? 0) + count;
  }
  if (report.difference !== undefined) {
    totals.differences += 1;
    console.error(`The matchers differ ("one" is the compiled one).\n${report.difference}`);
  }
  totals.nextSeed = seed + 1;
  totals.cpuSeconds += cpuSeconds() - cpuSpent;
  cpuSpent = cpuSeconds();
  writeResult();
}
if (totals.differences > 0) process.exitCode = 1;

console.log(
  `${totals.pairs} pairs of a route set and a request (${totals.distinctPairs} distinct) in ` +
    `${totals.cpuSeconds.toFixed(1)} s of processor time, ${totals.routeSets} route sets, ` +
    `${totals.refusedPatterns} refused patterns, answers by status ` +
    `${JSON.stringify(totals.statuses)}: ${totals.differences} differences.`,
);

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

function writeResult() {
  if (values.json === undefined) return;
  const row = (name, value, unit) => ({
    case: name,
    runtime: `node ${process.versions.node}`,
    subject: "compiled matcher against reference matcher",
    value,
    unit,
    ratio: null,
  });
  const result = {
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem() },
    versions: { node: process.versions.node, v8: process.versions.v8 },
    // What `--resume` goes on from.
    totals,
    rows: [
      row("pairs compared", totals.pairs, "pairs"),
      row("distinct pairs", totals.distinctPairs, "pairs"),
      row("differences", totals.differences, "pairs"),
      row("route sets", totals.routeSets, "sets"),
      row("refused patterns", totals.refusedPatterns, "patterns"),
      ...Object.entries(totals.statuses).map(([status, count]) =>
        row(`answers ${status}`, count, "pairs"),
      ),
      row("processor time", Number(totals.cpuSeconds.toFixed(1)), "s"),
    ],
  };
  // A stop in the middle of writing leaves the file of the seed before.
  writeFileSync(`${values.json}.part`, `${JSON.stringify(result, null, 2)}\n`);
  renameSync(`${values.json}.part`, values.json);
}
