// Measures in workerd what Cloudflare limits: the evaluation of the modules of a Worker with the whole
// package and 1,000 routes (at most 50 ms here; the platform allows 1 s), under an old compatibility date
// and the newest one, and the cost of a request (at most 1 ms in 95 of 100 here; the free plan allows 10).
// Both are processor time, which other work on the machine affects little; because it does affect it, the
// quietest tenth of the requests is judged. The short form has too few starts and requests for that, and
// judges by five times these limits.
import { readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { measureEvaluation } from "./measure-evaluation.ts";
import { measureRequestCpu } from "./measure-request-cpu.ts";

const mostEvaluationMs = 50;
const mostRequestMs = 1;

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

await runProof("worker-costs", { starts: "string", requests: "string" }, async (proof, options) => {
  if (process.platform !== "linux") proof.skip("processor time is read from Linux's /proc");
  const [evaluationMs, requestMs] = proof.isQuick
    ? [5 * mostEvaluationMs, 5 * mostRequestMs]
    : [mostEvaluationMs, mostRequestMs];
  const starts = readCount("--starts", options.starts, proof.isQuick ? 3 : 20);
  const requests = readCount("--requests", options.requests, proof.isQuick ? 1_000 : 10_000);
  for (const date of ["2024-01-01", "2026-11-01"]) {
    const { processorMs } = await measureEvaluation(date, starts);
    const medianMs = rounded(processorMs[processorMs.length >> 1] ?? Number.NaN);
    proof.add({
      case: `evaluation, compatibility date ${date}`,
      runtime: "workerd",
      tried: starts,
      value: medianMs,
      unit: "ms",
      more: { mostMs: rounded(processorMs.at(-1) ?? Number.NaN) },
      faults: medianMs < evaluationMs ? [] : [`more than ${evaluationMs} ms`],
    });
  }
  const { p50, p95, p99, quietestP95 } = await measureRequestCpu(requests);
  proof.add({
    case: "request",
    runtime: "workerd",
    tried: requests,
    value: rounded(quietestP95),
    unit: "ms",
    more: { p50Ms: rounded(p50), p95Ms: rounded(p95), p99Ms: rounded(p99) },
    faults: quietestP95 < requestMs ? [] : [`more than ${requestMs} ms`],
  });
});
