import type { Application, Middleware, RouteFunction } from "espalier";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Random } from "../support/random.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

type Framework = typeof import("espalier");

/** The framework with one of the two ways to build responses: Node's, or that of all others. */
async function load(way: "native" | "node"): Promise<Framework> {
  vi.resetModules();
  vi.doMock("#response", () => import(`../../src/platform/response/${way}.ts`));
  return import("espalier");
}

const frameworks: Framework[] = [];
beforeAll(async () => {
  // Problem Details have an id of the request.
  vi.spyOn(crypto, "randomUUID").mockReturnValue("0-0-0-0-0");
  frameworks.push(await load("node"), await load("native"));
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.doUnmock("#response");
  vi.resetModules();
});

const handlersOf = (framework: Framework): Record<string, RouteFunction> => {
  const { json, text, html, success, error, file, redirect, noContent, stream } = framework;
  return {
    json: () => json({ a: "é".repeat(600) }, 201, { "x-a": "1" }),
    text: () => text("\uFEFFcut \ud800 "),
    empty: () => text(""),
    html: () => html("<p>x</p>".repeat(300), 200, { vary: "accept", etag: '"own"' }),
    success: () => success({ id: 1 }),
    error: () => error("no", 409),
    bytes: () => file(new Uint8Array(2_000).fill(7), { name: "a.bin" }),
    buffer: () => file(Buffer.from("of a pool"), { type: "text/plain" }),
    blob: () => file(new Blob(["blob"], { type: "text/csv" })),
    redirect: () => redirect("/json", 303),
    none: () => noContent(),
    unchanged: () => json({}, 304),
    cookies: () => {
      const response = json(1);
      response.headers.append("set-cookie", "a=1");
      response.headers.append("set-cookie", "b=2");
      return response;
    },
    stream: () => stream(new Blob(["streamed"]).stream()),
    own: () => new Response("own"),
    read: async () => {
      const response = text("gone");
      await response.text();
      return response;
    },
  };
};

const middlewareOf = (framework: Framework): Record<string, Middleware> => ({
  etag: new framework.ETagMiddleware(),
  compression: new framework.CompressionMiddleware(),
  cors: new framework.CorsMiddleware({ origins: ["http://a.example"] }),
  secureHeaders: new framework.SecureHeadersMiddleware(),
  timeout: new framework.TimeoutMiddleware({ ms: 60_000 }),
  measured: async (_ctx, next) => {
    const response = await next();
    if (response.body === null) return response;
    const blob = await response.blob();
    response.headers.set("x-blob", `${blob.type} ${blob.size}`);
    return new Response(blob, response);
  },
  rewrapped: async (_ctx, next) => {
    const response = await next();
    return new Response(response.body, response);
  },
  piped: async (_ctx, next) => {
    const response = await next();
    return new Response(response.body?.pipeThrough(new TransformStream()) ?? null, response);
  },
  late: async (_ctx, next) => {
    const response = await next();
    if (response.body?.locked === true) return response;
    response.headers.set("content-type", "text/x-late");
    response.headers.append("set-cookie", "late=1");
    return response;
  },
  cancelled: async (_ctx, next) => {
    const response = await next();
    response.body?.cancel().catch(() => {});
    return response;
  },
  told: async (_ctx, next) => {
    const response = await next();
    const { status, headers } = response;
    return framework.json({ status, headers: [...headers], text: await response.text() });
  },
});

function applicationOf(framework: Framework, used: readonly string[]): Application {
  const app = new framework.Application({ logger: createRecordingLogger() });
  const middleware = middlewareOf(framework);
  for (const name of used) app.use(middleware[name] as Middleware); // one of its names
  const router = app.getRouter();
  for (const [name, handler] of Object.entries(handlersOf(framework))) {
    router.get(`/${name}`, handler);
    router.post(`/${name}`, handler);
  }
  return app;
}

/** Returns the response as received by a client. */
async function outcome(app: Application, path: string, init: RequestInit): Promise<unknown> {
  const response = await app.fetch(new Request(`http://shelf.example${path}`, init));
  const { status, statusText, ok, headers, bodyUsed } = response;
  const isCompressed = headers.has("content-encoding");
  const body = isCompressed
    ? await new Response(response.body?.pipeThrough(new DecompressionStream("gzip"))).text()
    : Buffer.from(await response.arrayBuffer()).toString("latin1");
  return { status, statusText, ok, headers: [...headers], bodyUsed, body };
}

// A body that pauses is not compressed, and on a busy machine any body may pause.
test("on Node an application answers as with the platform's own responses", {
  retry: 2,
}, async () => {
  const random = new Random(1128);
  const [node, native] = frameworks as [Framework, Framework];
  const isNative = ({ text }: Framework): boolean =>
    Object.getPrototypeOf(text("")) === Response.prototype;
  expect([isNative(node), isNative(native)]).toEqual([false, true]);
  const names = Object.keys(middlewareOf(node));
  for (let round = 0; round < 60; round += 1) {
    const used = [...new Set(random.list(0, 4, () => random.pick(names)))];
    const apps = [applicationOf(node, used), applicationOf(native, used)] as const;
    for (const path of [...Object.keys(handlersOf(node)), "missing"]) {
      const method = random.pick(["GET", "GET", "HEAD", "POST", "OPTIONS"]);
      const headers = random.pick<Record<string, string>>([
        {},
        { origin: "http://a.example" },
        { "accept-encoding": "gzip" },
        { "if-none-match": '"own"' },
      ]);
      const [ours, theirs] = await Promise.all(
        apps.map((app) => outcome(app, `/${path}`, { method, headers })),
      );
      expect({ used, path, method, headers, outcome: ours }).toEqual({
        ...{ used, path, method, headers },
        outcome: theirs,
      });
    }
  }
});
