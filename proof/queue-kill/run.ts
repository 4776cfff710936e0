// Kills workerd and Deno with SIGKILL at random moments while they process a queue, and restarts them. Every
// accepted job must be completed or failed in the end, and a job may run again only if it was running when
// the process was killed, or if it exceeded its lease on a slow machine.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { type Driver, driverNames, drivers, jobsOfEach } from "./drivers.ts";
import { type KillResult, killOnce } from "./kill-once.ts";
import { bundleServer } from "./killed-server.ts";

await runProof("queue-kill", { kills: "string", driver: "string" }, async (proof, options) => {
  const chosen = readChoices("--driver", options.driver, driverNames);
  const kills = readCount("--kills", options.kills, proof.isQuick ? 2 : 50);
  const rounds: Partial<Record<Driver, KillResult[]>> = {};
  const workspace = await mkdtemp(join(tmpdir(), "espalier-queue-kill-"));
  try {
    for (const driver of chosen) {
      const bundle = join(workspace, `${driver}.js`);
      await bundleServer(driver, bundle);
      const results: KillResult[] = [];
      rounds[driver] = results;
      const { latestKillMs, roundsAtOnce } = drivers[driver];
      const runRounds = async (): Promise<void> => {
        while (started < kills) {
          started += 1;
          const result = await killOnce(driver, bundle, 50 + Math.random() * latestKillMs);
          results.push(result);
          console.error(`${driver}, kill ${results.length} of ${kills}: ${JSON.stringify(result)}`);
          proof.addDetails({ rounds });
        }
      };
      let started = 0;
      await Promise.all(Array.from({ length: roundsAtOnce }, runRounds));
      proof.add(caseOf(driver, results));
    }
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
});

function caseOf(driver: Driver, rounds: readonly KillResult[]) {
  const sum = (field: keyof KillResult): number =>
    rounds.reduce((total, round) => total + round[field], 0);
  const problems = {
    "jobs lost": sum("lost"),
    "jobs still pending": sum("pending"),
    "jobs that ran again without a reason": sum("unexplained"),
  };
  return {
    case: `kills, up to ${jobsOfEach} jobs each, on ${drivers[driver].title}`,
    runtime: drivers[driver].runtime,
    tried: rounds.length,
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
  };
}
