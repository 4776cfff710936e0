import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noPostgres } from "../support/postgres-server.ts";
import { noRedis } from "../support/redis-server.ts";
import { assertions, type Helpdesk, prepare } from "./helpdesk-assertions.ts";
import { openTicket } from "./helpdesk-client.ts";
import { type Receiver, startReceiver } from "./helpdesk-receiver.ts";
import {
  type HelpdeskServer,
  type HelpdeskSettings,
  openHelpdesk,
  startBehindNginx,
  startOnWorkerd,
} from "./helpdesk-servers.ts";

const noNginx =
  spawnSync("nginx", ["-v"]).status === 0 ? undefined : "the program nginx is not installed";
const reason = noPostgres ?? noRedis ?? noNginx;

/** Runs all assertions against one running example. */
function testAll(start: (settings: HelpdeskSettings) => Promise<HelpdeskServer>): void {
  let receiver: Receiver;
  let server: HelpdeskServer;
  let helpdesk: Helpdesk;
  beforeAll(async () => {
    receiver = await startReceiver();
    server = await start({ mailUrl: `${receiver.origin}/mail` });
    helpdesk = await prepare(server.send, receiver);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await receiver.stop();
  });
  for (const { title, run } of assertions) test(title, () => run(helpdesk), 60_000);

  test("the digest is one message for each agent and admin", async () => {
    if (server.runDigest === undefined) return;
    const { heron } = helpdesk;
    await openTicket(heron.customer);
    await server.runDigest();
    const digests = () =>
      receiver.received.filter(
        ({ path, body }) => path === "/mail" && body.includes("open tickets"),
      );
    await expect.poll(() => digests().length, { timeout: 20_000 }).toBeGreaterThan(1);
    const recipients = digests().map(({ body }) => (JSON.parse(body) as { to: string }).to);
    expect(recipients).toContain(heron.agent.email);
    expect(recipients).not.toContain(heron.customer.email);
    expect(new Set(recipients).size).toBe(recipients.length);
  }, 60_000);
}

describe("the helpdesk in one process, with SQLite", () => {
  const lines: string[] = [];

  const keep = (...entries: unknown[]): void => void lines.push(JSON.stringify(entries));
  testAll((settings) =>
    openHelpdesk(settings, { debug: keep, info: keep, warn: keep, error: keep }),
  );

  test("nothing failed unexpectedly", () => {
    const log = lines.join("\n");
    expect(log).not.toContain("Unexpected error");
    expect(log).not.toContain("seven-slow-herons");
  });
});

describe("the helpdesk on workerd, with D1, R2, KV, Queues and Durable Objects", () => {
  testAll(startOnWorkerd);
});

describe.skipIf(reason !== undefined)(`the helpdesk behind nginx ${reason ?? ""}`, () => {
  testAll(startBehindNginx);
});
