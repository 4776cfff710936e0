import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Finding } from "../../support/finding.ts";
import { adminSocket } from "../haproxy.ts";
import type { RunningProxy } from "../proxy.ts";

/** Columns of HAProxy's `show stat`. */
const columns = { backend: 0, server: 1, status: 17, checkStatus: 36 } as const;

/** HAProxy's health checks over HTTP/1.0 without Host and over HTTP/1.1 find every server healthy. */
export async function proveHealthChecks(
  { folder }: RunningProxy,
  servers: number,
): Promise<Finding> {
  const finding = new Finding("health checks of HAProxy");
  // Three checks of each.
  await sleep(3_500);
  const rows = (await ask(adminSocket(folder), "show stat")).split("\n");
  for (const row of rows) {
    const cells = row.split(",");
    const backend = cells[columns.backend] ?? "";
    const server = cells[columns.server] ?? "";
    if (!/^s\d+$/.test(server)) continue;
    const state = `${cells[columns.status]}, ${cells[columns.checkStatus]}`;
    finding.tried += 1;
    finding.check(state === "UP, L7OK", `${backend} is ${state}`, server);
  }
  finding.check(finding.tried === 2 * servers, "not every server was checked", rows.join("\n"));
  return finding;
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
