import type { Series } from "../support/statistics.ts";
import type { Effort } from "./effort.ts";
import type { RequestSet, Verdict } from "./engine/command.ts";
import type { RuntimeName, Session } from "./runtimes/runtime.ts";
import { empty } from "./subjects/empty.ts";
import type { RouteTable } from "./tables/route-table.ts";
import { createTimedSet } from "./timed-set.ts";

/** What came out for one table in one runtime. */
export interface TableResult {
  readonly verdicts: readonly Verdict[];
  /** Nanoseconds for one request of a set, without the loop around it; empty if nothing agreed. */
  readonly ns: Readonly<Record<RequestSet, readonly Series[]>>;
}

/** Starts a fresh process or isolate that can hold a table. */
export type StartSession = (table: RouteTable) => Promise<Session>;

/** Checks every answer of every router for a table, then times those that answer rightly. */
export async function measureMatching(
  start: StartSession,
  runtime: RuntimeName,
  table: RouteTable,
  effort: Effort,
): Promise<TableResult> {
  const results: TableResult[] = [];
  for (let i = 0; i < effort.sessions; i++) {
    const session = await start(table);
    const { verdicts, sizes } = (await session.execute({ kind: "load", table })).result;
    const subjects = measurable(verdicts);
    const ns: Record<RequestSet, readonly Series[]> = { matches: [], misses: [] };
    for (const set of ["matches", "misses"] as const) {
      if (sizes[set] === 0) continue;
      const timed = await createTimedSet(session, runtime, set, subjects, effort);
      for (let round = 0; round < effort.rounds; round++) await timed.runRound(round);
      ns[set] = timed.series();
    }
    await session.close();
    results.push({ verdicts, ns });
  }
  return united(results);
}

/**
 * Times several tables in turn within each round, each in a session of its own, so that the growth
 * from one to the next is that of the same moment.
 */
export async function measureTogether(
  start: StartSession,
  runtime: RuntimeName,
  tables: readonly RouteTable[],
  effort: Effort,
): Promise<TableResult[]> {
  const results: TableResult[][] = tables.map(() => []);
  for (let i = 0; i < effort.sessions; i++) {
    const loaded = [];
    for (const table of tables) {
      const session = await start(table);
      const { verdicts } = (await session.execute({ kind: "load", table })).result;
      const subjects = measurable(verdicts);
      const timed = await createTimedSet(session, runtime, "matches", subjects, effort);
      loaded.push({ session, verdicts, timed });
    }
    for (let round = 0; round < effort.rounds; round++) {
      for (const { timed } of loaded) await timed.runRound(round);
    }
    for (const [at, { session, verdicts, timed }] of loaded.entries()) {
      results[at]?.push({ verdicts, ns: { matches: timed.series(), misses: [] } });
      await session.close();
    }
  }
  return results.map(united);
}

/** The sessions of one table as one: the same verdicts, and the samples one after the other. */
function united(results: readonly TableResult[]): TableResult {
  const verdicts = results[0]?.verdicts ?? [];
  const unite = (set: RequestSet): Series[] =>
    (results[0]?.ns[set] ?? []).map(({ subject }) => {
      const all = results.flatMap(({ ns }) => ns[set].filter((own) => own.subject === subject));
      return { subject, samples: all.flatMap(({ samples }) => samples) };
    });
  return { verdicts, ns: { matches: unite("matches"), misses: unite("misses") } };
}

/** The subjects to time: those without a problem, and the loop itself. */
function measurable(verdicts: readonly Verdict[]): string[] {
  const right = verdicts.filter(({ problem }) => problem === undefined);
  return [empty.name, ...right.map(({ subject }) => subject)];
}
