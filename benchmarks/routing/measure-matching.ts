import type { Effort } from "./effort.ts";
import type { RequestSet, Verdict } from "./engine/command.ts";
import type { RuntimeName, Session } from "./runtimes/runtime.ts";
import { quantile, type Series } from "./statistics.ts";
import { empty } from "./subjects/empty.ts";
import type { RouteTable } from "./tables/route-table.ts";

/** What came out for one table in one runtime. */
export interface TableResult {
  readonly verdicts: readonly Verdict[];
  readonly sizes: Readonly<Record<RequestSet, number>>;
  /** Nanoseconds for one request of a set, without the loop around it; empty if nothing agreed. */
  readonly ns: Readonly<Record<RequestSet, readonly Series[]>>;
}

/**
 * Checks every answer of every router for a table, then times those that answer rightly: round
 * after round, each round one batch of each (A B C A B C ...), so that a slow moment of the machine
 * meets them all. Every batch's sum of answers is compared inside the engine.
 */
export async function measureMatching(
  session: Session,
  runtime: RuntimeName,
  table: RouteTable,
  sets: readonly RequestSet[],
  effort: Effort,
): Promise<TableResult> {
  const { verdicts, sizes } = (await session.execute({ kind: "load", table })).result;
  const measured = verdicts.filter(({ problem }) => problem === undefined);
  const subjects = [empty.name, ...measured.map(({ subject }) => subject)];
  const ns: Record<RequestSet, readonly Series[]> = { matches: [], misses: [] };
  for (const set of sets) {
    if (sizes[set] > 0) ns[set] = await measureSet(session, runtime, set, subjects, effort);
  }
  return { verdicts, sizes, ns };
}

async function measureSet(
  session: Session,
  runtime: RuntimeName,
  set: RequestSet,
  subjects: readonly string[],
  effort: Effort,
): Promise<Series[]> {
  const batch = async (subject: string, passes: number) => {
    const { result, elapsedMs } = await session.execute({ kind: "batch", subject, set, passes });
    return { elapsedMs, ns: (elapsedMs * 1e6) / result.operations };
  };
  const passes = new Map<string, number>();
  for (const subject of subjects) {
    passes.set(
      subject,
      await warmUp((count) => batch(subject, count), effort.batchMs[runtime], effort),
    );
  }
  const samples = new Map<string, number[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < effort.rounds; round++) {
    for (const subject of subjects) {
      const { ns } = await batch(subject, passes.get(subject) ?? 1);
      samples.get(subject)?.push(ns);
    }
  }
  const loop = quantile(samples.get(empty.name) ?? [], 0.5);
  return subjects
    .filter((subject) => subject !== empty.name)
    .map((subject) => {
      const whole = samples.get(subject) ?? [];
      return { subject, samples: whole.map((ns) => Math.max(0, ns - loop)) };
    });
}

/** Runs a subject until it is warm, and finds how many passes make a batch of the wanted length. */
async function warmUp(
  run: (passes: number) => Promise<{ elapsedMs: number }>,
  batchMs: number,
  effort: Effort,
): Promise<number> {
  let passes = 1;
  let spentMs = 0;
  for (let i = 0; i < 100; i++) {
    const { elapsedMs } = await run(passes);
    spentMs += elapsedMs;
    const factor = batchMs / Math.max(elapsedMs, batchMs / 8);
    if (factor > 1.3 || factor < 0.7) passes = Math.max(1, Math.round(passes * factor));
    else if (spentMs >= effort.warmUpMs) break;
    if (passes === 1 && spentMs >= effort.warmUpMs) break;
  }
  return passes;
}
