import { baseline, ReportBuilder } from "../../support/report.ts";
import { roundNumber } from "../../support/round-number.ts";
import type { Row } from "../../support/row.ts";
import { shuffle } from "../../support/shuffle.ts";
import { medianRatio, quantile, type Series, timesWithInterval } from "../../support/statistics.ts";
import type { ApplicationCase } from "../applications.ts";
import { loadMadeCase } from "../load-case.ts";
import type { Options } from "../options.ts";
import { startContestants } from "./contestants.ts";
import { prepareStartInNode } from "./start-in-node.ts";
import { prepareStartInWorkerd } from "./start-in-workerd.ts";
import type { StartTimes } from "./start-times.ts";

const sizes = [10, 1_000];

/** Measures a cold start: evaluating the modules, building the application, and the first response. */
export async function benchmarkStart(options: Options): Promise<void> {
  const report = new ReportBuilder("start", options.quick);
  const starts = options.quick ? 1 : 15;
  for (const runtime of ["node", "workerd"] as const) {
    if (!options.runtimes.includes(runtime)) continue;
    const prepare = runtime === "node" ? prepareStartInNode : prepareStartInWorkerd;
    const starters = new Map<string, (input: ApplicationCase) => Promise<StartTimes>>();
    for (const [subject, file] of startContestants[runtime]) {
      if (options.subjects?.includes(subject) === false) continue;
      starters.set(subject, await prepare(file));
    }
    const cases = sizes.map(loadMadeCase);
    const times = new Map<string, Map<string, StartTimes[]>>();
    for (let round = 0; round < starts; round++) {
      if (process.stderr.isTTY) process.stderr.write(`${runtime}: start ${round + 1} ...\n`);
      for (const [subject, start] of shuffle([...starters], round)) {
        for (const input of cases) {
          const name = `${input.routes.length.toLocaleString("en")} routes`;
          try {
            const own = times.get(name) ?? new Map<string, StartTimes[]>();
            own.set(subject, [...(own.get(subject) ?? []), await start(input)]);
            times.set(name, own);
          } catch (error) {
            report.addShortcoming({ case: name, runtime, subject, reason: String(error) });
            starters.delete(subject); // reported once
          }
        }
      }
    }
    for (const [name, own] of times) report.add(rowsOf(name, runtime, own));
  }
  report.finish(options.jsonFile);
}

function rowsOf(
  name: string,
  runtime: string,
  times: ReadonlyMap<string, readonly StartTimes[]>,
): Row[] {
  const rows = (title: string, read: (times: StartTimes) => number): Row[] => {
    const series = Array.from(times, ([subject, all]): Series => {
      return { subject, samples: all.map(read) };
    });
    const hono = series.find(({ subject }) => subject === baseline);
    return series.map((own) => ({
      case: title,
      runtime,
      subject: own.subject,
      value: roundNumber(quantile(own.samples, 0.5)),
      unit: "ms",
      ratio: hono && roundNumber(medianRatio(hono, own)),
      low: roundNumber(quantile(own.samples, 0.25)),
      high: roundNumber(quantile(own.samples, 0.75)),
      ...(hono && { more: timesWithInterval("times", own, hono, 1) }),
    }));
  };
  return [
    ...rows(`${name}, evaluating the modules`, ({ evaluationMs }) => evaluationMs),
    ...rows(`${name}, building and the first response`, ({ firstMs }) => firstMs),
    ...rows(`${name}, both`, ({ evaluationMs, firstMs }) => evaluationMs + firstMs),
  ];
}
