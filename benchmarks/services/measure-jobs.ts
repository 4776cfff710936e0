import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { startRedis } from "../../test/support/redis-server.ts";
import { createServerClock } from "../support/processor-time.ts";
import { roundNumber } from "../support/round-number.ts";
import type { Row } from "../support/row.ts";
import { shuffle } from "../support/shuffle.ts";
import { medianRatio, quantile, type Series } from "../support/statistics.ts";
import { type JobSubject, jobSubjects, type StartJobSystem } from "./job-systems.ts";

/** Jobs that are enqueued at once while the others wait. */
const burst = 100;

/** Jobs of a round. */
const jobsOfRound = 1_500;

/** Measures of a burst of jobs. */
const measures = {
  rate: { case: "jobs per second", unit: "jobs/s" },
  clientUs: { case: "processor time of the client for a job", unit: "µs" },
  serverUs: { case: "processor time of the server for a job", unit: "µs" },
} as const;

type Burst = Record<keyof typeof measures, number>;

/** Measures the cost of jobs, and the time from `enqueue` to the handler, over real servers. */
export async function measureJobs(isQuick: boolean): Promise<Row[]> {
  const redis = await startRedis("--appendonly", "yes");
  const postgres = await startPostgres();
  try {
    const clocks = {
      redis: createServerClock(redis.pid),
      postgres: createServerClock(postgres.pid),
    };
    const subjects = jobSubjects(redis.port, postgres.url);
    const bursts = await measureBursts(subjects, clocks, isQuick);
    const rows: Row[] = [];
    for (const { subject, peer, start } of subjects) {
      const series = (key: keyof Burst, of = subject): Series => ({
        subject: of,
        samples: (bursts.get(of) ?? []).map((burst) => burst[key]),
      });
      for (const key of ["rate", "clientUs", "serverUs"] as const) {
        const ratio = peer === undefined ? undefined : medianRatio(series(key), series(key, peer));
        rows.push(toRow(measures[key], series(key), ratio));
      }
      const samples = await measureLatency(start, isQuick ? 3 : 100);
      const latency = { case: "time from enqueue to the handler", unit: "ms" };
      rows.push(toRow(latency, { subject, samples }));
    }
    return rows;
  } finally {
    await redis.stop();
    await postgres.stop();
  }
}

/** Rounds in which the code is compiled, and which are not counted. */
const warmUpRounds = 4;

/** Runs each system once in each round, in changing order. */
async function measureBursts(
  subjects: readonly JobSubject[],
  clocks: Readonly<Record<JobSubject["server"], () => number>>,
  isQuick: boolean,
): Promise<ReadonlyMap<string, readonly Burst[]>> {
  const bursts = new Map(subjects.map(({ subject }) => [subject, [] as Burst[]]));
  const rounds = isQuick ? 1 : 7;
  for (let round = isQuick ? 1 : 1 - warmUpRounds; round <= rounds; round += 1) {
    for (const { subject, server, start } of shuffle(subjects, round)) {
      const burst = await measureBurst(start, clocks[server], round, isQuick ? 100 : jobsOfRound);
      if (round > 0) bursts.get(subject)?.push(burst);
    }
  }
  return bursts;
}

async function measureBurst(
  start: StartJobSystem,
  serverMs: () => number,
  round: number,
  jobs: number,
): Promise<Burst> {
  let ended = 0;
  let finish = (): void => {};
  const all = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const system = await start(() => {
    ended += 1;
    if (ended === jobs) finish();
  });
  const serverBeforeMs = serverMs();
  const usedBefore = process.cpuUsage();
  const begun = performance.now();
  for (let first = 0; first < jobs; first += burst) {
    const ids = Array.from(
      { length: burst },
      (_, index) => (round + warmUpRounds) * 1_000_000 + first + index,
    );
    await Promise.all(ids.map((id) => system.enqueue(id)));
  }
  await all;
  const elapsedMs = performance.now() - begun;
  const { user, system: kernel } = process.cpuUsage(usedBefore);
  const serverUs = (serverMs() - serverBeforeMs) * 1000;
  await system.stop();
  return {
    rate: (jobs * 1000) / elapsedMs,
    clientUs: (user + kernel) / jobs,
    serverUs: serverUs / jobs,
  };
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

function toRow(
  measure: { readonly case: string; readonly unit: string },
  { subject, samples }: Series,
  ratio?: number,
): Row {
  const [value, low, high] = [0.5, 0.25, 0.75].map((share) =>
    roundNumber(quantile(samples, share)),
  ) as [number, number, number];
  const rounded = ratio === undefined ? undefined : roundNumber(ratio);
  return { ...measure, runtime: "node", subject, value, low, high, ratio: rounded };
}
