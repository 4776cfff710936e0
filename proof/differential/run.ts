// Compares the compiled matcher with the reference matcher on random inputs until they differ. A pair is a
// set of routes and a request; each set gets `--requests` requests. A difference is printed with its seed
// and a minimal program. The result file is written after every seed, which is 50,000 pairs; `--resume`
// continues after the last seed in it. Then compares the matcher of the first requests on plain routes.
import { existsSync, readFileSync } from "node:fs";
import { readCount } from "../../scripts/runner/usage.ts";
import { DeferredMatcher } from "../../src/routing/deferred-matcher.ts";
import { createWasmMatcher } from "../../src/routing/matcher.ts";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import { findDifference } from "../../test/support/matcher-difference.ts";
import { generatePlainRouteSet } from "../../test/support/plain-route-generator.ts";
import { type Proof, runProof } from "../support/run-proof.ts";

const pairsPerSeed = 50_000;
const counted = ["pairs", "distinctPairs", "routeSets", "refusedPatterns"] as const;

/** Totals of all seeds, from which `--resume` continues. */
interface Totals {
  nextSeed: number;
  pairs: number;
  distinctPairs: number;
  routeSets: number;
  refusedPatterns: number;
  cpuSeconds: number;
  readonly statuses: Record<string, number>;
}

const types = { pairs: "string", seed: "string", requests: "string", resume: "boolean" } as const;

await runProof("differential", types, async (proof, options) => {
  const wanted = readCount("--pairs", options.pairs, proof.isQuick ? 100_000 : 2_000_000);
  const seed = readCount("--seed", options.seed, 1);
  const requestsPerSet = readCount("--requests", options.requests, 25);
  const wasmFile = new URL("../../router-wasm/pkg/router.wasm", import.meta.url);
  const module = new WebAssembly.Module(readFileSync(wasmFile));

  const totals = (options.resume ? readTotals(proof.jsonFile) : undefined) ?? newTotals(seed);
  const faults: string[] = [];
  while (totals.pairs < wanted && faults.length === 0) {
    const cpuBefore = cpuSeconds();
    const report = findDifference(
      (matcherOptions) => createWasmMatcher(module, matcherOptions),
      createReferenceMatcher,
      {
        pairs: Math.min(pairsPerSeed, wanted - totals.pairs),
        seed: totals.nextSeed,
        requestsPerSet,
      },
    );
    for (const name of counted) totals[name] += report[name];
    for (const [status, count] of Object.entries(report.statuses)) {
      totals.statuses[status] = (totals.statuses[status] ?? 0) + count;
    }
    if (report.difference !== undefined) {
      faults.push(`seed ${totals.nextSeed} ("one" is the compiled matcher):\n${report.difference}`);
    }
    totals.nextSeed += 1;
    totals.cpuSeconds += cpuSeconds() - cpuBefore;
    proof.addDetails({ totals });
  }
  addRow(proof, totals, faults);
  addDeferredRow(proof, module, wanted / 4, seed);
});

/** Each set has one request, since the first question for allowed methods starts the module. */
function addDeferredRow(
  proof: Proof,
  module: WebAssembly.Module,
  pairs: number,
  seed: number,
): void {
  const cpuBefore = cpuSeconds();
  const report = findDifference(
    (options) => new DeferredMatcher(() => createWasmMatcher(module, options)),
    createReferenceMatcher,
    { pairs, seed, requestsPerSet: 1, generate: generatePlainRouteSet },
  );
  const { refusedPatterns, statuses, difference } = report;
  proof.add({
    case: "matcher of the first requests and reference matcher, plain routes",
    runtime: "node",
    tried: report.pairs,
    unit: "pairs",
    more: {
      refusedPatterns,
      cpuSeconds: Number((cpuSeconds() - cpuBefore).toFixed(1)),
      ...byStatus(statuses),
    },
    faults:
      difference === undefined
        ? []
        : [`${difference}\n("one" is the matcher of the first requests)`],
  });
}

function byStatus(statuses: Readonly<Record<string, number>>): Record<string, number> {
  const counts = Object.entries(statuses).map(([status, count]) => [`status ${status}`, count]);
  return Object.fromEntries(counts);
}

function addRow(proof: Proof, totals: Totals, faults: readonly string[]): void {
  const { pairs, distinctPairs, routeSets, refusedPatterns, statuses } = totals;
  proof.add({
    case: "compiled and reference matcher",
    runtime: "node",
    tried: pairs,
    unit: "pairs",
    more: {
      distinctPairs,
      routeSets,
      refusedPatterns,
      cpuSeconds: Number(totals.cpuSeconds.toFixed(1)),
      ...byStatus(statuses),
    },
    faults,
  });
}

function newTotals(nextSeed: number): Totals {
  const zero = { pairs: 0, distinctPairs: 0, routeSets: 0, refusedPatterns: 0, cpuSeconds: 0 };
  return { nextSeed, ...zero, statuses: {} };
}

function readTotals(file: string | undefined): Totals | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly totals: Totals }).totals; // written by this proof
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
