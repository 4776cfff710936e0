import { Application } from "espalier";
import { createFakeQueue } from "espalier/testing";
import { expect, test } from "vitest";
import { createRecordingLogger } from "../../support/recording-logger.ts";

function createApp() {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  const warnings = (): unknown[] =>
    logger.lines.filter(({ level }) => level === "warn").map(({ message }) => message);
  return { app, warnings };
}

/** Enqueues a job in a request. */
async function enqueueInRequest(app: Application, name: string): Promise<void> {
  app.getRouter().post(`/${name}`, async () => {
    await app.getQueue().enqueue(name, {});
    return new Response(null, { status: 202 });
  });
  const response = await app.request(`/${name}`, { method: "POST" });
  expect(response.status).toBe(202);
}

const waits = (name: string): string =>
  `The job "${name}" waits in the memory of this process, and nothing processes it. ` +
  `Register a handler: app.getQueue().process("${name}", …).`;

test("a job in memory without any handler logs one warning per name", async () => {
  const { app, warnings } = createApp();
  app.useInMemoryQueue();
  await enqueueInRequest(app, "mail.send");
  await app.request("/mail.send", { method: "POST" });
  expect(warnings()).toEqual([waits("mail.send")]);
  await enqueueInRequest(app, "report");
  expect(warnings()).toEqual([waits("mail.send"), waits("report")]);
  expect(await app.getQueue().size()).toBe(3);
});

test("a job enqueued before boot logs a warning at boot, unless it has a handler by then", async () => {
  const { app, warnings } = createApp();
  app.useInMemoryQueue();
  await app.getQueue().enqueue("mail.send", {});
  await app.boot();
  expect(warnings()).toEqual([]);
  await app.request("/");
  expect(warnings()).toEqual([waits("mail.send")]);

  const late = createApp();
  late.app.useInMemoryQueue();
  await late.app.getQueue().enqueue("mail.send", {});
  late.app.getQueue().process("mail.send", () => {});
  await late.app.request("/");
  expect(late.warnings()).toEqual([]);
  await late.app.stop();
});

test("an application that only enqueues, for others that share the queue, logs no warning", async () => {
  const { app, warnings } = createApp();
  app.useQueue(createFakeQueue());
  await enqueueInRequest(app, "mail.send");
  expect(warnings()).toEqual([]);
});

test("a schedule of a job without a handler logs a warning at boot, with the nearest name", async () => {
  const { app, warnings } = createApp();
  app.useQueue(createFakeQueue());
  app.getQueue().process("reports.nightly", () => {});
  app.schedule("0 3 * * *", "reports.nigthly");
  app.schedule("0 4 * * *", "reports.nigthly");
  app.schedule("0 5 * * *", "reports.nightly");
  app.schedule("0 6 * * *", () => {});
  await app.request("/");
  expect(warnings()).toEqual([
    'The job "reports.nigthly" is scheduled, and nothing processes it. Did you mean "reports.nightly"? ' +
      'Register a handler: app.getQueue().process("reports.nigthly", …).',
  ]);
});

test("a schedule in an application that processes no jobs at all logs no warning", async () => {
  const { app, warnings } = createApp();
  app.useQueue(createFakeQueue());
  app.schedule("0 3 * * *", "reports.nightly");
  await app.request("/");
  expect(warnings()).toEqual([]);
});

test("a failing logger does not fail the request", async () => {
  const fail = (): never => {
    throw new Error("the disk is full");
  };
  const app = new Application({ logger: { debug: fail, info: fail, warn: fail, error: fail } });
  app.useInMemoryQueue();
  await enqueueInRequest(app, "mail.send");
});
