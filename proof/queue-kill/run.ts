// Kills workerd with SIGKILL at random moments while it processes a queue on KV, and restarts it. Every
// accepted job must be completed or failed in the end, and a job may run again only if it was running when
// the process was killed, or if it exceeded its lease on a slow machine.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { jobsOfEach, killOnce } from "./kill-once.ts";
import { bundleWorker } from "./killed-server.ts";

await runProof("queue-kill", { kills: "string" }, async (proof, options) => {
  const kills = readCount("--kills", options.kills, proof.isQuick ? 2 : 50);
  const longestMs = proof.isQuick ? 1_500 : 5_000;
  const workspace = await mkdtemp(join(tmpdir(), "espalier-queue-kill-"));
  const rounds: Awaited<ReturnType<typeof killOnce>>[] = [];
  try {
    const bundle = join(workspace, "worker.js");
    await bundleWorker(bundle);
    for (let round = 0; round < kills; round++) {
      const result = await killOnce(bundle, 50 + Math.random() * longestMs);
      rounds.push(result);
      console.error(`kill ${round + 1} of ${kills}: ${JSON.stringify(result)}`);
      proof.addDetails({ rounds });
    }
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
  const sum = (field: keyof (typeof rounds)[number]): number =>
    rounds.reduce((total, round) => total + round[field], 0);
  const problems = {
    "jobs lost": sum("lost"),
    "jobs still pending": sum("pending"),
    "jobs that ran again without a reason": sum("unexplained"),
  };
  proof.add({
    case: `kills, up to ${jobsOfEach} jobs each`,
    runtime: "workerd",
    tried: kills,
    unit: "kills",
    more: {
      jobsAccepted: sum("accepted"),
      jobsLost: sum("lost"),
      jobsPending: sum("pending"),
      jobsRunningAtKills: sum("inFlight"),
      mostJobsRunningAtOneKill: Math.max(...rounds.map(({ inFlight }) => inFlight)),
      ranAgainAfterAKill: sum("cutOff"),
      ranAgainAfterALease: sum("leaseRanOut"),
      ranAgainWithoutAReason: sum("unexplained"),
      killsBeforeAllWereAccepted: rounds.filter(({ accepted }) => accepted < jobsOfEach).length,
      killsWithJobsRunning: rounds.filter(({ inFlight }) => inFlight > 0).length,
    },
    faults: Object.entries(problems)
      .filter(([, count]) => count > 0)
      .map(([problem, count]) => `${count} ${problem}`),
  });
});
