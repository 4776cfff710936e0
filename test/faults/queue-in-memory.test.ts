import { Application } from "espalier";
import { afterEach, expect, test, vi } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

async function listen() {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  app.useInMemoryQueue();
  app.getQueue().process("mail.send", () => {});
  await app.listen({ port: 0, gracefulSignals: false });
  const warnings = () => logger.lines.filter(({ level }) => level === "warn");
  return { app, warnings };
}

test("stop logs the number of jobs in memory that have not run", async () => {
  const { app, warnings } = await listen();
  for (let count = 0; count < 3; count += 1) {
    await app.getQueue().enqueue("mail.send", count, { delayMs: 60_000 });
  }
  await app.stop();
  expect(warnings()).toMatchObject([
    { message: expect.stringContaining("jobs in memory that have not run"), jobs: 3 },
  ]);
});

test("stop logs nothing when all jobs have run", async () => {
  const { app, warnings } = await listen();
  await app.stop();
  expect(warnings()).toEqual([]);
});

test("a queue in memory is warned about in production", async () => {
  vi.stubEnv("NODE_ENV", "production");
  const { app, warnings } = await listen();
  await app.stop();
  expect(warnings()).toMatchObject([
    { message: expect.stringContaining("The queue is in memory in production") },
  ]);
});
