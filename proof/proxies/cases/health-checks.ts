import { setTimeout as sleep } from "node:timers/promises";
import { Finding } from "../../support/finding.ts";
import type { RunningProxy } from "../proxy.ts";
import { readServerStates } from "../server-states.ts";

/** HAProxy's health checks over HTTP/1.0 without Host and over HTTP/1.1 find every server healthy. */
export async function proveHealthChecks(proxy: RunningProxy, servers: number): Promise<Finding> {
  const finding = new Finding("health checks of HAProxy");
  // Three checks of each.
  await sleep(3_500);
  const states = await readServerStates(proxy);
  for (const { backend, server, status, check } of states) {
    finding.tried += 1;
    finding.check(status === "UP" && check === "L7OK", `${backend} is ${status}, ${check}`, server);
  }
  const isComplete = finding.tried === 2 * servers;
  finding.check(isComplete, "not every server was checked", JSON.stringify(states));
  return finding;
}
