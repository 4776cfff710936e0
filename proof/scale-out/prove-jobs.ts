import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster, Engine } from "../support/cluster.ts";
import { Finding } from "../support/finding.ts";

/** A fault, and the engine of the jobs that meet it. */
export interface Target {
  readonly fault: Fault;
  readonly engine: Engine;
}

/** What happens to a cluster while jobs are enqueued and run. */
export type Fault = "process" | "server" | "refused" | "hang";

export const faults: Readonly<Record<Fault, string>> = {
  process: "kill -9 of a process",
  server: "kill -9 of the server",
  refused: "connections refused for 3 s",
  hang: "SIGSTOP of the server for 8 s",
};

async function inflict(cluster: Cluster, { fault, engine }: Target, round: number): Promise<void> {
  const store = cluster.storeOf(engine);
  if (fault === "process") await cluster.restartProcess(round % cluster.engines.length);
  else if (fault === "hang") {
    store.signal("SIGSTOP");
    await sleep(8_000);
    store.signal("SIGCONT");
  } else await store.restart(fault === "refused" ? 3_000 : 0);
}

/** Time in which the jobs of a round are enqueued, in milliseconds: longer than the fault, which begins after a third. */
const durationsMs: Readonly<Record<Fault, number>> = {
  process: 3_000,
  server: 4_000,
  refused: 6_000,
  hang: 15_000,
};
/** Time after a fault within which jobs are accepted again, in milliseconds. */
const recoveryMs = 30_000;
/** Time for which accepted jobs may take to end, in milliseconds. */
const patienceMs = 120_000;

/** Enqueues jobs through the proxy during a fault, and proves that each accepted job ends. */
export async function proveJobs(
  cluster: Cluster,
  target: Target,
  { rounds, jobs }: { readonly rounds: number; readonly jobs: number },
): Promise<Finding> {
  const { fault, engine } = target;
  const finding = new Finding(`jobs during ${faults[fault]}`);
  for (let round = 0; round < rounds; round += 1) {
    const pauseMs = durationsMs[fault] / jobs;
    const prefix = `${fault}-${round}`;
    const accepted = await enqueueDuring(cluster, { prefix, jobs, pauseMs }, async () => {
      await inflict(cluster, target, round);
    });
    const refused = jobs - accepted.length;
    const recovered = await enqueueAgain(cluster, `${prefix}-again`);
    finding.check(recovered !== undefined, "no job is accepted after the fault", prefix);
    if (recovered !== undefined) accepted.push(recovered);
    await waitForEnd(cluster, accepted);
    const starts = cluster.recorded("start");
    const ends = cluster.recorded("end");
    finding.tried += 1;
    finding.count("accepted", accepted.length);
    finding.count("refused", refused);
    finding.count("startedMoreThanOnce", accepted.filter((id) => (starts.get(id) ?? 0) > 1).length);
    finding.count("endedMoreThanOnce", accepted.filter((id) => (ends.get(id) ?? 0) > 1).length);
    const lost = accepted.filter((id) => !ends.has(id));
    finding.count("lost", lost.length);
    finding.check(lost.length === 0, "accepted jobs were lost", lost.slice(0, 5).join());
    console.error(`${engine} ${fault} ${round + 1}: ${JSON.stringify([...finding.counts])}`);
  }
  return finding;
}

/** Returns the ids of the jobs that were accepted. */
async function enqueueDuring(
  cluster: Cluster,
  { prefix, jobs, pauseMs }: { prefix: string; jobs: number; pauseMs: number },
  fault: () => Promise<void>,
): Promise<string[]> {
  const accepted: string[] = [];
  const requests: Promise<void>[] = [];
  let happening: Promise<void> | undefined;
  for (let job = 0; job < jobs; job += 1) {
    if (job === Math.floor(jobs / 3)) happening = fault();
    const id = `${prefix}-${job}`;
    requests.push(
      enqueue(cluster, id).then((isAccepted) => {
        if (isAccepted) accepted.push(id);
      }),
    );
    await sleep(pauseMs);
  }
  await Promise.all([...requests, happening]);
  return accepted;
}

/** Enqueues a job until it is accepted, and returns its id; undefined if it never is. */
async function enqueueAgain(cluster: Cluster, prefix: string): Promise<string | undefined> {
  const endsAt = Date.now() + recoveryMs;
  for (let attempt = 0; Date.now() < endsAt; attempt += 1) {
    const id = `${prefix}-${attempt}`;
    if (await enqueue(cluster, id)) return id;
    await sleep(100);
  }
  return undefined;
}

async function enqueue(cluster: Cluster, id: string): Promise<boolean> {
  try {
    const response = await fetch(cluster.url(`/jobs/${id}`), { method: "POST" });
    await response.arrayBuffer();
    return response.status === 202;
  } catch {
    return false;
  }
}

async function waitForEnd(cluster: Cluster, ids: readonly string[]): Promise<void> {
  const endsAt = Date.now() + patienceMs;
  while (Date.now() < endsAt) {
    const ends = cluster.recorded("end");
    if (ids.every((id) => ends.has(id))) return;
    await sleep(250);
  }
}
