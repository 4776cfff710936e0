// Sends bodies in a thousand framings to an application with small limits, on Node's sockets and in workerd:
// lengths that are true, too small, too large and huge, chunks of every size, slow ones, endless ones,
// multipart, compressed. Above the limit no handler may run, and not more than the limit and 64 KiB may be
// taken of a body. Exit code 1 for any fault.
//
//   node proof/body-limit.mjs [--cases 1000] [--seed 20261128] [--runtime node,workerd] [--json FILE]
//
// The package must have been built.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startBodyLimitTarget } from "./body-limit/body-limit-target.ts";
import { proveBodyLimit } from "./body-limit/prove-body-limit.ts";
import { provePulledBytes } from "./body-limit/prove-pulled-bytes.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "1000" },
    seed: { type: "string", default: "20261128" },
    runtime: { type: "string", default: "node,workerd" },
    json: { type: "string" },
  },
});
const findings = [await provePulledBytes("in process")];
for (const runtime of options.runtime.split(",")) {
  const target = await startBodyLimitTarget(runtime);
  try {
    const size = { cases: Number(options.cases), seed: Number(options.seed) };
    findings.push(await proveBodyLimit(target, size));
    if (runtime === "workerd") findings.push(await provePulledBytes(target));
  } finally {
    await target.stop();
  }
}
for (const finding of findings) console.log(`${finding}\n`);
if (findings.some(({ faults }) => faults.size > 0)) process.exitCode = 1;
if (options.json !== undefined) {
  const rows = findings.map(({ title, tried, counts, faults }) => ({
    title,
    tried,
    counts: Object.fromEntries(counts),
    faults: Object.fromEntries(faults),
  }));
  writeFileSync(options.json, `${JSON.stringify({ seed: options.seed, rows }, null, 2)}\n`);
}
