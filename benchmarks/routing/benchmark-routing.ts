import { RunClock, writeResult } from "../../scripts/runner/result.ts";
import { findBenchmark } from "../benchmarks.ts";
import { describeAllVersions } from "../support/versions.ts";
import { full, quick } from "./effort.ts";
import { measureMatching, measureTogether } from "./measure-matching.ts";
import { measureMemory } from "./measure-memory.ts";
import { measureColdRegistration, measureWarmRegistration } from "./measure-registration.ts";
import type { Options } from "./options.ts";
import { printResult } from "./print-result.ts";
import type { Result } from "./result.ts";
import { Results } from "./results.ts";
import { bundleForNode, bundleForWorkerd } from "./runtimes/bundle.ts";
import { startNodeSession } from "./runtimes/node-session.ts";
import type { RuntimeName, Session } from "./runtimes/runtime.ts";
import { startWorkerdSession } from "./runtimes/workerd-session.ts";
import { peers } from "./subjects/peers.ts";
import { rou3Compiled } from "./subjects/rou3.ts";
import { loadGithubRestTable } from "./tables/github-rest-table.ts";
import { createGrownTable } from "./tables/grown-table.ts";
import type { RouteTable } from "./tables/route-table.ts";
import { loadSharedTable, sharedTableNames } from "./tables/shared-table.ts";

/** Runs the routing benchmark and reports the result. @throws for a wrong result of Espalier. */
export async function benchmarkRouting(options: Options): Promise<void> {
  const effort = options.quick ? quick : full;
  const clock = new RunClock(findBenchmark("routing"), options.quick);
  const skipped: string[] = [];
  const tables = loadTables(options.table, skipped);
  const results = new Results();
  await bundleForNode();
  const workerdBundle = await bundleForWorkerd();

  for (const runtime of options.runtimes) {
    const start = (table: RouteTable): Promise<Session> =>
      runtime === "node" ? startNodeSession() : startWorkerdSession(workerdBundle, table);
    for (const table of tables) {
      progress(runtime, table.name);
      results.addTable(table.name, runtime, await measureMatching(start, runtime, table, effort));
    }
    if (options.table !== undefined) continue;

    progress(runtime, "growing tables");
    const grown = effort.grownSizes.map(createGrownTable);
    results.addGrowth(
      runtime,
      effort.grownSizes,
      await measureTogether(start, runtime, grown, effort),
    );

    progress(runtime, "registering 1,000 routes");
    const thousand = createGrownTable(1_000);
    const subjects = registering(runtime, results);
    const startThousand = () => start(thousand);
    results.add(
      "register 1,000 routes and match, cold",
      runtime,
      "ms",
      await measureColdRegistration(startThousand, thousand, subjects, effort),
    );
    const session = await startThousand();
    results.add(
      "register 1,000 routes and match, warm",
      runtime,
      "ms",
      await measureWarmRegistration(session, thousand, subjects, effort),
    );
    await session.close();
    if (runtime === "node") {
      progress(runtime, "memory");
      const memories = await measureMemory(startThousand, thousand, subjects, effort);
      results.add("memory of 1,000 routes", runtime, "KiB", memories);
    }
  }

  const result: Result = {
    ...clock.describe(describeAllVersions()),
    ...results.collect(),
    skipped,
  };
  printResult(result);
  writeResult(options.jsonFile, result);
}

/** Returns the tables in order; a table that is missing is listed in `skipped`. */
function loadTables(only: string | undefined, skipped: string[]): RouteTable[] {
  const tables: RouteTable[] = [];
  for (const name of [...sharedTableNames, "github-rest"]) {
    if (only !== undefined && only !== name) continue;
    const table = name === "github-rest" ? loadGithubRestTable() : loadSharedTable(name);
    if (table !== undefined) tables.push(table);
    else skipped.push("github-rest: @octokit/openapi is not installed");
  }
  if (only !== undefined && tables.length === 0 && skipped.length === 0) {
    throw new Error(`Unknown table "${only}". Known: ${sharedTableNames.join(", ")}, github-rest.`);
  }
  return tables;
}

/** Returns the routers whose registration can be timed: those that accept the table at run time. */
function registering(runtime: RuntimeName, results: Results): string[] {
  const refused = results.refused("grown-1000", runtime);
  return ["Espalier", ...peers.map(({ name }) => name)].filter((name) => {
    const atBuildTime = runtime === "workerd" && name === rou3Compiled.name;
    return !refused.has(name) && !atBuildTime;
  });
}

function progress(runtime: RuntimeName, what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${runtime}: ${what} ...\n`);
}
