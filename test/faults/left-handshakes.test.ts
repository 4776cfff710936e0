import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startServerProcess } from "../support/server-process.ts";
import { get, handshake, isComplete, openClient } from "../support/stop-clients.ts";

const clients = 30;

test.each(["node", "deno", "bun"] as const)(
  "clients that leave during their WebSocket handshake leave no connection behind on %s, and no stop waits for them",
  async (runtime) => {
    const server = await startServerProcess("test/faults/support/stop-server.ts", runtime);
    try {
      const port = Number(new URL(server.url).port);
      const before = openFiles(server.child.pid);
      const leaving = await Promise.all(
        Array.from({ length: clients }, () =>
          openClient(port, handshake.replace("/socket", "/late-socket")),
        ),
      );
      await sleep(200);
      for (const [index, { socket }] of leaving.entries()) {
        if (index % 2 === 0) socket.destroy();
        else socket.resetAndDestroy();
      }
      // The handshakes take 800 ms.
      await sleep(1_200);
      const other = await openClient(port, get("/"));
      await expect.poll(() => isComplete(other.received())).toBe(true);
      other.socket.destroy();
      await expect.poll(() => openFiles(server.child.pid) - before).toBeLessThan(clients / 2);
      const startedAt = performance.now();
      expect(await server.stop()).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(2_500);
      expect(server.output()).not.toMatch(/deadline|"level":"error"/);
    } finally {
      server.child.kill("SIGKILL");
    }
  },
);

/** Returns the number of files and connections of a process; 0 on systems other than Linux. */
function openFiles(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
