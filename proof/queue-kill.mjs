// Kills workerd with SIGKILL at random moments while it works off a queue on KV, starts it again, and
// counts: every job that was accepted must be done or dead in the end, and what runs once more than it had
// to must have been in flight when the process was killed, or have outlived its lease on a slow machine.
//
//   node proof/queue-kill.mjs [--kills 50] [--json FILE]
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { jobsOfEach, killOnce } from "./queue-kill/kill-once.ts";
import { bundleWorker } from "./queue-kill/killed-server.ts";

const { values: options } = parseArgs({
  options: { kills: { type: "string", default: "50" }, json: { type: "string" } },
});
const kills = Number(options.kills);
const workspace = await mkdtemp(join(tmpdir(), "espalier-queue-kill-"));
try {
  const bundle = join(workspace, "worker.js");
  await bundleWorker(bundle);
  const rounds = [];
  for (let round = 0; round < kills; round++) {
    const result = await killOnce(bundle, 50 + Math.random() * 5_000);
    rounds.push(result);
    console.log(`kill ${round + 1} of ${kills}: ${JSON.stringify(result)}`);
  }
  const sum = (field) => rounds.reduce((total, round) => total + round[field], 0);
  const summary = {
    kills,
    jobsOfEach,
    accepted: sum("accepted"),
    lost: sum("lost"),
    stillPending: sum("pending"),
    inFlightAtKills: sum("inFlight"),
    mostInFlightAtOneKill: Math.max(...rounds.map((round) => round.inFlight)),
    ranOnceMoreAsTheyWereCutOff: sum("cutOff"),
    ranOnceMoreAsTheirLeaseRanOut: sum("leaseRanOut"),
    ranOnceMoreForNoReason: sum("unexplained"),
    killsBeforeAllWereAccepted: rounds.filter((round) => round.accepted < jobsOfEach).length,
    killsThatCutJobsOff: rounds.filter((round) => round.inFlight > 0).length,
  };
  console.log(JSON.stringify(summary, undefined, 2));
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ summary, rounds }, undefined, 2)}\n`);
  }
  const faults = summary.lost + summary.stillPending + summary.ranOnceMoreForNoReason;
  if (faults > 0) process.exitCode = 1;
} finally {
  await rm(workspace, { recursive: true, force: true });
}
