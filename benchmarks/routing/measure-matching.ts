import type { Series } from "../support/statistics.ts";
import type { Effort } from "./effort.ts";
import type { RequestSet, Verdict } from "./engine/command.ts";
import type { RuntimeName, Session } from "./runtimes/runtime.ts";
import { empty } from "./subjects/empty.ts";
import type { RouteTable } from "./tables/route-table.ts";
import { createTimedSet } from "./timed-set.ts";

/** Results of one table in one runtime. */
export interface TableResult {
  readonly verdicts: readonly Verdict[];
  /** Nanoseconds per request of a set, without the loop; empty if the routers agree on no request. */
  readonly ns: Readonly<Record<RequestSet, readonly Series[]>>;
  /** Number of rounds of a process. */
  readonly ofSession: number;
}

/** Starts a fresh process or isolate for a table. */
export type StartSession = (table: RouteTable) => Promise<Session>;

/** Checks every result of every router for a table, then times the correct ones. */
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
    results.push({ verdicts, ns, ofSession: effort.rounds });
  }
  return united(results);
}

/**
 * Times several tables in turn within each round, each in a separate session, so that their ratio is
 * measured under the same load.
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
      const ns = { matches: timed.series(), misses: [] };
      results[at]?.push({ verdicts, ns, ofSession: effort.rounds });
      await session.close();
    }
  }
  return results.map(united);
}

/** Merges the sessions of one table: concatenates their samples. */
function united(results: readonly TableResult[]): TableResult {
  const verdicts = results[0]?.verdicts ?? [];
  const unite = (set: RequestSet): Series[] =>
    (results[0]?.ns[set] ?? []).map(({ subject }) => {
      const all = results.flatMap(({ ns }) => ns[set].filter((own) => own.subject === subject));
      return { subject, samples: all.flatMap(({ samples }) => samples) };
    });
  const ns = { matches: unite("matches"), misses: unite("misses") };
  return { verdicts, ns, ofSession: results[0]?.ofSession ?? 1 };
}

/** Returns the subjects to time: those without a problem, and the empty loop. */
function measurable(verdicts: readonly Verdict[]): string[] {
  const right = verdicts.filter(({ problem }) => problem === undefined);
  return [empty.name, ...right.map(({ subject }) => subject)];
}
