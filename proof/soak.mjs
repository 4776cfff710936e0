// Keeps an application with every feature on under mixed load, on Node and on workerd, and looks at its memory,
// the router's WebAssembly pages and its handles. Exit code 1 for any wrong answer, for pages or handles
// that grow, and for memory that grows by 1 MiB a minute or more after the warm-up.
//
//   node proof/soak.mjs [--minutes 10] [--connections 16] [--runtime node,workerd] [--without-kv] [--json FILE]
//
// The package must have been built. The warm-up is a fifth of the time, on Node the first 100,000 requests too;
// with less than three minutes behind it memory is shown and not judged. It is what is kept after a collection,
// and on Node the memory of the process too; that of workerd holds Miniflare's simulated KV, which --without-kv
// leaves away.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { soakOnce } from "./soak/soak-once.ts";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    connections: { type: "string", default: "16" },
    runtime: { type: "string", default: "node,workerd" },
    "without-kv": { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const rows = [];
for (const runtime of options.runtime.split(",")) {
  const row = await soakOnce(runtime, {
    minutes: Number(options.minutes),
    connections: Number(options.connections),
    hasKv: !options["without-kv"],
    onSample: (sample) => console.error(JSON.stringify(sample)),
  });
  console.log(JSON.stringify(row, null, 1));
  rows.push(row);
  // After each, so that a stop loses one run only.
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ rows }, null, 2)}\n`);
}
if (rows.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
