import { Application, json, text } from "espalier";
import { DurableObjectQueueAdapter, type ObjectNamespace } from "espalier/cloudflare";

export { QueueDurableObject } from "espalier/cloudflare";

const app = new Application();

app.getQueue().process("count", async (job, { app: application }) => {
  if (job.attempt === 1) {
    job.retry(0);
    return;
  }
  await application.cacheSet(
    `done:${String(job.payload)}`,
    `${String(job.payload)} attempt ${job.attempt}`,
  );
});
app.schedule("0 3 * * *", async ({ cron, app: application }) =>
  application.cacheSet("swept", cron),
);

const router = app.getRouter();
router.get("/driver", () => text(`${app.getQueueDriver()} ${app.getQueue().name}`));
router.post("/jobs/:n", async (ctx) => {
  await app.getQueue().enqueue("count", Number(ctx.params.n));
  return text("queued", 202);
});
router.get("/done", async () => {
  const done = await app.cache.getMany(["done:0", "done:1", "done:2"]);
  return json(done.filter((entry) => entry !== undefined));
});
/** Stores a job as another Worker would: this one is not woken. */
router.post("/elsewhere/:name/:n", async (ctx) => {
  const { QUEUE: namespace } = ctx.env as unknown as { readonly QUEUE: ObjectNamespace };
  const now = Date.now();
  const record = { keepIdMs: 0, attempt: 1, maxAttempts: 3, priority: 0, backoff: {} };
  const { name = "", n } = ctx.params;
  const job = { ...record, id: `${name}${n}`, name, payload: Number(n) };
  const adapter = new DurableObjectQueueAdapter({ namespace });
  await adapter.push([{ ...job, enqueuedAt: now, dueAt: now + 300 }]);
  return text("queued", 202);
});
router.get("/swept", async () => text(String(await app.cacheGet("swept"))));

export default app.worker();
