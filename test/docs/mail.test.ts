import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { Application, type Controller } from "espalier";
import { afterEach, expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { importBlocks, namedBlocks } from "./import-blocks.ts";

const files = namedBlocks(codeBlocks("docs/guide/mail.md").filter(isChecked));
const { registerMail } = (await importBlocks(files, "mail.ts")) as {
  registerMail(app: Application): void;
};
const { AddMember } = (await importBlocks(files, "members.ts")) as {
  AddMember: new () => Controller;
};

interface Delivery {
  readonly key: unknown;
  readonly token: unknown;
  readonly body: unknown;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  for (const name of ["MAIL_URL", "MAIL_TOKEN", "MAIL_FROM"]) delete process.env[name];
});

/** Starts a provider that responds with these statuses, then with 200, and the application. */
async function start(...statuses: number[]): Promise<{ app: Application; deliveries: Delivery[] }> {
  const deliveries: Delivery[] = [];
  const provider = createServer(async (request, response) => {
    const { "idempotency-key": key, authorization: token } = request.headers;
    deliveries.push({ key, token, body: await json(request) });
    response.writeHead(statuses.shift() ?? 200, { "retry-after": "1" }).end("{}");
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => provider.close(resolve)));
  process.env["MAIL_URL"] = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/emails`;
  process.env["MAIL_TOKEN"] = "token";
  process.env["MAIL_FROM"] = "mail@example.org";
  const app = new Application();
  app.useInMemoryQueue();
  registerMail(app);
  app.getRouter().post("/members", AddMember);
  closing.unshift(() => app.stop());
  return { app, deliveries };
}

const join = (app: Application, email: string): Promise<Response> =>
  app.request("/members", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email }),
  });

test("the message is sent after the response", async () => {
  const { app, deliveries } = await start();
  const completed = new Promise((resolve) => void app.once("queue.completed", resolve));
  expect((await join(app, "ada@example.org")).status).toBe(202);
  await completed;
  expect(deliveries).toEqual([
    {
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: "Bearer token",
      body: {
        ...{ from: "mail@example.org", to: "ada@example.org" },
        ...{ subject: "Welcome", text: "You can borrow books now." },
      },
    },
  ]);
});

test.each([429, 500])(
  "a provider that responds with %i is asked again, with the same key",
  async (status) => {
    const { app, deliveries } = await start(status);
    const completed = new Promise((resolve) => void app.once("queue.completed", resolve));
    await join(app, "ada@example.org");
    await completed;
    expect(deliveries).toHaveLength(2);
    expect(deliveries[0]).toEqual(deliveries[1]);
  },
);

test("an invalid address is rejected, and nothing is enqueued", async () => {
  const { app, deliveries } = await start();
  expect((await join(app, "ada\r\nbcc: b@example.org")).status).toBe(422);
  expect(deliveries).toEqual([]);
});
