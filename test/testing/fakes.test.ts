import { Auth, MemoryCacheStore } from "espalier";
import {
  createFakeCache,
  createFakeClock,
  createFakeQueue,
  createTestClient,
  recordEvents,
} from "espalier/testing";
import { afterEach, describe, expect, test } from "vitest";
import { countPending } from "../support/pull-jobs.ts";
import { createSampleApplication } from "./application.ts";

const realDate = globalThis.Date;
afterEach(() => {
  expect(globalThis.Date).toBe(realDate);
});

describe("the clock", () => {
  test("stands still until advanced", () => {
    const clock = createFakeClock("2027-01-01T00:00:00Z");
    expect(clock.now()).toBe(1_798_761_600_000);
    clock.advance(1500);
    expect(clock.now()).toBe(1_798_761_601_500);
    clock.set(new Date(0));
    expect(clock.now()).toBe(0);
    expect(Math.abs(createFakeClock().now() - Date.now())).toBeLessThan(1000);
  });

  test("rejects invalid times", () => {
    expect(() => createFakeClock("soon")).toThrow("The clock got Invalid Date");
    expect(() => createFakeClock().advance(-1)).toThrow("time passes forwards");
    expect(() => createFakeClock().set(Number.NaN)).toThrow("use a Date");
  });

  test("can be passed to a store or an Auth", async () => {
    const clock = createFakeClock();
    const store = new MemoryCacheStore({ now: clock.now });
    store.set("a", "1", 1000);
    const auth = new Auth({ secret: "x".repeat(32), expiresIn: "1h", now: clock.now });
    const token = await auth.generateToken({ id: 1 });
    expect(await auth.verifyToken(token)).not.toBeNull();
    clock.advance(3_700_000);
    expect(store.get("a")).toBeUndefined();
    expect(await auth.verifyToken(token)).toBeNull();
  });

  test("is used globally while installed", () => {
    const clock = createFakeClock("2027-01-01T00:00:00Z").install().install();
    try {
      expect(Date.now()).toBe(clock.now());
      expect(new Date().toISOString()).toBe("2027-01-01T00:00:00.000Z");
      expect(new Date(0).getTime()).toBe(0);
      expect(new Date(2020, 1, 2).getMonth()).toBe(1);
      expect(new Date()).toBeInstanceOf(realDate);
      expect(Date.parse("1970-01-01T00:00:00Z")).toBe(0);
    } finally {
      clock.restore();
      clock.restore();
    }
    expect(Date.now()).not.toBe(1_798_761_600_000);
  });

  test("moves the cache, the sessions and the tokens of an application", async () => {
    const { app, auth } = createSampleApplication();
    const client = createTestClient(app);
    using clock = createFakeClock("2027-01-01T00:00:00Z").install();
    const token = await auth.generateToken({ id: 1 });
    await app.cacheSet("a", 1, 60_000);
    (await client.get("/visits")).assertJson({ visits: 1 });
    (await client.get("/visits")).assertJson({ visits: 2 });
    (await client.withToken(token).get("/me/auth")).assertOk();
    clock.advance(61_000);
    expect(await app.cacheGet("a")).toBeUndefined();
    (await client.get("/visits")).assertJson({ visits: 1 });
    clock.advance(365 * 24 * 3_600_000);
    (await client.withToken(token).get("/me/auth")).assertStatus(401);
  });
});

test("the cache lists its entries", async () => {
  const { app } = createSampleApplication();
  const cache = createFakeCache();
  app.useCacheStore(cache);
  await cache.assertNotCached("last");
  await createTestClient(app).post("/welcome");
  await cache.assertCached("last");
  await cache.assertCached("last", { name: "Ada" });
  await app.cacheSet("käse:1 / 2", ["x"]);
  await cache.assertCached("käse:1 / 2", ["x"]);
  await expect(cache.assertCached("first")).rejects.toThrow('Nothing is cached under "first".');
  await expect(cache.assertCached("last", { name: "Bob" })).rejects.toThrow(
    'Of what is cached under "last", name is "Ada", not "Bob".',
  );
  await expect(cache.assertNotCached("last")).rejects.toThrow(
    'There is something cached under "last": {"name":"Ada"}.',
  );
});

describe("the queue", () => {
  test("holds jobs until they are released", async () => {
    const { app } = createSampleApplication();
    const queue = createFakeQueue();
    app.useQueue(queue);
    const sent: unknown[] = [];
    app.getQueue().process("mail.send", async (job) => {
      sent.push(job.payload);
      if (sent.length === 1) await app.getQueue().enqueue("mail.copy", { of: job.id });
    });
    app.getQueue().process("mail.copy", async (job) => void sent.push(job.name));
    queue.assertNothingEnqueued();
    expect(() => queue.assertEnqueued("mail.send")).toThrow(
      'No job "mail.send" was enqueued; nor was any other.',
    );
    (await createTestClient(app).post("/welcome")).assertOk();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toEqual([]);
    const job = queue.assertEnqueued("mail.send", { to: "ada@example.org" });
    expect(job.payload).toEqual({ to: "ada@example.org", lines: [1, 2] });
    expect(() => queue.assertEnqueued("mail.send", { to: "bob@example.org" })).toThrow(
      'No job "mail.send" was enqueued with {"to":"bob@example.org"}, only with {"to":"ada@',
    );
    expect(() => queue.assertEnqueued("mail.copy")).toThrow(
      'No job "mail.copy" was enqueued: mail.send.',
    );
    queue.assertNotEnqueued("mail.copy");
    expect(() => queue.assertNotEnqueued("mail.send")).toThrow('A job "mail.send" was enqueued');
    expect(() => queue.assertNothingEnqueued()).toThrow("Jobs were enqueued: mail.send.");
    expect(await queue.runJobs(app)).toBe(2);
    expect(sent).toEqual([{ to: "ada@example.org", lines: [1, 2] }, "mail.copy"]);
    queue.assertEnqueued("mail.copy", { of: job.id });
    expect(await queue.runJobs(app)).toBe(0);
    expect(await countPending(queue)).toBe(0);
  });

  test("runs delayed jobs when the clock advances", async () => {
    const { app } = createSampleApplication();
    const queue = createFakeQueue();
    app.useQueue(queue);
    const attempts: number[] = [];
    app.getQueue().process("report", async ({ attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error("not yet");
    });
    using clock = createFakeClock().install();
    await app.getQueue().enqueue("report", {}, { delayMs: 3_600_000 });
    expect(await queue.runJobs(app)).toBe(0);
    clock.advance(3_600_000);
    expect(await queue.runJobs(app)).toBe(1);
    expect(await queue.runJobs(app)).toBe(0);
    clock.advance(3_600_000);
    expect(await queue.runJobs(app)).toBe(1);
    expect(attempts).toEqual([1, 2]);
  });

  test("stores failed jobs", async () => {
    const { app } = createSampleApplication();
    const queue = createFakeQueue();
    app.useQueue(queue);
    app.getQueue().process("fails", () => Promise.reject(new Error("no")));
    await app.getQueue().enqueue("fails", {}, { maxAttempts: 1 });
    expect(await queue.runJobs(app)).toBe(1);
    expect(await app.getQueue().failed()).toMatchObject([{ name: "fails", attempts: 1 }]);
  });
});

test("events are recorded while handlers run as usual", async () => {
  const { app } = createSampleApplication();
  const names: string[] = [];
  app.on("user.created", (user) => void names.push((user as { name: string }).name));
  const recording = recordEvents(app);
  await createTestClient(app).post("/welcome");
  expect(names).toEqual(["Ada"]);
  expect(recording.assertEmitted("user.created", { name: "Ada" }).payload).toMatchObject({
    role: "reader",
  });
  recording.assertEmitted("request.completed", { status: 200, route: "/welcome" });
  expect(recording.events("user.created")).toHaveLength(1);
  recording.assertNotEmitted("user.deleted");
  expect(() => recording.assertEmitted("user.deleted")).toThrow(
    /^The event "user\.deleted" was not emitted\. There were: .*user\.created/,
  );
  expect(() => recording.assertEmitted("user.created", { name: "Bob" })).toThrow(
    'No event "user.created" had {"name":"Bob"}, only {"name":"Ada","role":"reader"}.',
  );
  expect(() => recording.assertNotEmitted("user.created")).toThrow("was emitted, with");
  recording.clear();
  recording.assertNotEmitted("user.created");
  recording.stop();
  await app.emit("user.created", {});
  recording.assertNotEmitted("user.created");
});
