import { readChoices, readOptions, reportUsage } from "../../scripts/runner/usage.ts";
import { noPostgres } from "../../test/support/postgres-server.ts";
import { noRedis } from "../../test/support/redis-server.ts";
import { installPeers } from "../support/install-peers.ts";
import { ReportBuilder } from "../support/report.ts";

/** Measures the cache and the queues beside libraries that do only that. */
const parts = ["cache", "memory", "engines"] as const;
const options = await reportUsage(() => readOptions(process.argv.slice(2), { only: "string" }));
const only = await reportUsage(() => readChoices("--only", options.only, parts));
const report = new ReportBuilder("services", options.quick);
installPeers(true);

if (only?.includes("cache")) {
  const { measureCacheHits } = await import("./measure-cache.ts");
  report.add(await measureCacheHits(options.quick));
}
if (only?.includes("memory")) {
  const { measureMemoryQueues } = await import("./measure-memory-queue.ts");
  report.add(await measureMemoryQueues(options.quick));
}
if (only?.includes("engines")) {
  const missing = noRedis ?? noPostgres;
  if (missing === undefined) {
    const { measureJobs } = await import("./measure-jobs.ts");
    report.add(await measureJobs(options.quick));
  } else report.skip(`jobs over servers: ${missing}`);
}
report.finish(options.json);
