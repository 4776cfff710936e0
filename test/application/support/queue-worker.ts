import { Application, json, text } from "espalier";

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
router.get("/swept", async () => text(String(await app.cacheGet("swept"))));

export default app.worker();
