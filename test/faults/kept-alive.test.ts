import { setTimeout as sleep } from "node:timers/promises";
import { test } from "vitest";
import { startServerProcess } from "../support/server-process.ts";
import { get, openClient } from "../support/stop-clients.ts";

/** Longer than the 5 seconds after which Node closes an idle connection by default. */
const pauseMs = 6_500;

test.concurrent.for(["node", "deno", "bun"] as const)(
  "a request after a pause on a connection of a proxy is served on %s",
  async (runtime, { expect }) => {
    const server = await startServerProcess("test/faults/support/protocol-server.ts", runtime);
    try {
      const client = await openClient(Number(new URL(server.url).port), get("/admin"));
      const responses = (): number => client.received().match(/HTTP\/1\.1 200 /g)?.length ?? 0;
      await expect.poll(responses, { timeout: 10_000 }).toBe(1);
      await sleep(pauseMs);
      client.socket.write(get("/admin"));
      await expect.poll(responses, { timeout: 10_000 }).toBe(2);
      client.socket.destroy();
    } finally {
      expect(await server.stop()).toBe(0);
    }
  },
);
