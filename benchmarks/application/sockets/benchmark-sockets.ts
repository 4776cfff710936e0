import { baseline, ReportBuilder } from "../../support/report.ts";
import { roundNumber } from "../../support/round-number.ts";
import type { Row } from "../../support/row.ts";
import { shuffle } from "../../support/shuffle.ts";
import { medianRatio, quantile, type Series } from "../../support/statistics.ts";
import type { ApplicationCase } from "../applications.ts";
import { loadCase } from "../load-case.ts";
import type { Options } from "../options.ts";
import { responseAloneName } from "../subjects/subject.ts";
import { cannot, contestants, type ServerRuntime } from "./contestants.ts";
import { type LoadResult, sendLoad } from "./send-load.ts";
import { bundleServer, checkServer, type RunningServer, startServer } from "./start-server.ts";

interface ServerLoad extends LoadResult {
  /** Processor time of the server, in milliseconds. */
  readonly cpuMs: number | undefined;
}

/** Measures requests per second of servers, and the 99th percentile of their latency. */
export async function benchmarkSockets(options: Options): Promise<void> {
  const report = new ReportBuilder("sockets", options.quick);
  for (const runtime of options.runtimes) {
    if (runtime === "workerd") continue;
    const bundles = await bundleAll(runtime, options);
    for (const application of options.applications) {
      if (process.stderr.isTTY) process.stderr.write(`${runtime}: ${application} ...\n`);
      const input = loadCase(application);
      const servers = new Map<string, RunningServer>();
      try {
        for (const [subject, code] of bundles) {
          if (cannot[subject]?.includes(application) === true) continue;
          const where = { case: application, runtime, subject };
          try {
            const server = await startServer(runtime, code, input);
            servers.set(subject, server);
            const isFixed = subject === responseAloneName;
            const problem = await checkServer(server, isFixed ? firstOf(input) : input);
            if (problem === undefined) continue;
            server.stop();
            servers.delete(subject);
            report.addShortcoming({ ...where, reason: problem });
          } catch (error) {
            report.addShortcoming({ ...where, reason: String(error) });
          }
        }
        const load = async (server: RunningServer): Promise<ServerLoad> => {
          const before = server.readCpuMs();
          const result = await sendLoad(server.origin, input, options.quick ? 1 : 2);
          const after = server.readCpuMs();
          const cpuMs = before === undefined || after === undefined ? undefined : after - before;
          return { ...result, cpuMs };
        };
        if (!options.quick) await measureInTurn(servers, load, 1); // warm-up
        const results = await measureInTurn(servers, load, options.quick ? 1 : 7);
        report.add(rowsOf(application, runtime, results));
      } finally {
        for (const server of servers.values()) server.stop();
      }
    }
  }
  report.finish(options.jsonFile, "high");
}

/** Returns a case with its first exchange alone, for a server with one response for all. */
function firstOf(input: ApplicationCase): ApplicationCase {
  return { ...input, timed: input.timed.slice(0, 1), checked: [] };
}

async function bundleAll(
  runtime: ServerRuntime,
  { subjects }: Options,
): Promise<Map<string, string>> {
  const bundles = new Map<string, string>();
  for (const [subject, file] of contestants[runtime]) {
    if (subjects?.includes(subject) === false) continue;
    bundles.set(subject, await bundleServer(runtime, file));
  }
  return bundles;
}

/** Loads each server once per round, in a different order each round. */
async function measureInTurn(
  servers: ReadonlyMap<string, RunningServer>,
  load: (server: RunningServer) => Promise<ServerLoad>,
  rounds: number,
): Promise<Map<string, ServerLoad[]>> {
  const results = new Map<string, ServerLoad[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [subject, server] of shuffle([...servers], round)) {
      results.set(subject, [...(results.get(subject) ?? []), await load(server)]);
    }
  }
  return results;
}

function rowsOf(
  application: string,
  runtime: string,
  results: ReadonlyMap<string, readonly ServerLoad[]>,
): Row[] {
  const series = Array.from(results, ([subject, all]): Series => {
    return { subject, samples: all.map(({ requestsPerSecond }) => requestsPerSecond) };
  });
  const hono = series.find(({ subject }) => subject === baseline);
  return series.map((own) => {
    const all = results.get(own.subject) ?? [];
    const p99Ms = quantile(
      all.map((result) => result.p99Ms),
      0.5,
    );
    return {
      case: application,
      runtime,
      subject: own.subject,
      value: roundNumber(quantile(own.samples, 0.5)),
      unit: "req/s",
      ratio: hono && roundNumber(medianRatio(own, hono)),
      low: roundNumber(quantile(own.samples, 0.25)),
      high: roundNumber(quantile(own.samples, 0.75)),
      more: { p99Ms: roundNumber(p99Ms), ...cpuMicros(all) },
    };
  });
}

/** Returns the processor time per request in microseconds, which other load on the machine affects less. */
function cpuMicros(all: readonly ServerLoad[]): { readonly cpuMicros?: number } {
  const each = all.flatMap(({ cpuMs, requests }) =>
    cpuMs === undefined ? [] : [(cpuMs * 1_000) / requests],
  );
  return each.length === 0 ? {} : { cpuMicros: roundNumber(quantile(each, 0.5)) };
}
