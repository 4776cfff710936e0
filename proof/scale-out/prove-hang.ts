import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../support/cluster.ts";
import { Finding } from "../support/finding.ts";

/** Longest time that a response may take, in milliseconds: three deadlines of a second, on a loaded machine. */
const longestMs = 5_000;

/** Suspends Redis for ten seconds, and proves that the application responds meanwhile and recovers. */
export async function proveHang(cluster: Cluster): Promise<Finding> {
  const finding = new Finding("responses while Redis hangs for 10 s");
  let slowestMs = 0;
  const send = async (path: string, statuses: readonly number[]): Promise<void> => {
    const begun = performance.now();
    const response = await fetch(cluster.url(path));
    await response.arrayBuffer();
    const elapsedMs = Math.round(performance.now() - begun);
    slowestMs = Math.max(slowestMs, elapsedMs);
    finding.tried += 1;
    finding.count(`${path.split("/")[1]}${response.status}`);
    finding.check(
      statuses.includes(response.status),
      "a wrong status",
      `${path} ${response.status}`,
    );
    finding.check(elapsedMs < longestMs, "a slow response", `${path} ${elapsedMs} ms`);
  };
  cluster.redis.signal("SIGSTOP");
  const endsAt = Date.now() + 10_000;
  const requests: Promise<void>[] = [];
  for (let request = 0; Date.now() < endsAt; request += 1) {
    requests.push(send(`/remember/hung-${request}`, [200]));
    requests.push(send("/limited", [503]), send("/visit", [503]));
    await sleep(250);
  }
  await Promise.all(requests);
  cluster.redis.signal("SIGCONT");
  finding.count("slowestMs", slowestMs);
  const recoversBy = Date.now() + 30_000;
  let status = 0;
  while (status !== 200 && Date.now() < recoversBy) {
    await sleep(250);
    ({ status } = await fetch(cluster.url("/visit")));
  }
  finding.check(status === 200, "sessions do not work again", `${status} after 30 s`);
  return finding;
}
