import { shuffle } from "../support/shuffle.ts";
import type { Series } from "../support/statistics.ts";
import type { ApplicationCase } from "./applications.ts";
import type { Effort } from "./effort.ts";
import type { Verdict } from "./engine/command.ts";
import type { Session, StartSession } from "./runtimes/runtime.ts";

/** Results of one application in one runtime. */
export interface Measured {
  readonly verdicts: readonly Verdict[];
  /** Nanoseconds of a request by round; the same index is the same round for all subjects. */
  readonly series: readonly Series[];
}

/** Checks every response of every framework, then times the correct subjects in turn. */
export async function measureOverhead(
  start: StartSession,
  input: ApplicationCase,
  chosen: (subject: string) => boolean,
  effort: Effort,
): Promise<Measured> {
  const samples = new Map<string, number[]>();
  let verdicts: readonly Verdict[] = [];
  for (let i = 0; i < effort.sessions; i++) {
    const session = await start(input);
    try {
      verdicts = (await session.execute({ kind: "check" })).verdicts ?? [];
      const right = verdicts.filter(({ problem }) => problem === undefined);
      const subjects = right.map(({ subject }) => subject).filter(chosen);
      const counts = new Map<string, number>();
      for (const subject of subjects) counts.set(subject, await warmUp(session, subject, effort));
      for (let round = 0; round < effort.rounds; round++) {
        // A different order each round, so that no subject always pays for the garbage of the same other one.
        for (const subject of shuffle(subjects, round)) {
          const count = counts.get(subject) ?? 1;
          const { elapsedMs } = await session.execute({ kind: "batch", subject, count });
          const own = samples.get(subject) ?? [];
          samples.set(subject, [...own, (elapsedMs * 1e6) / count]);
        }
      }
    } finally {
      await session.close();
    }
  }
  const series = Array.from(samples, ([subject, own]) => ({ subject, samples: own }));
  return { verdicts: verdicts.filter(({ subject }) => chosen(subject)), series };
}

/** Runs a subject until its code is compiled, and returns the number of requests of a batch. */
export async function warmUp(session: Session, subject: string, effort: Effort): Promise<number> {
  let count = 8;
  let spentMs = 0;
  for (let i = 0; i < 200; i++) {
    const { elapsedMs } = await session.execute({ kind: "batch", subject, count });
    spentMs += elapsedMs;
    const factor = effort.batchMs / Math.max(elapsedMs, effort.batchMs / 8);
    if (spentMs >= effort.warmUpMs && factor > 0.7 && factor < 1.3) break;
    count = Math.max(1, Math.round(count * factor));
  }
  return count;
}
