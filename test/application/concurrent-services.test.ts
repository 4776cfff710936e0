import { Application, type Job, json } from "espalier";
import { expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** Number of requests at once. */
const clients = 200;

test("200 requests at once share singletons, producers of the cache, and the queue", async () => {
  const logger = createRecordingLogger();
  const app = new Application({ logger, queue: { concurrency: 10 } });
  let created = 0;
  let produced = 0;
  const ran: unknown[] = [];
  const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  app.singleton("library", async () => {
    await pause();
    created += 1;
    return { number: created };
  });
  app.getQueue().process("loan.recorded", async ({ payload }: Job) => {
    await pause();
    ran.push(payload);
  });
  app.getRouter().post("/loans/:id", async (ctx) => {
    const library = (await ctx.resolve("library")) as { number: number };
    const book = await app.cacheRemember(`book ${Number(ctx.params.id) % 10}`, async () => {
      await pause();
      produced += 1;
      return { copies: 3 };
    });
    const job = await app.getQueue().enqueue("loan.recorded", ctx.params.id);
    return json({ library: library.number, copies: book.copies, job });
  });
  await app.boot();

  const responses = await Promise.all(
    Array.from({ length: clients }, async (_, id) => {
      const response = await app.request(`/loans/${id}`, { method: "POST" });
      return { status: response.status, ...((await response.json()) as { job: string }) };
    }),
  );
  while ((await app.getQueue().drain()) > 0);

  expect(new Set(responses.map(({ job }) => job)).size).toBe(clients);
  for (const response of responses) {
    expect(response).toMatchObject({ status: 200, library: 1, copies: 3 });
  }
  expect([created, produced]).toEqual([1, 10]);
  expect(ran.map(Number).sort((one, other) => one - other)).toEqual([...Array(clients).keys()]);
  expect(logger.lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  await app.stop();
});
