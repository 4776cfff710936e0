/*
 * The short form of `npm run proof -- soak`: ten seconds of each, too short to judge memory by.
 */
import { expect, test } from "vitest";
import { soakOnce } from "../../proof/soak/soak-once.ts";

test.each(["node", "workerd"] as const)(
  "mixed load on %s gets correct responses, and its samples are valid",
  async (runtime) => {
    const result = await soakOnce(runtime, { minutes: 1 / 6, connections: 8, hasKv: true });
    expect(result.faults).toEqual([]);
    expect(result.requests).toBeGreaterThan(200);
    expect(result.wasmPages).toEqual([2]);
    expect(Math.min(...result.rssMiB)).toBeGreaterThan(10);
    expect(result.heapMiB.every((size) => size > 1)).toBe(true);
  },
  60_000,
);
