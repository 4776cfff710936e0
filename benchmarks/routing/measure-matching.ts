import type { Effort } from "./effort.ts";
import type { RequestSet, Verdict } from "./engine/command.ts";
import type { RuntimeName, Session } from "./runtimes/runtime.ts";
import type { Series } from "./statistics.ts";
import { empty } from "./subjects/empty.ts";
import type { RouteTable } from "./tables/route-table.ts";
import { createTimedSet } from "./timed-set.ts";

/** What came out for one table in one runtime. */
export interface TableResult {
  readonly verdicts: readonly Verdict[];
  /** Nanoseconds for one request of a set, without the loop around it; empty if nothing agreed. */
  readonly ns: Readonly<Record<RequestSet, readonly Series[]>>;
}

/** Checks every answer of every router for a table, then times those that answer rightly. */
export async function measureMatching(
  session: Session,
  runtime: RuntimeName,
  table: RouteTable,
  effort: Effort,
): Promise<TableResult> {
  const { verdicts, sizes } = (await session.execute({ kind: "load", table })).result;
  const subjects = measurable(verdicts);
  const ns: Record<RequestSet, readonly Series[]> = { matches: [], misses: [] };
  for (const set of ["matches", "misses"] as const) {
    if (sizes[set] === 0) continue;
    const timed = await createTimedSet(session, runtime, set, subjects, effort);
    for (let round = 0; round < effort.rounds; round++) await timed.runRound();
    ns[set] = timed.series();
  }
  return { verdicts, ns };
}

/**
 * Times several tables in turn within each round, each in a session of its own, so that the growth
 * from one to the next is that of the same moment.
 */
export async function measureTogether(
  sessions: readonly (readonly [Session, RouteTable])[],
  runtime: RuntimeName,
  effort: Effort,
): Promise<TableResult[]> {
  const loaded = [];
  for (const [session, table] of sessions) {
    const { verdicts } = (await session.execute({ kind: "load", table })).result;
    const subjects = measurable(verdicts);
    const timed = await createTimedSet(session, runtime, "matches", subjects, effort);
    loaded.push({ verdicts, timed });
  }
  for (let round = 0; round < effort.rounds; round++) {
    for (const { timed } of loaded) await timed.runRound();
  }
  return loaded.map(({ verdicts, timed }) => ({
    verdicts,
    ns: { matches: timed.series(), misses: [] },
  }));
}

/** The subjects to time: those without a problem, and the loop itself. */
function measurable(verdicts: readonly Verdict[]): string[] {
  const right = verdicts.filter(({ problem }) => problem === undefined);
  return [empty.name, ...right.map(({ subject }) => subject)];
}
