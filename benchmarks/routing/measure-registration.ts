import { shuffle } from "../support/shuffle.ts";
import type { Series } from "../support/statistics.ts";
import type { Effort } from "./effort.ts";
import type { Session } from "./runtimes/runtime.ts";
import type { RouteTable } from "./tables/route-table.ts";

/**
 * Measures the milliseconds to fill a router with a table and match once, in a fresh process or isolate
 * each time: the cost at a cold start, before the code is optimised.
 */
export async function measureColdRegistration(
  start: () => Promise<Session>,
  table: RouteTable,
  subjects: readonly string[],
  effort: Effort,
): Promise<Series[]> {
  const samples = new Map<string, number[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < effort.coldStarts; round++) {
    for (const subject of subjects) {
      const session = await start();
      await session.execute({ kind: "prepare", table });
      const { elapsedMs } = await session.execute({ kind: "register", subject, times: 1 });
      samples.get(subject)?.push(elapsedMs);
      await session.close();
    }
  }
  return toSeries(samples);
}

/** Measures the same repeatedly in one process or isolate, with the subjects in turn. */
export async function measureWarmRegistration(
  session: Session,
  table: RouteTable,
  subjects: readonly string[],
  effort: Effort,
): Promise<Series[]> {
  const samples = new Map<string, number[]>(subjects.map((subject) => [subject, []]));
  await session.execute({ kind: "prepare", table });
  const times = effort.registrations;
  for (let round = -1; round < effort.rounds; round++) {
    for (const subject of shuffle(subjects, round)) {
      const { elapsedMs } = await session.execute({ kind: "register", subject, times });
      if (round >= 0) samples.get(subject)?.push(elapsedMs / times); // the first round warms up
    }
  }
  return toSeries(samples);
}

function toSeries(samples: ReadonlyMap<string, readonly number[]>): Series[] {
  return Array.from(samples, ([subject, ms]) => ({ subject, samples: ms }));
}
