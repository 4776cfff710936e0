// Sends hostile input to an application with every feature enabled: generated requests, framings, naughty
// strings, JSON, names of prototypes, many clients at once, secrets, clients that disconnect, and errors at
// every place. The same seed gives the same requests; a fresh seed, which the result records, is used for a
// tenth as many.
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import type { Finding } from "../support/finding.ts";
import { runProof } from "../support/run-proof.ts";
import { proveAborts } from "./prove-aborts.ts";
import { costRuntimes, proveCost } from "./prove-cost.ts";
import { proveCostSearch } from "./prove-cost-search.ts";
import { proveErrors } from "./prove-errors.ts";
import { proveFramings } from "./prove-framings.ts";
import { proveIsolation } from "./prove-isolation.ts";
import { proveJson } from "./prove-json.ts";
import { proveLogs } from "./prove-logs.ts";
import { provePollution } from "./prove-pollution.ts";
import { proveRequests } from "./prove-requests.ts";
import { proveStrings } from "./prove-strings.ts";
import { startTarget, type Target } from "./target.ts";

const types = {
  requests: "string",
  searched: "string",
  seed: "string",
  runtime: "string",
  only: "string",
} as const;

await runProof("hostile", types, async (proof, options) => {
  const requests = readCount("--requests", options.requests, proof.isQuick ? 3_000 : 100_000);
  const seed = readCount("--seed", options.seed, 20_261_128);
  const fresh = Math.floor(Math.random() * 2 ** 31);
  const scaled = (count: number): number => (proof.isQuick ? Math.ceil(count / 20) : count);

  const onBoth: Readonly<Record<string, (target: Target) => Promise<Finding>>> = {
    requests: (target) => proveRequests(target, { requests, seed }),
    fresh: (target) => proveRequests(target, { requests: Math.ceil(requests / 10), seed: fresh }),
    framings: (target) => proveFramings(target, { cases: scaled(1_000), seed }),
    strings: (target) => proveStrings(target),
    json: proveJson,
    pollution: (target) => provePollution(target, { shapes: scaled(500), seed }),
    isolation: (target) => proveIsolation(target, { requests: scaled(100_000) }),
    aborts: (target) => proveAborts(target, { aborts: scaled(10_000), seed }),
  };
  // The log in workerd's output cannot be read.
  const onNode = {
    ...onBoth,
    logs: (target: Target) => proveLogs(target, { requests: scaled(10_000), seed }),
  };
  const only = readChoices("--only", options.only, [
    "errors",
    "cost",
    "cost-search",
    ...Object.keys(onNode),
  ]);
  const runtimes = readChoices("--runtime", options.runtime, costRuntimes);
  proof.addDetails({ seed, freshSeed: fresh });

  if (only.includes("errors")) proof.addFinding(await proveErrors(), "in process");
  for (const runtime of only.includes("cost") ? runtimes : []) {
    const findings = await proveCost(runtime, {
      bodiesOfEach: proof.isQuick ? 20 : 260,
      bodyBytes: 65_536,
      generated: proof.isQuick ? 200 : 10_000,
      generatedBytes: 4_096,
      seed,
    });
    for (const finding of findings) proof.addFinding(finding, runtime);
  }
  for (const runtime of runtimes) {
    if (runtime !== "node" && runtime !== "workerd") continue;
    if (only.includes("cost-search")) {
      const inputs = readCount("--searched", options.searched, proof.isQuick ? 200 : 20_000);
      proof.addFinding(await proveCostSearch(runtime, { inputs, seed }), runtime);
    }
    const target = await startTarget(runtime);
    try {
      for (const [name, prove] of Object.entries(runtime === "node" ? onNode : onBoth)) {
        if (only.includes(name)) proof.addFinding(await prove(target), runtime);
      }
    } finally {
      const hasStopped = await target.stop();
      if (!hasStopped) console.log(`${runtime} still had open connections 5 s after SIGTERM.`);
    }
  }
});
