import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { noPostgres } from "../support/postgres-server.ts";
import { noRedis } from "../support/redis-server.ts";
import { hasCurl } from "./curl-lines.ts";
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
  }, 240_000);
  afterAll(async () => {
    await server.stop();
    await receiver.stop();
  });
  for (const { title, run } of assertions) test(title, () => run(helpdesk), 120_000);

  test("the digest is one message for each agent and admin", async () => {
    if (server.runDigest === undefined) return;
    const { heron } = helpdesk;
    await openTicket(heron.customer);
    await server.runDigest();
    const digests = () =>
      receiver.received.filter(
        ({ path, body }) => path === "/mail" && body.includes("open tickets"),
      );
    const recipientsOf = () => digests().map(({ body }) => (JSON.parse(body) as { to: string }).to);
    for (const { email } of [heron.agent, heron.admin]) {
      await expect.poll(recipientsOf, { timeout: 20_000 }).toContain(email);
    }
    const recipients = recipientsOf();
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

  test("each agent and admin gets one digest at each time, of four processes", async () => {
    const everyMs = 10_000;
    const receiver = await startReceiver();
    const { send, stop } = await startBehindNginx({
      mailUrl: `${receiver.origin}/mail`,
      digestCron: "*/10 * * * * *",
    });
    const { heron } = await prepare(send, receiver);
    const startedAt = Date.now();
    await openTicket(heron.customer);
    const countOf = (email: string): number =>
      receiver.received.filter(
        ({ path, body }) =>
          path === "/mail" && body.includes("open tickets") && body.includes(`"to":"${email}"`),
      ).length;
    await expect
      .poll(() => countOf(heron.admin.email), { timeout: 90_000 })
      .toBeGreaterThanOrEqual(3);
    const counts = [heron.admin, heron.agent].map(({ email }) => countOf(email));
    const times = Math.floor(Date.now() / everyMs) - Math.floor(startedAt / everyMs);
    await stop();
    await receiver.stop();
    for (const count of counts) {
      expect(count).toBeGreaterThanOrEqual(2);
      expect(count).toBeLessThanOrEqual(times);
    }
  }, 120_000);
});

const silent = { debug() {}, info() {}, warn() {}, error: console.error };

test("its OpenAPI document has every route, with a summary and declared responses", async () => {
  const { send, stop } = await openHelpdesk({ mailUrl: "" }, silent);
  const { paths } = (await (await send("/openapi.json")).json()) as {
    paths: Record<string, Record<string, { summary?: string; description?: string }>>;
  };
  await stop();
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
  expect(operations.map(([name]) => name).sort()).toMatchInlineSnapshot(`
    [
      "delete /api/{organisation}/webhooks/{webhook}",
      "get /api/{organisation}/events",
      "get /api/{organisation}/me",
      "get /api/{organisation}/tickets",
      "get /api/{organisation}/tickets/counts",
      "get /api/{organisation}/tickets/{ticket}",
      "get /api/{organisation}/tickets/{ticket}/attachments",
      "get /api/{organisation}/tickets/{ticket}/attachments/{attachment}",
      "get /api/{organisation}/tickets/{ticket}/comments",
      "get /api/{organisation}/users",
      "get /api/{organisation}/webhooks",
      "patch /api/{organisation}/tickets/{ticket}",
      "post /api/organisations",
      "post /api/{organisation}/inbound/mail",
      "post /api/{organisation}/refresh",
      "post /api/{organisation}/sign-in",
      "post /api/{organisation}/sign-out",
      "post /api/{organisation}/sign-up",
      "post /api/{organisation}/tickets",
      "post /api/{organisation}/tickets/{ticket}/attachments",
      "post /api/{organisation}/tickets/{ticket}/comments",
      "post /api/{organisation}/webhooks",
      "put /api/{organisation}/users/{user}/role",
    ]
  `);
  for (const [name, { summary, description }] of operations) {
    expect([name, summary, description]).toEqual([name, expect.any(String), expect.any(String)]);
  }
});

test.skipIf(!hasCurl)(
  "the README's commands respond with the documented status",
  async () => {
    const { listen, stop } = await openHelpdesk({ mailUrl: "" }, silent);
    const readme = readFileSync(join(root, "examples/helpdesk/README.md"), "utf8");
    const text = readme.replaceAll("http://localhost:3000", (await listen?.()) ?? "");
    const lines = [...text.matchAll(/^(curl .*) # (\d{3})$|^[A-Z]+=\$\(.*\)$/gm)];
    // Runs all commands in one shell: later ones use the tokens of earlier ones.
    const script = lines.map(([whole, line]) =>
      line === undefined ? whole : `${line} -s -o /dev/null -w '%{http_code}\\n'`,
    );
    const { stdout } = await promisify(execFile)("sh", ["-c", script.join("\n")], { cwd: root });
    await stop();
    const promised = lines.flatMap(([, , status]) => (status === undefined ? [] : [status]));
    expect(promised.length).toBeGreaterThan(10);
    expect(stdout.trim().split("\n")).toEqual(promised);
  },
  60_000,
);
