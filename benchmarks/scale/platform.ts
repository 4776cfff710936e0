/** What the platform's documentation says and the simulation takes from it. */
export const limits = {
  /** Durable Objects, Limits: a soft limit of each object. */
  objectRequestsPerSecond: 1_000,
  /** Workers KV, Limits: writes to the same key. */
  kvWriteIntervalMs: 1_000,
  /** Workers KV, How KV works: how long a place may answer from its own copy, also with "none". */
  kvEdgeTtlMs: 60_000,
} as const;

/** US dollars for a million, above what a plan includes, by the price pages named in `docs/scale.md`. */
export const prices = {
  readOn: "2026-11-28",
  workerRequests: 0.3,
  workerCpuMs: 0.02,
  kvReads: 0.5,
  /** Deletions and lists cost the same. */
  kvWrites: 5,
  /** Each message is written, read and deleted. */
  queueOperations: 0.4,
  objectRequests: 0.15,
  /** A put, a deletion, and each alarm that is set, is a row. */
  objectRowsWritten: 1,
  /** An object counts with 128 MB while it is active. */
  objectGbSeconds: 12.5,
} as const;

/** Latencies that nobody documents: what the simulation assumes, in milliseconds. */
export const assumed = { kvHotReadMs: 5, kvColdReadMs: 80, producerAndWriteMs: 200 } as const;

const SECONDS_PER_MONTH = 30 * 24 * 60 * 60;

/** US dollars for 30 days at so many operations a second, to the dollar. */
export function monthlyDollars(perSecond: number, dollarsPerMillion: number): number {
  return Math.round((perSecond * SECONDS_PER_MONTH * dollarsPerMillion) / 1_000_000);
}
