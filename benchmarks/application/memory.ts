import { reportUsage } from "../../scripts/runner/usage.ts";
import { installPeers } from "../support/install-peers.ts";
import { ours, ReportBuilder } from "../support/report.ts";
import { roundNumber } from "../support/round-number.ts";
import { loadCase } from "./load-case.ts";
import { measureMemoryCourse, slopeBytesPerRequest } from "./measure-memory.ts";
import { parseOptions } from "./options.ts";
import { prepareProcesses } from "./runtimes/process-session.ts";
import { prepareWorkers } from "./runtimes/workerd-session.ts";

/**
 * Measures the growth of memory with requests: heap and wasm memory, read eleven times over a million
 * requests, by default of Espalier only (`--subject`). The heap is read after a garbage collection; in
 * workerd, which cannot be asked for one, the minimum since the previous reading is used.
 */
const options = await reportUsage(() =>
  parseOptions(process.argv.slice(2), {
    runtimes: ["node", "deno", "bun", "workerd"],
  }),
);
if (!options.own) installPeers(true);
const requests = options.quick ? 20_000 : options.requests;
const report = new ReportBuilder("memory", options.quick);

for (const runtime of options.runtimes) {
  for (const subject of options.subjects ?? [ours]) {
    const start = await (runtime === "workerd"
      ? prepareWorkers({ inspected: true, own: options.own })
      : prepareProcesses(runtime, { only: [subject], own: options.own }));
    for (const application of options.applications) {
      const input = loadCase(application);
      if (process.stderr.isTTY) process.stderr.write(`${runtime}: ${application} ...\n`);
      const course = await measureMemoryCourse(start, input, subject, requests);
      const [first, last] = [course.points.at(0), course.points.at(-1)];
      if (first === undefined || last === undefined) throw new Error("Nothing was measured.");
      const wasm = course.points.map(({ wasmBytes }) => wasmBytes);
      const heap = course.points.map(({ heapBytes }) => heapBytes);
      report.add([
        {
          case: `${application}, ${requests.toLocaleString("en")} requests`,
          runtime,
          subject,
          value: roundNumber(slopeBytesPerRequest(course)),
          unit: "B/req",
          ratio: undefined,
          low: roundNumber(Math.min(...heap)),
          high: roundNumber(Math.max(...heap)),
          more: {
            heapFirstBytes: first.heapBytes,
            heapLastBytes: last.heapBytes,
            wasmFirstBytes: Math.min(...wasm),
            wasmLastBytes: Math.max(...wasm),
          },
        },
      ]);
    }
  }
}
report.finish(options.jsonFile);
