// Asks the compiled matcher and the reference matcher the same random questions until they differ.
//
//   node scripts/proof-differential.mjs [--pairs N] [--seed S] [--quick] [--json FILE]
//
// A pair is a set of routes and a request. Exit code 1, the seed and a minimal program when they
// differ.
import { readFileSync, writeFileSync } from "node:fs";
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
    quick: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const wanted = Number(values.pairs ?? (values.quick ? 100_000 : 2_000_000));
const firstSeed = Number(values.seed);
if (!Number.isSafeInteger(wanted) || wanted < 1 || !Number.isSafeInteger(firstSeed)) {
  throw new Error("--pairs and --seed take whole numbers.");
}

const wasmFile = new URL("../router-wasm/pkg/router.wasm", import.meta.url);
const module = new WebAssembly.Module(readFileSync(wasmFile));
const createCompiled = (options) => createWasmMatcher(module, options);

const totals = { pairs: 0, routeSets: 0, refusedPatterns: 0, differences: 0 };
const statuses = {};
const start = performance.now();
for (let seed = firstSeed; totals.pairs < wanted; seed++) {
  const pairs = Math.min(PAIRS_PER_SEED, wanted - totals.pairs);
  const report = findDifference(createCompiled, createReferenceMatcher, { pairs, seed });
  totals.pairs += report.pairs;
  totals.routeSets += report.routeSets;
  totals.refusedPatterns += report.refusedPatterns;
  for (const [status, count] of Object.entries(report.statuses)) {
    statuses[status] = (statuses[status] ?? 0) + count;
  }
  if (report.difference !== undefined) {
    totals.differences += 1;
    console.error(`The matchers differ ("one" is the compiled one).\n${report.difference}`);
    process.exitCode = 1;
    break;
  }
}
const seconds = Number(((performance.now() - start) / 1_000).toFixed(1));

console.log(
  `${totals.pairs} pairs of a route set and a request in ${seconds} s, ` +
    `${totals.routeSets} route sets, ${totals.refusedPatterns} refused patterns, ` +
    `answers by status ${JSON.stringify(statuses)}: ${totals.differences} differences.`,
);

if (values.json !== undefined) {
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
    rows: [
      row("pairs compared", totals.pairs, "pairs"),
      row("differences", totals.differences, "pairs"),
      row("route sets", totals.routeSets, "sets"),
      row("refused patterns", totals.refusedPatterns, "patterns"),
      ...Object.entries(statuses).map(([status, count]) =>
        row(`answers ${status}`, count, "pairs"),
      ),
      row("duration", seconds, "s"),
    ],
  };
  writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
}
