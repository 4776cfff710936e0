import { reportUsage } from "../../scripts/runner/usage.ts";
import { installPeers } from "../support/install-peers.ts";
import { baseline, ReportBuilder } from "../support/report.ts";
import { roundNumber } from "../support/round-number.ts";
import { shuffle } from "../support/shuffle.ts";
import { quantile } from "../support/statistics.ts";
import { full, quick } from "./effort.ts";
import { loadMadeCase } from "./load-case.ts";
import { warmUp } from "./measure-overhead.ts";
import { parseOptions } from "./options.ts";
import { prepareProcesses } from "./runtimes/process-session.ts";
import type { Session } from "./runtimes/runtime.ts";

/**
 * Measures requests per second in process on Node, of the same application with 10 to 10,000 routes of
 * equal depth with one parameter. Each size has a separate process, and they run in turn;
 * `more.shareOfSmallest` is the speed relative to the smallest size.
 */
const options = await reportUsage(() =>
  parseOptions(process.argv.slice(2), { runtimes: ["node"] }),
);
if (!options.own) installPeers(true);
// Batches are long, because each starts with processor caches filled by another process.
const effort = options.quick ? quick : { ...full, sessions: 2, rounds: 25, batchMs: 150 };
const sizes = options.quick ? [10, 1_000] : [10, 100, 1_000, 10_000];
const subjects = options.subjects ?? ["Espalier", "Hono", "h3"];
const report = new ReportBuilder("scale", options.quick);

interface Runner {
  readonly size: number;
  readonly subject: string;
  readonly session: Session;
  readonly count: number;
  readonly samples: number[];
}

const start = await prepareProcesses("node", { only: subjects, own: options.own });
const runners: Runner[] = [];
try {
  for (const size of sizes) {
    const name = `${size.toLocaleString("en")} routes`;
    if (process.stderr.isTTY) process.stderr.write(`${name} ...\n`);
    const session = await start(loadMadeCase(size));
    const { verdicts = [] } = await session.execute({ kind: "check" });
    for (const { subject, problem } of verdicts) {
      if (problem === undefined) {
        const count = await warmUp(session, subject, effort);
        runners.push({ size, subject, session, count, samples: [] });
      } else report.addShortcoming({ case: name, runtime: "node", subject, reason: problem });
    }
  }
  for (let round = 0; round < effort.rounds * effort.sessions; round++) {
    for (const { session, subject, count, samples } of shuffle(runners, round)) {
      const { elapsedMs } = await session.execute({ kind: "batch", subject, count });
      samples.push((count / elapsedMs) * 1_000);
    }
  }
} finally {
  await Promise.all(runners.map(({ session }) => session.close()));
}

const speedOf = (subject: string, size: number): number => {
  const runner = runners.find((other) => other.subject === subject && other.size === size);
  return quantile(runner?.samples ?? [], 0.5);
};
report.add(
  runners.map(({ size, subject, samples }) => {
    const value = speedOf(subject, size);
    const hono = speedOf(baseline, size);
    return {
      case: `${size.toLocaleString("en")} routes`,
      runtime: "node",
      subject,
      value: roundNumber(value),
      unit: "req/s",
      ratio: Number.isNaN(hono) ? undefined : roundNumber(value / hono),
      low: roundNumber(quantile(samples, 0.25)),
      high: roundNumber(quantile(samples, 0.75)),
      more: { shareOfSmallest: roundNumber(value / speedOf(subject, sizes[0] ?? 0)) },
    };
  }),
);
report.finish(options.jsonFile, "high");
