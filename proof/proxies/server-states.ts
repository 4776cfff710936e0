import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { adminSocket } from "./haproxy.ts";
import type { RunningProxy } from "./proxy.ts";

/** Columns of HAProxy's `show stat`. */
const columns = { backend: 0, server: 1, status: 17, checkStatus: 36 } as const;

/** Time for HAProxy to find its servers healthy, for a machine under load. */
const healthyWithinMs = 30_000;

/** State of a server, as HAProxy's health checks have found it. */
export interface ServerState {
  readonly backend: string;
  readonly server: string;
  /** `UP`, also `DOWN 1/3` and similar. */
  readonly status: string;
  /** Result of the last check, such as `L7OK`. */
  readonly check: string;
}

/** Returns the states of the servers of all backends of HAProxy. */
export async function readServerStates({ folder }: RunningProxy): Promise<ServerState[]> {
  const rows = (await ask(adminSocket(folder), "show stat")).split("\n");
  const states = rows.map((row) => {
    const cells = row.split(",");
    return {
      backend: cells[columns.backend] ?? "",
      server: cells[columns.server] ?? "",
      status: cells[columns.status] ?? "",
      // An asterisk marks that the next check is in progress.
      check: (cells[columns.checkStatus] ?? "").replace(/^\* /, ""),
    };
  });
  return states.filter(({ server }) => /^s\d+$/.test(server));
}

/** Waits until HAProxy's health checks find every server healthy, as a deployment does before the next restart. */
export async function waitUntilHealthy(proxy: RunningProxy): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const states = await readServerStates(proxy);
    const unhealthy = states.filter(({ status, check }) => status !== "UP" || check !== "L7OK");
    if (unhealthy.length === 0) return;
    if (performance.now() - startedAt > healthyWithinMs) {
      throw new Error(`HAProxy finds no healthy server: ${JSON.stringify(unhealthy)}`);
    }
    await sleep(100);
  }
}

function ask(socketFile: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(socketFile, () => socket.write(`${command}\n`));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("end", () => resolve(Buffer.concat(chunks).toString()));
    socket.on("error", reject);
  });
}
