import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { startRedis } from "../../test/support/redis-server.ts";
import { roundNumber } from "../support/round-number.ts";
import type { Row } from "../support/row.ts";
import { quantile } from "../support/statistics.ts";
import { jobSystems, type StartJobSystem } from "./job-systems.ts";

/** Jobs that are enqueued at once while the others wait. */
const burst = 100;

/** Measures jobs per second and the time from `enqueue` to the handler, over real servers. */
export async function measureJobs(isQuick: boolean): Promise<Row[]> {
  const redis = await startRedis("--appendonly", "yes");
  const postgres = await startPostgres();
  const rows: Row[] = [];
  try {
    for (const [subject, start] of Object.entries(jobSystems(redis.port, postgres.url))) {
      const rates: number[] = [];
      for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
        rates.push(await measureRate(start, round, isQuick ? 100 : 1_500));
      }
      rows.push(toRow("jobs per second", subject, "jobs/s", rates));
      const latencies = await measureLatency(start, isQuick ? 3 : 100);
      rows.push(toRow("time from enqueue to the handler", subject, "ms", latencies));
    }
  } finally {
    await redis.stop();
    await postgres.stop();
  }
  return rows;
}

async function measureRate(start: StartJobSystem, round: number, jobs: number): Promise<number> {
  let ended = 0;
  let finish = (): void => {};
  const all = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const system = await start(() => {
    ended += 1;
    if (ended === jobs) finish();
  });
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
  await system.stop();
  return (jobs * 1000) / elapsedMs;
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
