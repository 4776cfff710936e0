// Keeps an application with every feature on under mixed load, on Node and on workerd, and looks at its memory,
// the router's WebAssembly pages and its handles. Exit code 1 for any wrong answer, for pages or handles
// that grow, and for memory that grows by 1 MiB a minute or more after the warm-up.
//
//   node proof/soak.mjs [--minutes 10] [--connections 16] [--runtime node,workerd] [--without-kv] [--json FILE]
//
// The package must have been built. The warm-up is a fifth of the time. Below five minutes the slope of
// the memory is shown and not judged: engines are still making room then. On Node it is the memory of the
// process. In workerd it is the heap of the isolate after a collection: the process holds Miniflare's
// simulated KV too, which --without-kv leaves away.
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { mixedLoad } from "./soak/mixed-load.ts";
import { growthPerMinute, takeSample } from "./soak/samples.ts";
import { startSoakTarget } from "./soak/soak-target.ts";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    connections: { type: "string", default: "16" },
    runtime: { type: "string", default: "node,workerd" },
    "without-kv": { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const minutes = Number(options.minutes);
const connections = Number(options.connections);
const sampleEveryMs = Math.max(1_000, (minutes * 60_000) / 40);
const rounded = (value) => Math.round(value * 100) / 100;

async function soak(runtime) {
  const target = await startSoakTarget(runtime, !options["without-kv"]);
  const counts = { requests: 0, faults: new Map() };
  const startedAt = Date.now();
  const endsAtMs = startedAt + minutes * 60_000;
  const load = mixedLoad(target.port, { connections, endsAtMs, counts });
  const samples = [];
  // Each while the load goes on: the engine collects when the next request comes.
  while (Date.now() + 1.5 * sampleEveryMs < endsAtMs) {
    await sleep(sampleEveryMs);
    target.takeLines();
    const minute = (Date.now() - startedAt) / 60_000;
    const sample = await takeSample(target, { minute, requests: counts.requests });
    samples.push(sample);
    console.error(JSON.stringify({ ...sample, minute: rounded(minute) }));
  }
  await load;
  const faults = [...counts.faults].map(([kind, count]) => `${count} × ${kind}`);
  const settled = samples.filter(({ minute }) => minute >= minutes / 5);
  const growthOf = (member) =>
    growthPerMinute(settled.map((sample) => ({ minute: sample.minute, value: sample[member] })));
  const rssGrowth = growthOf("rssMiB");
  const heapGrowth = runtime === "workerd" ? growthOf("heapMiB") : undefined;
  const growth = heapGrowth ?? rssGrowth;
  const pages = new Set(settled.map(({ wasmPages }) => wasmPages));
  if (pages.size > 1) faults.push(`WebAssembly pages: ${[...pages]}`);
  const handles = settled.flatMap((sample) => sample.handles ?? []);
  // Each connection of the load is one; a few more are requests on their way.
  const mostHandles = handles.length === 0 ? undefined : Math.max(...handles);
  if (mostHandles > connections * 4 + 20) faults.push(`handles: up to ${mostHandles}`);
  if (minutes >= 5 && growth >= 1) faults.push(`memory grows by ${growth.toFixed(2)} MiB a minute`);
  await target.stop();
  const row = {
    runtime,
    minutes,
    cacheIn: runtime === "workerd" && !options["without-kv"] ? "KV" : "memory",
    requests: counts.requests,
    rssGrowthMiBPerMinute: rounded(rssGrowth),
    heapGrowthMiBPerMinute: heapGrowth === undefined ? undefined : rounded(heapGrowth),
    rssMiB: settled.map(({ rssMiB }) => rssMiB),
    heapMiB: heapGrowth === undefined ? undefined : settled.map(({ heapMiB }) => heapMiB),
    wasmPages: [...pages],
    mostHandles,
    faults,
  };
  console.log(JSON.stringify(row, null, 1));
  return row;
}

const rows = [];
for (const runtime of options.runtime.split(",")) rows.push(await soak(runtime));
if (rows.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ rows }, null, 2)}\n`);
