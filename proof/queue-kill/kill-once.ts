import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Driver, jobsOfEach } from "./drivers.ts";
import { countExtraRuns, type ExtraRuns } from "./extra-runs.ts";
import { type KilledServer, startKilledServer } from "./killed-server.ts";

/** Timeout for the remaining jobs. */
const patienceMs = 120_000;

/** Status of the queue. */
interface Status {
  readonly done: readonly string[];
  readonly dead: readonly string[];
  /** `<id>/<start time>/<unique>` for each run. */
  readonly runs: readonly string[];
  readonly pending: number;
}

/** Result of a kill. */
export interface KillResult extends ExtraRuns {
  readonly killAfterMs: number;
  readonly doneAtKill: number;
  /** Number of jobs whose enqueueing was confirmed. */
  readonly accepted: number;
  readonly done: number;
  readonly dead: number;
  readonly pending: number;
  /** Accepted jobs that are neither completed nor failed at the end. */
  readonly lost: number;
  /** Jobs that were leased when the process was killed. */
  readonly inFlight: number;
}

/**
 * Kills a process while it enqueues and processes jobs, restarts it, and counts the results.
 *
 * @param bundle the program of the driver, by `bundleServer`
 */
export async function killOnce(
  driver: Driver,
  bundle: string,
  killAfterMs: number,
): Promise<KillResult> {
  const folder = await mkdtemp(join(tmpdir(), "espalier-queue-kill-"));
  try {
    const server = await startKilledServer(driver, bundle, folder);
    const working = workUntilKilled(server);
    await sleep(killAfterMs);
    const before = await statusOf(server).catch(() => undefined);
    await server.kill();
    const accepted = await working;

    const restarted = await startKilledServer(driver, bundle, folder);
    try {
      const startedAt = Date.now();
      const inFlight = new Set((await restarted.get("/running")) as string[]); // by KilledQueue
      let status = await statusOf(restarted);
      while (status.pending > 0 && Date.now() - startedAt < patienceMs) {
        await restarted.get("/work");
        await sleep(50);
        status = await statusOf(restarted);
      }
      const ended = new Set([...status.done, ...status.dead]);
      return {
        killAfterMs: Math.round(killAfterMs),
        doneAtKill: before?.done.length ?? 0,
        accepted: accepted.length,
        done: status.done.length,
        dead: status.dead.length,
        pending: status.pending,
        lost: accepted.filter((id) => !ended.has(id)).length,
        inFlight: inFlight.size,
        ...countExtraRuns(status.runs, inFlight),
      };
    } finally {
      await restarted.kill();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Enqueues and works until it is killed; resolves to the ids of the confirmed jobs. */
async function workUntilKilled(server: KilledServer): Promise<readonly string[]> {
  const accepted: string[] = [];
  try {
    for (let first = 0; first < jobsOfEach; first += 25) {
      accepted.push(...((await server.get(`/enqueue?first=${first}&count=25`)) as string[]));
    }
    for (;;) {
      await server.get("/work");
      await sleep(50);
    }
  } catch {
    // Killed: the request was interrupted, or the next connection was refused.
  }
  return accepted;
}

async function statusOf(server: KilledServer): Promise<Status> {
  return (await server.get("/status")) as Status; // by KilledQueue
}
