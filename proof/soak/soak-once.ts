import { setTimeout as sleep } from "node:timers/promises";
import { growthPerMinute, judgedMinutes } from "../support/growth.ts";
import { mixedLoad } from "./mixed-load.ts";
import { type Sample, takeSample } from "./samples.ts";
import { startSoakTarget } from "./soak-target.ts";

/** Number of requests in which Node's heap grows to its final size. */
const warmUpRequests = { node: 100_000, workerd: 0 } as const;

/** Options of a run. */
export interface SoakOptions {
  readonly minutes: number;
  readonly connections: number;
  /** True to bind a KV namespace in workerd, which the cache then uses. */
  readonly hasKv: boolean;
  readonly onSample?: (sample: Sample) => void;
}

/** Result of a run; memory values are from after the warm-up. */
export interface SoakResult {
  readonly runtime: string;
  readonly minutes: number;
  readonly cacheIn: "KV" | "memory";
  readonly requests: number;
  /** Slope after the warm-up; 0 if the run ended before. */
  readonly rssGrowthMiBPerMinute: number;
  readonly heapGrowthMiBPerMinute: number;
  readonly rssMiB: readonly number[];
  readonly heapMiB: readonly number[];
  readonly wasmPages: readonly number[];
  readonly mostHandles: number | undefined;
  /** Empty if the run passed. Memory is judged if at least three minutes remain after the warm-up. */
  readonly faults: readonly string[];
}

/** Keeps an application under mixed load, and checks its responses, memory, pages and handles. */
export async function soakOnce(
  runtime: "node" | "workerd",
  { minutes, connections, hasKv, onSample = () => {} }: SoakOptions,
): Promise<SoakResult> {
  const target = await startSoakTarget(runtime, hasKv);
  const counts = { requests: 0, faults: new Map<string, number>() };
  const startedAt = Date.now();
  const endsAtMs = startedAt + minutes * 60_000;
  const sampleEveryMs = Math.max(1_000, (minutes * 60_000) / 40);
  const load = mixedLoad(target.port, { connections, endsAtMs, counts });
  const samples: Sample[] = [];
  // Sampled under load, because a collection starts with the next request.
  while (Date.now() + 1.5 * sampleEveryMs < endsAtMs) {
    await sleep(sampleEveryMs);
    target.takeLines();
    const minute = (Date.now() - startedAt) / 60_000;
    const sample = await takeSample(target, { minute, requests: counts.requests });
    samples.push(sample);
    onSample(sample);
  }
  await load;
  const isStopped = await target.stop();

  // The memory of Node's process reaches its level in steps, each after a peak of the heap: half a million requests.
  const settled = samples.filter(
    ({ minute, requests }) => minute >= minutes / 2 && requests >= warmUpRequests[runtime],
  );
  const growthOf = (member: "rssMiB" | "heapMiB"): number =>
    growthPerMinute(settled.map((sample) => ({ minute: sample.minute, value: sample[member] })));
  const rssGrowth = growthOf("rssMiB");
  const heapGrowth = growthOf("heapMiB");
  const wasmPages = [...new Set(samples.map((sample) => sample.wasmPages))];
  const handles = samples.flatMap((sample) => sample.handles ?? []);
  const mostHandles = handles.length === 0 ? undefined : Math.max(...handles);

  const faults = [...counts.faults].map(([kind, count]) => `${count} × ${kind}`);
  if (wasmPages.length !== 1) faults.push(`WebAssembly pages: ${wasmPages}`);
  // One per connection of the load, and a few for requests in flight.
  if ((mostHandles ?? 0) > connections * 4 + 20) faults.push(`handles: up to ${mostHandles}`);
  // In workerd the process also holds Miniflare's simulated KV.
  const growth = runtime === "workerd" ? heapGrowth : Math.max(heapGrowth, rssGrowth);
  const isJudged = minutes - (settled[0]?.minute ?? minutes) >= judgedMinutes;
  if (isJudged && !(growth < 1)) faults.push(`memory grows by ${growth} MiB per minute`);
  if (!isStopped) faults.push("the process did not stop by itself");
  return {
    runtime,
    minutes,
    cacheIn: runtime === "workerd" && hasKv ? "KV" : "memory",
    requests: counts.requests,
    rssGrowthMiBPerMinute: rounded(rssGrowth),
    heapGrowthMiBPerMinute: rounded(heapGrowth),
    rssMiB: samples.map(({ rssMiB }) => rssMiB),
    heapMiB: samples.map(({ heapMiB }) => heapMiB),
    wasmPages,
    mostHandles,
    faults,
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
