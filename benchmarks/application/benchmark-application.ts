import { ReportBuilder } from "../support/report.ts";
import { type Effort, full, quick } from "./effort.ts";
import { loadCase } from "./load-case.ts";
import { measureOverhead } from "./measure-overhead.ts";
import type { Options } from "./options.ts";
import { overheadRows } from "./overhead-rows.ts";
import { prepareProcesses } from "./runtimes/process-session.ts";
import type { RuntimeName, StartSession } from "./runtimes/runtime.ts";
import { prepareWorkers } from "./runtimes/workerd-session.ts";

const prepare = (runtime: RuntimeName, own: boolean): Promise<StartSession> =>
  runtime === "workerd" ? prepareWorkers({ own }) : prepareProcesses(runtime, { own });

/** Batches in a worker are longer, because the latency of the commands varies. */
function effortFor(runtime: RuntimeName, isQuick: boolean): Effort {
  const effort = isQuick ? quick : full;
  return runtime === "workerd" ? { ...effort, batchMs: effort.batchMs * 3 } : effort;
}

/** Measures the overhead of frameworks per request, in process. @throws for a wrong response of Espalier. */
export async function benchmarkApplication(options: Options): Promise<void> {
  const report = new ReportBuilder("application", options.quick);
  const chosen = (subject: string) =>
    subject === "bare" || (options.subjects?.includes(subject) ?? true);
  for (const runtime of options.runtimes) {
    const effort = effortFor(runtime, options.quick);
    const start = await prepare(runtime, options.own);
    for (const application of options.applications) {
      if (process.stderr.isTTY) process.stderr.write(`${runtime}: ${application} ...\n`);
      const input = loadCase(application);
      const { verdicts, series } = await measureOverhead(start, input, chosen, effort);
      report.add(overheadRows(application, runtime, series, effort.rounds));
      for (const { subject, problem } of verdicts) {
        if (problem === undefined) continue;
        report.addShortcoming({ case: application, runtime, subject, reason: problem });
      }
    }
  }
  report.finish(options.jsonFile);
}
