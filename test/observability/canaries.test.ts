import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Application, Controller, HttpError, json, stream, text } from "../../src/index.ts";
import { RequestObservabilityMiddleware } from "../../src/middleware/request-observability.ts";
import { Random } from "../support/random.ts";

const lines: string[] = [];
const write = (line: string): void => void lines.push(line);

beforeAll(() => {
  for (const level of ["debug", "info", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation(write);
  }
});
afterAll(() => vi.restoreAllMocks());

class Validated extends Controller.for({ body: { email: { type: "email", required: true } } }) {
  handle(): Response {
    return this.success();
  }
}

const events: string[] = [];

function createApplication(): Application {
  const app = new Application();
  app.on("request.*", (payload) => void events.push(JSON.stringify(payload)));
  app.use(new RequestObservabilityMiddleware({ includeBody: true, includeHeaders: true }));
  const router = app.getRouter();
  router.get("/ok", () => {
    const response = json({ ok: true });
    response.headers.append("set-cookie", "session=CANARY-in-the-response");
    return response;
  });
  router.all("/echo", () => json({}));
  router.all("/reset/:token", () => text("ok"));
  router.post("/validated", Validated);
  router.all("/refused", () => {
    throw new HttpError(403);
  });
  router.all("/broken", () => {
    throw new TypeError("nothing of the request is in here");
  });
  router.all("/stream", () =>
    stream(
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(16)),
      }),
    ),
  );
  return app;
}

/** Twelve places in which a client may put a secret, each with a different canary. */
type Place = (
  request: { headers: Headers; url: URL; body: Record<string, unknown> },
  canary: string,
) => void;
const places: readonly Place[] = [
  ({ headers }, canary) => headers.set("authorization", `Bearer ${canary}`),
  ({ headers }, canary) => headers.set("cookie", `theme=dark; sid=${canary}`),
  ({ headers }, canary) => headers.set("proxy-authorization", `Basic ${canary}`),
  ({ headers }, canary) => headers.set("x-api-key", canary),
  ({ headers }, canary) => headers.set("x-auth-token", canary),
  ({ headers }, canary) => headers.set("referer", `https://a.example/?token=${canary}`),
  ({ url }, canary) => url.searchParams.set("access_token", canary),
  ({ url }, canary) => {
    // The encoded name, which is equivalent.
    url.search += `${url.search === "" ? "?" : "&"}%61pi_ke%79=${canary}`;
  },
  ({ body }, canary) => {
    body["password"] = canary;
  },
  ({ body }, canary) => {
    body["user"] = { profile: [{ credentials: { clientSecret: canary } }] };
  },
  ({ body }, canary) => {
    body["note"] = JSON.stringify({ token: canary, why: "JSON within JSON" });
  },
  ({ url }, canary) => {
    if (url.pathname === "/reset/x") url.pathname = `/reset/${canary}`;
  },
];

test("no secret of 10,000 requests is logged or in an event, one line each", async () => {
  const app = createApplication();
  const random = new Random(26);
  const paths = [
    "/ok",
    "/echo",
    "/reset/x",
    "/validated",
    "/refused",
    "/broken",
    "/stream",
    "/none",
  ];
  const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];
  const statuses = new Map<number, number>();
  const requests = 10_000;
  let unexpected = 0;
  for (let number = 0; number < requests; number += 1) {
    const url = new URL(random.pick(paths), "http://localhost");
    const method = random.pick(methods);
    const request = { headers: new Headers(), url, body: { title: "A book" } };
    for (const place of places) if (random.chance(0.5)) place(request, `CANARY-${number}`);
    const init: RequestInit = { method, headers: request.headers };
    if (method !== "GET" && method !== "HEAD") Object.assign(init, bodyOf(request, random));
    const response = await app.request(request.url.href, init);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (response.status === 500) unexpected += 1;
    // Every stream is cancelled, as by a disconnect.
    await response.body?.cancel();
  }

  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const access = records.filter((record) => "durationMs" in record);
  expect(lines.filter((line) => line.includes("CANARY"))).toEqual([]);
  expect(events.filter((event) => event.includes("CANARY"))).toEqual([]);
  expect(events.filter((event) => event.includes("/reset/:token"))).not.toEqual([]);
  expect(access).toHaveLength(requests);
  expect(new Set(access.map(({ id }) => id)).size).toBe(requests);
  // The rest are records of unexpected errors, one each.
  expect(records.length - access.length).toBe(unexpected);
  for (const [status, count] of statuses) {
    expect(access.filter((record) => record["status"] === status)).toHaveLength(count);
  }
  expect([...statuses.keys()].sort()).toEqual([200, 204, 400, 403, 404, 405, 422, 500]);
});

function bodyOf(
  request: { headers: Headers; body: Record<string, unknown> },
  random: Random,
): RequestInit {
  const kind = random.between(0, 3);
  const flat = Object.entries(request.body).map(([name, value]) => [name, String(value)]);
  if (kind === 0) return { body: new URLSearchParams(flat as [string, string][]) };
  if (kind === 1) {
    const form = new FormData();
    for (const [name = "", value = ""] of flat) form.set(name, value);
    return { body: form };
  }
  request.headers.set("content-type", "application/json");
  const body = JSON.stringify(request.body);
  // Every fourth is truncated, and so invalid JSON.
  return { body: kind === 2 ? body : body.slice(0, -1) };
}
