// Keeps an application with every feature enabled under mixed load, and samples its memory, the router's
// WebAssembly pages and its handles. Fails for a wrong response, for pages or handles that grow, and for
// memory that grows by 1 MiB a minute or more after the warm-up.
//
// The warm-up is half of the time, and on Node the first 100,000 requests too; with less than three
// minutes after it memory is shown and not judged. Memory is what a collection leaves, and on Node the
// process as well; workerd's process includes Miniflare's simulated KV, which --without-kv leaves out.
import { readChoices, readCount, UsageError } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { soakOnce } from "./soak-once.ts";

const types = {
  minutes: "string",
  connections: "string",
  runtime: "string",
  "without-kv": "boolean",
} as const;

await runProof("soak", types, async (proof, options) => {
  const minutes = options.minutes === undefined ? 10 : Number(options.minutes);
  if (!(minutes > 0)) {
    throw new UsageError(`The option --minutes must be above 0, got "${options.minutes}".`);
  }
  for (const runtime of readChoices("--runtime", options.runtime, ["node", "workerd"])) {
    const result = await soakOnce(runtime, {
      minutes: proof.isQuick ? 1 / 6 : minutes,
      connections: readCount("--connections", options.connections, proof.isQuick ? 8 : 16),
      hasKv: !options["without-kv"],
      onSample: (sample) => console.error(JSON.stringify(sample)),
    });
    proof.add({
      case: `mixed load, cache in ${result.cacheIn}`,
      runtime,
      tried: result.requests,
      unit: "requests",
      more: {
        minutes: result.minutes,
        heapFirstMiB: result.heapMiB.at(0) ?? 0,
        heapLastMiB: result.heapMiB.at(-1) ?? 0,
        heapGrowthMiBPerMinute: result.heapGrowthMiBPerMinute,
        rssFirstMiB: result.rssMiB.at(0) ?? 0,
        rssLastMiB: result.rssMiB.at(-1) ?? 0,
        rssGrowthMiBPerMinute: result.rssGrowthMiBPerMinute,
        wasmPages: Math.max(...result.wasmPages),
        mostHandles: result.mostHandles ?? 0,
      },
      faults: result.faults,
    });
  }
});
