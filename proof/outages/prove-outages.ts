import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../test/support/random.ts";
import type { Cluster } from "../support/cluster.ts";
import { Finding } from "../support/finding.ts";
import { Availability, recoveryMs } from "./availability.ts";
import { type LoadState, postsCut, sendLoad } from "./load.ts";
import { nameOf, type Outage, shuffled, takeAway } from "./outages.ts";
import { Samples } from "./samples.ts";

type Range = readonly [least: number, most: number];

/** Options of a run. */
export interface OutageOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Shorter outages, and shorter times between them. */
  readonly isQuick: boolean;
  /** Ends the run early. */
  readonly signal: AbortSignal;
}

/** Number of clients of the load. */
const clients = 8;
/** Processes that are restarted, one of each engine. The others live until the end, so that their memory is judged. */
const restarted = [0, 2] as const;
/** Longest and shortest times in milliseconds: of an outage, and from its end to the next one. */
const times: Readonly<Record<"quick" | "long", Readonly<Record<"outage" | "pause", Range>>>> = {
  quick: { outage: [1_500, 3_000], pause: [4_000, 6_000] },
  long: { outage: [1_000, 8_000], pause: [recoveryMs, 2 * recoveryMs] },
};
/** Probability that a process is restarted while a server is away. */
const restartChance = 0.25;
/** Time for which accepted jobs may take to end after the load, in milliseconds. */
const patienceMs = 120_000;
/** Number of ends of processes of which at most one may cut off a POST. */
const endsPerCutPost = 10;
/** Time between two runs of the schedule, in milliseconds. */
const scheduleMs = 5_000;

/** Keeps a cluster under load while its servers come and go; returns the findings. */
export async function proveOutages(
  cluster: Cluster,
  { minutes, seed, isQuick, signal }: OutageOptions,
): Promise<Finding[]> {
  const random = new Random(seed);
  const availability = new Availability();
  const state: LoadState = { accepted: [], refused: 0, slowestMs: 0 };
  const responses = new Finding("responses while Redis and PostgreSQL come and go");
  const processes = new Finding("ends of processes after SIGTERM");
  const samples = new Samples();
  const loadEnd = new AbortController();
  const load = sendLoad(responses, state, {
    port: cluster.port,
    clients,
    random: new Random(seed + 1),
    availability,
    signal: loadEnd.signal,
  });
  const startedAt = Date.now();
  const endsAt = startedAt + minutes * 60_000 - recoveryMs;
  const { outage: lengths, pause } = times[isQuick ? "quick" : "long"];
  const happened = new Finding("returns of Redis and PostgreSQL");
  let restarts = 0;
  const restartNext = async (): Promise<void> => {
    const index = restarted[restarts % restarted.length] ?? 0;
    restarts += 1;
    const ending = availability.beginEnd();
    await end(cluster, index, processes);
    ending.endedAt = Date.now();
    await cluster.startProcess(index);
    samples.restarted(index);
  };
  let next: Outage[] = [];
  try {
    await sleep(isQuick ? 2_000 : recoveryMs, undefined, { signal });
    while (Date.now() < endsAt) {
      await samples.take(cluster, (Date.now() - startedAt) / 60_000);
      if (next.length === 0) next = shuffled(random);
      const outage = next.shift();
      if (outage === undefined) throw new Error("The list of outages is empty.");
      const ms = random.between(...lengths);
      console.error(`${new Date().toISOString()} ${nameOf(outage)}, ${ms} ms`);
      if (outage === "restart") await restartNext();
      else {
        const isRestarted = outage.kind !== "cut" && random.chance(restartChance);
        if (isRestarted) processes.count("restartsDuringAnOutage");
        // Both must have ended before a failure stops the cluster: a server that starts later would be left behind.
        const [away, restart] = await Promise.allSettled([
          takeAway(cluster, availability, outage, ms),
          isRestarted ? restartNext() : undefined,
        ]);
        for (const result of [away, restart]) if (result.status === "rejected") throw result.reason;
        happened.tried += 1;
        happened.count(nameOf(outage));
      }
      await sleep(random.between(...pause), undefined, { signal });
    }
    // Until the last absence must be over for clients.
    await sleep(recoveryMs + 2_000, undefined, { signal });
    await samples.take(cluster, (Date.now() - startedAt) / 60_000);
  } finally {
    loadEnd.abort();
    await load;
  }
  const loadedUntil = Date.now();

  responses.count("slowestMs", state.slowestMs);
  const failures = [...responses.counts].filter(([name]) => name.endsWith("503"));
  responses.check(failures.length > 0, "no request met an outage", `${happened.tried} outages`);
  const cut = responses.counts.get(postsCut) ?? 0;
  const mayBeCut = Math.ceil(restarts / endsPerCutPost);
  responses.check(cut <= mayBeCut, "POSTs were cut off by restarts", `${cut} by ${restarts}`);
  for (const [kind, ms] of availability.recoveries) happened.count(`longest after ${kind} ms`, ms);

  const jobs = await reconcile(cluster, state);
  const schedule = judgeSchedule(cluster, availability, { from: startedAt, to: loadedUntil });
  for (const index of cluster.ports.keys()) await end(cluster, index, processes);
  processes.count("restarts", restarts);
  for (const crash of cluster.crashes) processes.fault("a process ended without a signal", crash);
  const growth = new Finding("memory, handles and connections");
  samples.judge(growth, minutes);
  return [responses, happened, jobs, schedule, growth, processes];
}

async function end(cluster: Cluster, index: number, finding: Finding): Promise<void> {
  const begun = performance.now();
  const problem = await cluster.endProcess(index);
  finding.tried += 1;
  const longest = Math.max(finding.counts.get("longestMs") ?? 0, performance.now() - begun);
  finding.counts.set("longestMs", Math.round(longest));
  finding.check(problem === undefined, "a wrong end", problem ?? "");
}

/** Waits until the accepted jobs have ended, and counts how often each has. */
async function reconcile(cluster: Cluster, { accepted, refused }: LoadState): Promise<Finding> {
  const finding = new Finding("accepted jobs");
  const endsAt = Date.now() + patienceMs;
  let ends = cluster.recorded("end");
  while (Date.now() < endsAt && !accepted.every((id) => ends.has(id))) {
    await sleep(500);
    ends = cluster.recorded("end");
  }
  const starts = cluster.recorded("start");
  const lost = accepted.filter((id) => !ends.has(id));
  const countRepeated = (runs: ReadonlyMap<string, number>): number =>
    accepted.filter((id) => (runs.get(id) ?? 0) > 1).length;
  finding.tried = accepted.length;
  finding.count("refused", refused);
  finding.count("startedMoreThanOnce", countRepeated(starts));
  finding.count("endedMoreThanOnce", countRepeated(ends));
  finding.count("lost", lost.length);
  finding.check(lost.length === 0, "accepted jobs were lost", lost.slice(0, 5).join());
  finding.check(accepted.length > 0, "no job was accepted", `${refused} were refused`);
  return finding;
}

/** Proves that the schedule ran once at each due time; it may be skipped only while Redis, its lock store, is away. */
function judgeSchedule(
  cluster: Cluster,
  availability: Availability,
  { from, to }: { readonly from: number; readonly to: number },
): Finding {
  const finding = new Finding("due times of a schedule");
  const ticks = cluster.recorded("tick");
  for (const [time, runs] of ticks) {
    finding.check(runs === 1, "a schedule did not run once", `${runs} runs at ${time}`);
  }
  finding.count("skipped", 0);
  const first = Math.ceil(from / scheduleMs) * scheduleMs;
  // A run may be claimed a moment after its time.
  for (let time = first; time < to - 1_000; time += scheduleMs) {
    finding.tried += 1;
    if (ticks.has(String(time))) continue;
    finding.count("skipped");
    const isExplained = availability.mayFail("redis", time, time + 1_000);
    const at = new Date(time).toISOString();
    finding.check(isExplained, "a schedule did not run with Redis there", at);
  }
  return finding;
}
