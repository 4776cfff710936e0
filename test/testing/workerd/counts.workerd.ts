import { env } from "cloudflare:test";
import { createFakeQueue, createTestClient } from "espalier/testing";
import { expect, test } from "vitest";
import { app } from "./worker.ts";

const client = createTestClient(app, { env });
const queue = createFakeQueue();
app.useQueue(queue);

test("counts in KV, inside workerd", async () => {
  (await client.post("/counts")).assertJson({
    count: 1,
    runtime: "Cloudflare-Workers",
    hasKv: true,
  });
  (await client.post("/counts")).assertJson({ count: 2 });
  expect((await env.KV.list()).keys).toHaveLength(1);
});

test("jobs wait until they are released", async () => {
  const counts: unknown[] = [];
  app.getQueue().process("count.changed", async (job) => void counts.push(job.payload));
  queue.assertEnqueued("count.changed", { count: 2 });
  expect(await queue.runJobs(app)).toBe(2);
  expect(counts).toEqual([{ count: 1 }, { count: 2 }]);
});

test("acts as a user", async () => {
  (await client.actingAs({ id: "7" }).get("/me")).assertOk().assertJson({ id: "7" });
  (await client.get("/me")).assertStatus(401);
});
