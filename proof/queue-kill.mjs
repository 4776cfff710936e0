// Kills workerd with SIGKILL at random moments while it works off a queue on KV, starts it again, and
// counts: every job that was accepted must be done or dead in the end.
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
      while (status.pending > 0 && Date.now() - startedAt < 120_000) {
        await restarted.get("/drain");
        await sleep(50);
        status = await restarted.get("/status");
      }
      const ended = new Set([...status.done, ...status.dead]);
      const runs = Map.groupBy(status.runs, (run) => run.slice(0, run.indexOf("/")));
      let duplicates = 0;
      for (const [id, of] of runs) duplicates += Math.max(0, of.length - expectedRuns(id));
      return {
        killAfterMs: Math.round(killAfterMs),
        doneAtKill: before?.done.length ?? 0,
        accepted: accepted.length,
        done: status.done.length,
        dead: status.dead.length,
        pending: status.pending,
        lost: accepted.filter((id) => !ended.has(id)).length,
        duplicates,
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
    const result = await killOnce(bundle, 50 + Math.random() * 2500);
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
    duplicates: sum("duplicates"),
    mostDuplicatesOfOneKill: Math.max(...rounds.map((round) => round.duplicates)),
    killsBeforeAllWereAccepted: rounds.filter((round) => round.accepted < jobs).length,
    killsThatCutJobsOff: rounds.filter((round) => round.duplicates > 0).length,
  };
  console.log(JSON.stringify(summary, undefined, 2));
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ summary, rounds }, undefined, 2)}\n`);
  }
  if (summary.lost > 0 || summary.stillPending > 0) process.exitCode = 1;
} finally {
  await rm(workspace, { recursive: true, force: true });
}
