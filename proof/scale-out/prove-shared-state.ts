import type { Cluster } from "../support/cluster.ts";
import { Finding } from "../support/finding.ts";

/** Sends requests at once, and returns their statuses. */
async function statusesOf(cluster: Cluster, path: string, requests: number): Promise<number[]> {
  const responses = Array.from({ length: requests }, async () => {
    const response = await fetch(cluster.url(path));
    await response.arrayBuffer();
    return response.status;
  });
  return await Promise.all(responses);
}

/** Proves that the processes share limits, producers and sessions. */
export async function proveSharedState(cluster: Cluster): Promise<Finding> {
  const finding = new Finding("limits, producers and sessions of four processes");

  const limited = await statusesOf(cluster, "/limited", 400);
  finding.tried += limited.length;
  const admitted = limited.filter((status) => status === 200).length;
  finding.count("admittedOfALimitOf100", admitted);
  finding.check(admitted === 100, "not exactly 100 admitted", String(admitted));

  const remembered = await statusesOf(cluster, "/remember/shared", 400);
  finding.tried += remembered.length;
  const calls = cluster.recorded("produce").get("shared") ?? 0;
  finding.count("producerCallsFor400Requests", calls);
  finding.check(calls === 1, "not one producer call", String(calls));
  finding.check(
    remembered.every((status) => status === 200),
    "a status other than 200",
    remembered.filter((status) => status !== 200).join(),
  );

  let cookie = "";
  let count = 0;
  const visits = 40;
  for (let visit = 0; visit < visits; visit += 1) {
    const response = await fetch(cluster.url("/visit"), { headers: { cookie } });
    cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    count = ((await response.json()) as { count: number }).count;
  }
  finding.tried += visits;
  finding.check(count === visits, "a session lost visits", `${count} of ${visits}`);
  return finding;
}

/** Proves that each schedule ran once; call it after at least one run is due. */
export function proveSchedules(cluster: Cluster): Finding {
  const finding = new Finding("schedules of four processes");
  for (const [time, runs] of cluster.recorded("tick")) {
    finding.tried += 1;
    finding.check(runs === 1, "a schedule did not run once", `${runs} runs at ${time}`);
  }
  return finding;
}
