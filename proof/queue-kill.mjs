// Kills workerd with SIGKILL at random moments while it works off a queue on KV, starts it again, and
// counts: every job that was accepted must be done or dead in the end, and what runs once more than it had
// to must have been in flight when the process was killed, or have outlived its lease on a slow machine.
//
//   node proof/queue-kill.mjs [--quick] [--json FILE]
import { fork } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { values: options } = parseArgs({
  options: { quick: { type: "boolean" }, json: { type: "string" } },
});
const kills = options.quick ? 3 : 50;
const jobs = 200;
/** The lease of queue-kill-worker.ts. */
const leaseMs = 4_000;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A worker in a process group of its own, over the KV of a folder. */
async function startServer(bundle, folder) {
  const child = fork(path("queue-kill-server.mjs"), [bundle, folder], {
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message.url));
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  return {
    async get(request) {
      const response = await fetch(new URL(request, url), { signal: AbortSignal.timeout(60_000) });
      if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    async kill() {
      // The group: Node, and the workerd that it started.
      process.kill(-child.pid, "SIGKILL");
      await exited;
    },
  };
}

/** Enqueues and drains until it is killed; resolves to the ids whose enqueue was answered. */
async function workUntilKilled(server) {
  const accepted = [];
  try {
    for (let first = 0; first < jobs; first += 25) {
      accepted.push(...(await server.get(`/enqueue?first=${first}&count=25`)));
    }
    for (;;) await server.get("/drain");
  } catch {
    // Killed: the request was cut off, or the next found nobody.
  }
  return accepted;
}

/** How often a job runs when nothing is cut off. */
function expectedRuns(id) {
  const number = Number(id.slice("job-".length));
  if (number % 20 === 0) return 5;
  return number % 7 === 0 ? 2 : 1;
}

/** Runs beyond the expected ones, by why: cut off by the kill, a lease that ran out since, or neither. */
function countExtraRuns(allRuns, inFlight) {
  const extra = { cutOff: 0, leaseRanOut: 0, unexplained: 0 };
  const runsOf = Map.groupBy(allRuns, (run) => run.slice(0, run.indexOf("/")));
  for (const [id, runs] of runsOf) {
    let more = Math.max(0, runs.length - expectedRuns(id));
    if (more > 0 && inFlight.has(id)) {
      extra.cutOff += 1;
      more -= 1;
    }
    const began = runs.map((run) => Number(run.split("/")[1])).sort((a, b) => a - b);
    const late = began.filter((at, index) => index > 0 && at - began[index - 1] >= leaseMs * 0.9);
    extra.leaseRanOut += Math.min(more, late.length);
    extra.unexplained += more - Math.min(more, late.length);
  }
  return extra;
}

async function killOnce(bundle, killAfterMs) {
  const folder = await mkdtemp(join(tmpdir(), "espalier-queue-kill-"));
  try {
    const server = await startServer(bundle, folder);
    const working = workUntilKilled(server);
    await sleep(killAfterMs);
    const before = await server.get("/status").catch(() => undefined);
    await server.kill();
    const accepted = await working;

    const restarted = await startServer(bundle, folder);
    try {
      const startedAt = Date.now();
      let status = await restarted.get("/status");
      const inFlight = new Set(status.inFlight);
      while (status.pending > 0 && Date.now() - startedAt < 120_000) {
        await restarted.get("/drain");
        await sleep(50);
        status = await restarted.get("/status");
      }
      const ended = new Set([...status.done, ...status.dead]);
      const extraRuns = countExtraRuns(status.runs, inFlight);
      return {
        killAfterMs: Math.round(killAfterMs),
        doneAtKill: before?.done.length ?? 0,
        accepted: accepted.length,
        done: status.done.length,
        dead: status.dead.length,
        pending: status.pending,
        lost: accepted.filter((id) => !ended.has(id)).length,
        inFlight: inFlight.size,
        ...extraRuns,
      };
    } finally {
      await restarted.kill();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const workspace = await mkdtemp(join(tmpdir(), "espalier-queue-kill-"));
try {
  const bundle = join(workspace, "worker.js");
  await build({
    entryPoints: [path("queue-kill-worker.ts")],
    outfile: bundle,
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    logLevel: "error",
  });
  const rounds = [];
  for (let round = 0; round < kills; round++) {
    const result = await killOnce(bundle, 50 + Math.random() * 5_000);
    rounds.push(result);
    console.log(`kill ${round + 1} of ${kills}: ${JSON.stringify(result)}`);
  }
  const sum = (field) => rounds.reduce((total, round) => total + round[field], 0);
  const summary = {
    kills,
    jobsOfEach: jobs,
    accepted: sum("accepted"),
    lost: sum("lost"),
    stillPending: sum("pending"),
    inFlightAtKills: sum("inFlight"),
    mostInFlightAtOneKill: Math.max(...rounds.map((round) => round.inFlight)),
    ranOnceMoreAsTheyWereCutOff: sum("cutOff"),
    ranOnceMoreAsTheirLeaseRanOut: sum("leaseRanOut"),
    ranOnceMoreForNoReason: sum("unexplained"),
    killsBeforeAllWereAccepted: rounds.filter((round) => round.accepted < jobs).length,
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
