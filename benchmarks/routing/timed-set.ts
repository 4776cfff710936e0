import { shuffle } from "../support/shuffle.ts";
import { quantile, type Series } from "../support/statistics.ts";
import type { Effort } from "./effort.ts";
import type { RequestSet } from "./engine/command.ts";
import type { RuntimeName, Session } from "./runtimes/runtime.ts";
import { empty } from "./subjects/empty.ts";

/** Requests of a loaded table, timed by round. */
export interface TimedSet {
  /**
   * Runs one batch of each subject consecutively, so that slow moments of the machine affect all of
   * them, in a different order each round, so that no subject always pays for the garbage of the same
   * predecessor.
   */
  runRound(round: number): Promise<void>;
  /** Nanoseconds of each subject in each round so far, without the loop. */
  series(): Series[];
}

/** Warms the subjects up, and determines the number of passes of a batch for each. */
export async function createTimedSet(
  session: Session,
  runtime: RuntimeName,
  set: RequestSet,
  subjects: readonly string[],
  effort: Effort,
): Promise<TimedSet> {
  const batch = async (subject: string, passes: number) => {
    const { result, elapsedMs } = await session.execute({ kind: "batch", subject, set, passes });
    return { elapsedMs, ns: (elapsedMs * 1e6) / result.operations };
  };
  const passes = new Map<string, number>();
  for (const subject of subjects) {
    const run = (count: number) => batch(subject, count);
    passes.set(subject, await warmUp(run, effort.batchMs[runtime], effort.warmUpMs));
  }
  const samples = new Map<string, number[]>(subjects.map((subject) => [subject, []]));
  return {
    async runRound(round) {
      for (const subject of shuffle(subjects, round)) {
        const { ns } = await batch(subject, passes.get(subject) ?? 1);
        samples.get(subject)?.push(ns);
      }
    },
    series() {
      const loop = quantile(samples.get(empty.name) ?? [], 0.5);
      const routers = subjects.filter((subject) => subject !== empty.name);
      return routers.map((subject) => {
        const whole = samples.get(subject) ?? [];
        return { subject, samples: whole.map((ns) => Math.max(0, ns - loop)) };
      });
    },
  };
}

async function warmUp(
  run: (passes: number) => Promise<{ elapsedMs: number }>,
  batchMs: number,
  warmUpMs: number,
): Promise<number> {
  let passes = 1;
  let spentMs = 0;
  for (let i = 0; i < 100; i++) {
    const { elapsedMs } = await run(passes);
    spentMs += elapsedMs;
    const factor = batchMs / Math.max(elapsedMs, batchMs / 8);
    const wanted = Math.max(1, Math.round(passes * factor));
    if (spentMs >= warmUpMs && (wanted === 1 || (factor > 0.7 && factor < 1.3))) break;
    passes = wanted;
  }
  return passes;
}
