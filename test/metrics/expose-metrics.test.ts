import {
  Application,
  Auth,
  createAuthMiddleware,
  HttpError,
  Metrics,
  noContent,
  RateLimitMiddleware,
  text,
} from "espalier";
import { expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

const secret = "0123456789abcdef0123456789abcdef";

async function scrape(app: Application): Promise<string> {
  const response = await app.request("/metrics");
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return response.text();
}

test("requests are counted by method, route and status, and clients cannot create series", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  app.exposeMetrics("/metrics");
  const router = app.getRouter();
  router.get("/books/:id", () => text("book"));
  router.post("/books/:id", () => {
    throw new HttpError(409);
  });
  for (const id of ["1", "2", "3"]) await app.request(`/books/${id}`);
  await app.request("/books/1", { method: "POST" });
  await app.request("/books/1", { method: "BREW" });
  await app.request("/nowhere/1");
  await app.request("/nowhere/2");
  const lines = (await scrape(app)).split("\n").filter((line) => line.includes("_seconds_count"));
  const count = (method: string, route: string, status: number, times: number): string =>
    `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",` +
    `http_response_status_code="${status}"} ${times}`;
  expect(lines).toEqual([
    count("GET", "/books/:id", 200, 3),
    count("POST", "/books/:id", 409, 1),
    count("_OTHER", "", 405, 1),
    count("GET", "", 404, 2),
  ]);
});

test("jobs, cache lookups and refused requests are counted", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  app.useInMemoryQueue().exposeMetrics("/metrics");
  app.middleware("auth", createAuthMiddleware(new Auth({ secret })));
  app.middleware("limit", new RateLimitMiddleware({ limit: 1 }));
  app.getRouter().get("/members", () => noContent(), { middleware: ["auth"] });
  app.getRouter().get("/limited", () => noContent(), { middleware: ["limit"] });
  app.getQueue().process("mail", () => {});
  app.getQueue().process("broken", () => {
    throw new Error("broken");
  });
  await app.boot();
  const failed = new Promise((resolve) => void app.once("queue.failed", resolve));
  await app.getQueue().enqueue("mail", {});
  await app.getQueue().enqueue("broken", {}, { maxAttempts: 1 });
  await app.cacheGet("a");
  await app.cacheSet("a", 1);
  await app.cacheGet("a");
  await app.request("/members");
  await app.request("/limited");
  await app.request("/limited");
  await failed;
  await expect
    .poll(() => scrape(app))
    .toContain('espalier_job_duration_seconds_count{job_name="mail"} 1');
  const lines = (await scrape(app)).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'espalier_cache_lookups_total{result="miss"} 1',
      'espalier_cache_lookups_total{result="hit"} 1',
      'espalier_jobs_failed_total{job_name="broken"} 1',
      'espalier_requests_refused_total{http_route="/members",reason="authentication"} 1',
      'espalier_requests_refused_total{http_route="/limited",reason="rate_limit"} 1',
    ]),
  );
  await app.stop();
});

test("the endpoint is not in the OpenAPI document, and takes middleware", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  app.exposeMetrics("/metrics", { middleware: [() => new Response(null, { status: 401 })] });
  expect((await app.request("/metrics")).status).toBe(401);
  expect((await app.createOpenApiDocument()).paths).toEqual({});
});

test("a boot that failed does not count twice after the next", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  const metrics = new Metrics();
  app.exposeMetrics("/metrics", { metrics });
  app.getRouter().get("/a", () => noContent(), { middleware: ["late" as never] });
  await expect(app.boot()).rejects.toThrow("late");
  app.middleware("late" as never, (_ctx, next) => next());
  await app.request("/a");
  expect(await scrape(app)).toContain('http_response_status_code="204"} 1');
});

test.each([
  ["metrics", {}],
  ["/metrics/:id", {}],
  ["/metrics", { metric: new Metrics() }],
])("exposeMetrics(%j, %j) is refused", (path, options) => {
  expect(() => new Application().exposeMetrics(path, options as object)).toThrow("exposeMetrics()");
});
