import type { Application } from "espalier";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { importBlocks, namedBlocks } from "./import-blocks.ts";

const files = namedBlocks(codeBlocks("docs/guide/metrics.md").filter(isChecked));
const { app } = (await importBlocks(files, "shop.ts")) as { app: Application };

beforeAll(() => {
  process.env["METRICS_PASSWORD"] = "opening";
});
afterAll(() => {
  delete process.env["METRICS_PASSWORD"];
});

test("the endpoint needs the password, and has requests and orders", async () => {
  expect((await app.request("/metrics")).status).toBe(401);
  for (const plan of ["pro", "pro", "unknown"]) {
    await app.request(`/orders/${plan}`, { method: "POST" });
  }
  const authorization = `Basic ${btoa("prometheus:opening")}`;
  const lines = (
    await (await app.request("/metrics", { headers: { authorization } })).text()
  ).split("\n");
  expect(lines).toContain('orders_total{plan="pro"} 2');
  expect(lines).toContain('orders_total{plan="free"} 1');
  const route =
    'http_request_method="POST",http_route="/orders/:plan",http_response_status_code="201"';
  expect(lines).toContain(`http_server_request_duration_seconds_count{${route}} 3`);
});
