import { admit, type SlidingWindow } from "../../src/rate-limit/sliding-window.ts";
import { createRandom } from "../support/random.ts";
import type { Settings } from "./options.ts";
import { limits } from "./platform.ts";

/** One key for a whole tenant, with a limit of 2,000 requests per second and a load of 5,000. */
export const tenant = { limit: 2_000, windowMs: 1_000, requestsPerSecond: 5_000 } as const;

export interface HotKeyResult {
  /** Number of objects over which the key is spread, each with its share of the limit. */
  readonly shards: number;
  readonly requests: number;
  readonly admitted: number;
  readonly refused: number;
  /** Beyond an object's capacity: an error without a decision. */
  readonly overloaded: number;
  /** Admitted requests as a share of the limit; above 1 is over-admission. */
  readonly shareOfLimit: number;
}

/** Simulates a key that is too hot for one object, spread over an increasing number of objects. */
export function simulateHotKey({ seed, quick }: Settings): HotKeyResult[] {
  const seconds = quick ? 3 : 20;
  return [1, 2, 4, 8, 16].map((shards) => simulateShards(shards, seconds, seed));
}

function simulateShards(shards: number, seconds: number, seed: number): HotKeyResult {
  const random = createRandom(seed);
  const windows = Array.from({ length: shards }, (): SlidingWindow => []);
  let asked = new Uint32Array(shards);
  let second = 0;
  const requests = tenant.requestsPerSecond * seconds;
  const counts = { admitted: 0, refused: 0, overloaded: 0 };
  for (let index = 0; index < requests; index += 1) {
    const nowMs = (index / tenant.requestsPerSecond) * 1_000;
    if (Math.floor(nowMs / 1_000) !== second) {
      second = Math.floor(nowMs / 1_000);
      asked = new Uint32Array(shards);
    }
    const shard = Math.floor(random() * shards);
    asked[shard] = (asked[shard] ?? 0) + 1;
    if ((asked[shard] ?? 0) > limits.objectRequestsPerSecond) counts.overloaded += 1;
    else {
      const share = Math.floor(tenant.limit / shards);
      const { allowed } = admit(windows[shard] ?? [], share, tenant.windowMs, nowMs);
      counts[allowed ? "admitted" : "refused"] += 1;
    }
  }
  const allowance = (tenant.limit * seconds * 1_000) / tenant.windowMs;
  return { shards, requests, ...counts, shareOfLimit: counts.admitted / allowance };
}
