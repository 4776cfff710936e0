/** Limits from the platform's documentation, used by the simulation. */
export const limits = {
  /** Durable Objects, Limits: soft limit per object. */
  objectRequestsPerSecond: 1_000,
  /** Workers KV, Limits: writes to the same key. */
  kvWriteIntervalMs: 1_000,
  /** Workers KV, How KV works: maximum age of a location's copy, also of a missing value. */
  kvEdgeTtlMs: 60_000,
} as const;

/** US dollars per million, beyond a plan's included amount; sources in `docs/scale.md`. */
export const prices = {
  readOn: "2026-11-28",
  workerRequests: 0.3,
  workerCpuMs: 0.02,
  kvReads: 0.5,
  /** Also the price of deletions and lists. */
  kvWrites: 5,
  /** A message is written, read and deleted. */
  queueOperations: 0.4,
  objectRequests: 0.15,
  /** A put, a deletion and setting an alarm each count as a row. */
  objectRowsWritten: 1,
  /** An active object is billed with 128 MB. */
  objectGbSeconds: 12.5,
} as const;

/** Assumed latencies in milliseconds; undocumented by the platform. */
export const assumed = { kvHotReadMs: 5, kvColdReadMs: 80, producerAndWriteMs: 200 } as const;

const SECONDS_PER_MONTH = 30 * 24 * 60 * 60;

/** Returns US dollars per 30 days for a rate of operations per second, rounded to the dollar. */
export function monthlyDollars(perSecond: number, dollarsPerMillion: number): number {
  return Math.round((perSecond * SECONDS_PER_MONTH * dollarsPerMillion) / 1_000_000);
}
