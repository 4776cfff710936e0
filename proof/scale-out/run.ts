// Four processes behind nginx over Redis and PostgreSQL: what they share, and jobs while processes and servers are
// killed, suspended and restarted.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { noPostgres } from "../../test/support/postgres-server.ts";
import { noRedis } from "../../test/support/redis-server.ts";
import { findProxy } from "../proxies/proxy.ts";
import { Cluster, type Engine } from "../support/cluster.ts";
import { runProof } from "../support/run-proof.ts";
import { proveHang } from "./prove-hang.ts";
import { type Fault, faults, proveJobs } from "./prove-jobs.ts";
import { proveSchedules, proveSharedState } from "./prove-shared-state.ts";

const program = join(import.meta.dirname, "process.ts");
const processes = 4;
const types = { engine: "string", only: "string", rounds: "string", jobs: "string" } as const;

await runProof("scale-out", types, async (proof, options) => {
  const tried = readChoices<Engine>("--engine", options.engine, ["bullmq", "postgres"]);
  const kinds = readChoices<Fault>("--only", options.only, Object.keys(faults) as Fault[]);
  const rounds = readCount("--rounds", options.rounds, proof.isQuick ? 1 : 50);
  const jobs = readCount("--jobs", options.jobs, proof.isQuick ? 150 : 600);
  const nginx = findProxy("nginx");
  const missing = [noRedis, noPostgres, nginx === undefined ? "nginx is not installed" : undefined];
  const reason = missing.find((one) => one !== undefined);
  if (reason !== undefined) proof.skip(reason);
  proof.addVersion("nginx", nginx ?? "");

  const folder = await mkdtemp(join(tmpdir(), "espalier-scale-out-"));
  try {
    for (const engine of tried) {
      const engines = new Array<Engine>(processes).fill(engine);
      const cluster = await Cluster.start({ name: engine, folder, program, engines });
      try {
        proof.addFinding(await proveSharedState(cluster), `node, ${engine}`);
        proof.addFinding(await proveHang(cluster), `node, ${engine}`);
        for (const fault of kinds) {
          proof.addFinding(
            await proveJobs(cluster, { fault, engine }, { rounds, jobs }),
            `node, ${engine}`,
          );
        }
        // Rounds take longer than the five seconds between two runs.
        while (cluster.recorded("tick").size === 0) await sleep(1_000);
        proof.addFinding(proveSchedules(cluster), `node, ${engine}`);
      } finally {
        await cluster.stop();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
