import { Application, text } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { answerOf, createApp, jsonOf, withJson } from "./support.ts";

const running: Application[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.stop()));
});

function createServer(): Application {
  const app = createApp({ host: "127.0.0.1", port: 0 });
  app.getRouter().get("/", () => text("hello"));
  running.push(app);
  return app;
}

describe("boot", () => {
  test("Lifecycle, boot: prepares the application without a listener", async () => {
    const app = createServer();
    const booted: string[] = [];
    app.on("app.booted", () => booted.push("booted"));
    await app.boot();
    expect(booted).toEqual(["booted"]);
    expect(await answerOf(await app.request("/"))).toEqual([200, "hello"]);
  });

  test("Lifecycle, boot: runs once, however often it is called", async () => {
    const app = createServer();
    let boots = 0;
    app.registerPlugin({
      name: "counter",
      boot: () => {
        boots += 1;
      },
    });
    await Promise.all([app.boot(), app.boot(), app.request("/")]);
    await app.listen({ gracefulSignals: false });
    expect(boots).toBe(1);
  });

  test("Lifecycle, boot: one error lists all problems", async () => {
    const app = createApp();
    app.configure("mail", { from: { required: true, type: "string" } }, { source: {} });
    app.middleware("audit", (_ctx, next) => next());
    app.getRouter().get("/a", () => text("a"), { middleware: ["audti"] });
    app.getRouter().get("/b", () => text("b"), { middleware: ["missing:1", "other"] });
    const failure = await app.boot().catch((error: unknown) => error);
    const { message } = failure as Error;
    for (const part of [
      "mail",
      "from",
      "GET /a",
      '"audti"',
      '"audit"',
      "GET /b",
      '"missing"',
      '"other"',
    ]) {
      expect(message).toContain(part);
    }
    expect(failure).toMatchObject({ code: "ERR_APPLICATION_BOOT" });
  });

  test("Lifecycle, boot: a failure responds with 500, and the next request tries again", async () => {
    const app = createApp();
    app.getRouter().get("/", () => text("hello"), { middleware: ["late"] });
    const refused = await app.request("/");
    expect(refused.status).toBe(500);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(await jsonOf(refused)).toMatchObject({
      title: "Internal Server Error",
      detail: "An unexpected error occurred.",
    });
    app.middleware("late", (_ctx, next) => next());
    expect(await answerOf(await app.request("/"))).toEqual([200, "hello"]);
  });
});

describe("listen", () => {
  test("Lifecycle, listen(): uses the constructor's port and host", async () => {
    const first = await createServer().listen({ gracefulSignals: false });
    const app = createApp({ port: first.port, host: "127.0.0.1" });
    running.push(app);
    await running[0]?.stop();
    expect(await app.listen()).toEqual({
      port: first.port,
      hostname: "127.0.0.1",
      url: `http://127.0.0.1:${first.port}/`,
    });
  });

  test("Lifecycle, listen(port, host): uses the given port and host", async () => {
    const app = createApp({ port: 1, host: "192.0.2.1" });
    app.getRouter().get("/", () => text("hello"));
    running.push(app);
    const { url, hostname } = await app.listen(0, "127.0.0.1");
    expect(hostname).toBe("127.0.0.1");
    expect(await answerOf(await fetch(url))).toEqual([200, "hello"]);
  });

  test("Lifecycle, listen: boots first, and a failed boot binds nothing", async () => {
    const app = createApp({ host: "127.0.0.1", port: 0 });
    app.getRouter().get("/", () => text("hello"), { middleware: ["missing"] });
    await expect(app.listen({ gracefulSignals: false })).rejects.toMatchObject({
      code: "ERR_APPLICATION_BOOT",
    });
  });
});

describe("stop", () => {
  test("Lifecycle, stop: requests in flight finish and new connections are refused", async () => {
    const app = createServer();
    const reached = Promise.withResolvers<void>();
    app.getRouter().get("/slow", async () => {
      reached.resolve();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return text("whole");
    });
    const { url } = await app.listen({ gracefulSignals: false });
    const pending = fetch(`${url}slow`);
    await reached.promise;
    const stopped = app.stop();
    expect(await answerOf(await pending)).toEqual([200, "whole"]);
    await stopped;
    await expect(fetch(url)).rejects.toThrow();
  });

  test("Lifecycle, stop: is a no-op before listen and on a second call", async () => {
    const app = createServer();
    const stops: string[] = [];
    app.registerPlugin({ name: "counter", shutdown: () => stops.push("shutdown") });
    await app.stop();
    await app.listen({ gracefulSignals: false });
    await Promise.all([app.stop(), app.stop()]);
    await app.stop();
    expect(stops).toEqual(["shutdown"]);
  });

  test("Lifecycle, stop: awaits background work of requests", async () => {
    const app = createServer();
    let isDone = false;
    app.getRouter().get("/work", (ctx) => {
      ctx.waitUntil(
        new Promise<void>((resolve) => {
          setTimeout(() => {
            isDone = true;
            resolve();
          }, 30);
        }),
      );
      return text("started");
    });
    await app.request("/work");
    expect(isDone).toBe(false);
    await app.stop();
    expect(isDone).toBe(true);
  });
});

test("Lifecycle, getRouter: returns the router of the application", async () => {
  const app = createApp();
  expect(app.getRouter()).toBe(app.getRouter());
  app.getRouter().get("/x", () => text("x"));
  expect(app.getRouter().routes()).toMatchObject([{ method: "GET", pattern: "/x" }]);
  expect((await app.request("/x")).status).toBe(200);
});

test("Lifecycle, fetch: is bound, and always responds", async () => {
  const app = createApp();
  app.getRouter().get("/", () => {
    throw new Error("broken");
  });
  const { fetch: detached } = app;
  expect((await detached(new Request("http://localhost/"))).status).toBe(500);
  expect((await detached(new Request("http://localhost/nowhere"))).status).toBe(404);
});

test("Lifecycle, request: takes a path, a URL or a Request, with its init and environment", async () => {
  const app = createApp();
  app.getRouter().post("/a", (ctx) => text(`${ctx.url.pathname} ${Object.keys(ctx.env).join()}`));
  const init = withJson({});
  expect(await (await app.request("/a", init, { KEY: 1 })).text()).toBe("/a KEY");
  expect((await app.request(new URL("http://localhost/a"), init)).status).toBe(200);
  expect((await app.request(new Request("http://localhost/a", init))).status).toBe(200);
});

test("Lifecycle, worker: returns the module worker; each call passes its environment", async () => {
  const app = createApp();
  app.getRouter().get("/", (ctx) => text(String((ctx.env as Record<string, unknown>)["NAME"])));
  const { fetch: workerFetch } = app.worker();
  const waited: Promise<unknown>[] = [];
  const executionContext = { waitUntil: (promise: Promise<unknown>) => waited.push(promise) };
  const call = (name: string) =>
    workerFetch(new Request("http://localhost/"), { NAME: name }, executionContext);
  expect(await (await call("first")).text()).toBe("first");
  expect(await (await call("second")).text()).toBe("second");
});

test("Lifecycle, late registration: routes and middleware added after boot apply from the next request on", async () => {
  const app = createServer();
  await app.boot();
  app.getRouter().get("/late", () => text("late"));
  app.use(async (_ctx, next) => {
    const response = await next();
    response.headers.set("x-late", "1");
    return response;
  });
  for (const path of ["/", "/late"]) {
    const response = await app.request(path);
    expect([response.status, response.headers.get("x-late")]).toEqual([200, "1"]);
  }
});

test("Lifecycle, construction: several applications coexist", async () => {
  const [first, second] = [createApp(), createApp()];
  first.getRouter().get("/", () => text("first"));
  second.getRouter().get("/", () => text("second"));
  second.instance("only-here", 1);
  expect(await (await first.request("/")).text()).toBe("first");
  expect(await (await second.request("/")).text()).toBe("second");
  expect(() => first.resolve("only-here")).toThrow("not registered");
  expect(new Application()).toBeInstanceOf(Application);
});
