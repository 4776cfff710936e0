// Measures in workerd what Cloudflare bounds: how long the modules of a Worker with the whole package and 1,000
// routes take to be evaluated (at most 50 ms; the platform allows 1 s), under an old compatibility date and
// the newest one, and what a request costs (at most 1 ms in 95 of 100; the free plan allows 10). Both are
// time on a processor, so that other work on the machine counts little; what is left of it is why the quietest
// tenth of the requests is judged. Exit code 1 beyond a bound.
//
//   node proof/worker-costs.mjs [--starts 20] [--requests 10000] [--json FILE]
//
// The package must have been built. Linux only.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureEvaluation } from "./worker-costs/measure-evaluation.ts";
import { measureRequestCpu } from "./worker-costs/measure-request-cpu.ts";

const { values: options } = parseArgs({
  options: {
    starts: { type: "string", default: "20" },
    requests: { type: "string", default: "10000" },
    json: { type: "string" },
  },
});
const rounded = (value) => Math.round(value * 1_000) / 1_000;
const evaluations = [];
for (const compatibilityDate of ["2024-01-01", "2026-11-01"]) {
  const { processorMs } = await measureEvaluation(compatibilityDate, Number(options.starts));
  const medianMs = rounded(processorMs[processorMs.length >> 1]);
  evaluations.push({ compatibilityDate, medianMs, mostMs: rounded(processorMs.at(-1)) });
}
const { requests, ...times } = await measureRequestCpu(Number(options.requests));
const request = {
  requests,
  p50Ms: rounded(times.p50),
  p95Ms: rounded(times.p95),
  p99Ms: rounded(times.p99),
  quietestP95Ms: rounded(times.quietestP95),
};
const result = { evaluations, request };
console.log(JSON.stringify(result, undefined, 1));
if (evaluations.some(({ medianMs }) => medianMs > 50) || request.quietestP95Ms > 1)
  process.exitCode = 1;
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify(result, undefined, 2)}\n`);
