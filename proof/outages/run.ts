// Four processes behind nginx under a steady mixed load, while Redis and PostgreSQL are killed and started again,
// suspended, and lose their connections, and processes are restarted: each response, job and run of a schedule is
// judged by which server was away at that time.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCount, UsageError } from "../../scripts/runner/usage.ts";
import { noPostgres } from "../../test/support/postgres-server.ts";
import { noRedis } from "../../test/support/redis-server.ts";
import { findProxy } from "../proxies/proxy.ts";
import { Cluster } from "../support/cluster.ts";
import { runProof } from "../support/run-proof.ts";
import { proveOutages } from "./prove-outages.ts";

const program = join(import.meta.dirname, "process.ts");
const engines = ["bullmq", "bullmq", "postgres", "postgres"] as const;
/** Time in which the short form has each outage once, in minutes. */
const quickMinutes = 65 / 60;

await runProof("outages", { minutes: "string", seed: "string" }, async (proof, options) => {
  const minutes = Number(options.minutes ?? (proof.isQuick ? quickMinutes : 60));
  if (!(minutes >= 1)) {
    throw new UsageError(`The option --minutes must be 1 or more, got "${options.minutes}".`);
  }
  const seed = readCount("--seed", options.seed, Math.floor(Math.random() * 2 ** 31) + 1);
  const nginx = findProxy("nginx");
  const missing = [noRedis, noPostgres, nginx === undefined ? "nginx is not installed" : undefined];
  const reason = missing.find((one) => one !== undefined);
  if (reason !== undefined) proof.skip(reason);
  proof.addVersion("nginx", nginx ?? "");
  proof.addDetails({ seed, minutes });

  // Servers are in separate process groups, and must end with the proof.
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new Error("The proof was interrupted."));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, interrupt);
  const folder = await mkdtemp(join(tmpdir(), "espalier-outages-"));
  try {
    const cluster = await Cluster.start({ name: "outages", folder, program, engines });
    try {
      const { isQuick } = proof;
      const { signal } = interruption;
      const findings = await proveOutages(cluster, { minutes, seed, isQuick, signal });
      for (const finding of findings) proof.addFinding(finding, "node, bullmq and postgres");
    } finally {
      await cluster.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
