/**
 * Drivers whose jobs outlive a process on one machine, and that need no server; `scale-out` has those that need
 * one. Miniflare keeps the messages of Cloudflare Queues in memory.
 */
export const drivers = {
  kv: { title: "Workers KV", runtime: "workerd", latestKillMs: 5_000, roundsAtOnce: 1 },
  "durable-object": {
    title: "a Durable Object",
    runtime: "workerd",
    latestKillMs: 1_200,
    roundsAtOnce: 1,
  },
  // The database delivers the messages of a dead process again after a minute.
  "deno-kv": { title: "Deno KV", runtime: "deno", latestKillMs: 1_200, roundsAtOnce: 5 },
} as const satisfies Record<string, DriverUnderKill>;
export type Driver = keyof typeof drivers;
export const driverNames = Object.keys(drivers) as readonly Driver[]; // unchecked: its own keys

interface DriverUnderKill {
  /** The driver as a reader knows it. */
  readonly title: string;
  /** The runtime that is killed. */
  readonly runtime: "workerd" | "deno";
  /** The latest time of a kill after the start, in milliseconds: later, a fast driver has done all jobs. */
  readonly latestKillMs: number;
  readonly roundsAtOnce: number;
}

/** Number of jobs per kill. */
export const jobsOfEach = 200;
