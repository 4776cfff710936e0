import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { startRedis } from "../../test/support/redis-server.ts";
import { roundNumber } from "../support/round-number.ts";
import type { Row } from "../support/row.ts";
import { shuffle } from "../support/shuffle.ts";
import { quantile } from "../support/statistics.ts";
import { jobSystems, type StartJobSystem } from "./job-systems.ts";

/** Jobs that are enqueued at once while the others wait. */
const burst = 100;

/** Jobs of a round. */
const jobsOfRound = 1_500;

/** Measures jobs per second and the time from `enqueue` to the handler, over real servers. */
export async function measureJobs(isQuick: boolean): Promise<Row[]> {
  const redis = await startRedis("--appendonly", "yes");
  const postgres = await startPostgres();
  try {
    const systems = Object.entries(jobSystems(redis.port, postgres.url));
    const bursts = await measureBursts(systems, isQuick);
    const rows: Row[] = [];
    for (const [subject, start] of systems) {
      const { rates, costs } = bursts.get(subject) ?? { rates: [], costs: [] };
      const latencies = await measureLatency(start, isQuick ? 3 : 100);
      rows.push(
        toRow("jobs per second", subject, "jobs/s", rates),
        toRow("processor time of the client for a job", subject, "µs", costs),
        toRow("time from enqueue to the handler", subject, "ms", latencies),
      );
    }
    return rows;
  } finally {
    await redis.stop();
    await postgres.stop();
  }
}

interface Burst {
  /** Jobs per second. */
  readonly rates: number[];
  /** Processor time of this process for a job, in microseconds. */
  readonly costs: number[];
}

/** Runs each system once in each round, in changing order. The first round compiles the code, and is not counted. */
async function measureBursts(
  systems: readonly (readonly [string, StartJobSystem])[],
  isQuick: boolean,
): Promise<ReadonlyMap<string, Burst>> {
  const bursts = new Map<string, Burst>(
    systems.map(([subject]) => [subject, { rates: [], costs: [] }]),
  );
  const rounds = isQuick ? 1 : 5;
  for (let round = isQuick ? 1 : 0; round <= rounds; round += 1) {
    for (const [subject, start] of shuffle(systems, round)) {
      const { rate, cost } = await measureBurst(start, round, isQuick ? 100 : jobsOfRound);
      if (round === 0) continue;
      bursts.get(subject)?.rates.push(rate);
      bursts.get(subject)?.costs.push(cost);
    }
  }
  return bursts;
}

async function measureBurst(
  start: StartJobSystem,
  round: number,
  jobs: number,
): Promise<{ rate: number; cost: number }> {
  let ended = 0;
  let finish = (): void => {};
  const all = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const system = await start(() => {
    ended += 1;
    if (ended === jobs) finish();
  });
  const usedBefore = process.cpuUsage();
  const begun = performance.now();
  for (let first = 0; first < jobs; first += burst) {
    const ids = Array.from(
      { length: burst },
      (_, index) => (round + 1) * 1_000_000 + first + index,
    );
    await Promise.all(ids.map((id) => system.enqueue(id)));
  }
  await all;
  const elapsedMs = performance.now() - begun;
  const { user, system: kernel } = process.cpuUsage(usedBefore);
  await system.stop();
  return { rate: (jobs * 1000) / elapsedMs, cost: (user + kernel) / jobs };
}

async function measureLatency(start: StartJobSystem, jobs: number): Promise<number[]> {
  const latencies: number[] = [];
  let begun = 0;
  let finish = (): void => {};
  const system = await start(() => {
    latencies.push(performance.now() - begun);
    finish();
  });
  for (let job = 0; job < jobs; job += 1) {
    // Worker loops must not be in step with the jobs.
    await sleep(20 + Math.random() * 80);
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    begun = performance.now();
    await system.enqueue(job);
    await ended;
  }
  await system.stop();
  return latencies;
}

function toRow(name: string, subject: string, unit: string, samples: readonly number[]): Row {
  const [value, low, high] = [0.5, 0.25, 0.75].map((share) =>
    roundNumber(quantile(samples, share)),
  ) as [number, number, number];
  return { case: name, runtime: "node", subject, unit, value, low, high, ratio: undefined };
}
