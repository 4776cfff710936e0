import { json, stream, text } from "espalier";
import { afterEach, describe, expect, test, vi } from "vitest";
import { reportBodyFailure } from "../../src/http/body-failure.ts";
import type { RequestContext } from "../../src/http/context.ts";
import { createApp } from "../spec/support.ts";
import { createLoggedApp } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

describe("request.completed", () => {
  test("reports the request, the status and the duration after the response", async () => {
    const { app } = createLoggedApp();
    const seen: Record<string, unknown>[] = [];
    app.on("request.completed", (payload) => void seen.push(payload as never));
    app.getRouter().get("/books/:id", async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return text("made", 201);
    });
    const before = performance.now();
    await app.request("/books/7?page=1");
    const passed = performance.now() - before;
    await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 10_000 });
    expect(seen[0]).toMatchObject({
      method: "GET",
      path: "/books/7",
      route: "/books/:id",
      status: 201,
    });
    expect(seen[0]?.["durationMs"]).toBeGreaterThan(10);
    expect(seen[0]?.["durationMs"]).toBeLessThanOrEqual(passed);
  });

  test("is not emitted to listeners of other events", async () => {
    const { app } = createLoggedApp();
    const seen: string[] = [];
    app.on("user.created", () => void seen.push("user.created"));
    app.getRouter().get("/", () => text("made"));
    expect((await app.request("/")).status).toBe(200);
    expect(seen).toEqual([]);
  });
});

describe("on every response", () => {
  test("cookies are set, also on an immutable Response", async () => {
    const { app } = createLoggedApp();
    app.getRouter().get("/", (ctx) => {
      ctx.cookies.set("seen", "yes");
      return Response.redirect("http://localhost/next", 302);
    });
    const response = await app.request("/");
    expect(response.status).toBe(302);
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^seen=yes;/)]);
  });

  test("no cookie by default", async () => {
    const { app } = createLoggedApp();
    app.getRouter().get("/", () => Response.redirect("http://localhost/next", 302));
    expect((await app.request("/")).headers.getSetCookie()).toEqual([]);
  });
});

describe("bodies", () => {
  test("that cannot be read fail after the middleware, which can respond first", async () => {
    const { app } = createLoggedApp();
    app.middleware("closed", () => text("closed", 403));
    app.getRouter().post("/open", (ctx) => json(ctx.body ?? null));
    app.getRouter().post("/closed", () => text("never"), { middleware: ["closed"] });
    const broken = {
      method: "POST",
      body: "{",
      headers: { "content-type": "application/json" },
    };
    expect((await app.request("/open", broken)).status).toBe(400);
    expect((await app.request("/closed", broken)).status).toBe(403);
  });
});

test("if no server has validated the Host header, an invalid one results in a 400", async () => {
  vi.stubGlobal("navigator", { userAgent: "Deno/2.9.6" });
  const { app } = createLoggedApp();
  app.getRouter().get("/shelves/1", () => text("here"));
  // A second slash in the URL may come from the header, which is then checked.
  const ask = (host: string) => app.fetch(new Request("http://a/shelves/1", { headers: { host } }));
  expect((await ask("library.example")).status).toBe(200);
  const refused = await ask("library.example/..?");
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ detail: "The Host header is not valid." });
});

describe("on a server that copies the target of a request into its URL", () => {
  test("a # is a character of the path, which no target may have", async () => {
    vi.stubGlobal("navigator", { userAgent: "Deno/2.9.6" });
    const { app } = createLoggedApp();
    app.getRouter().get("/shelves", () => text("here"));
    const request = (): Request => new Request("http://a/shelves#1");
    const info = { remoteAddr: { hostname: "192.0.2.1" }, completed: Promise.resolve() };
    expect((await app.fetch(request(), info)).status).toBe(400);
    expect((await app.fetch(request())).status).toBe(200);
  });
});

test("endpoints of health are served for every host, routes for allowed ones", async () => {
  const app = createApp({ allowedHosts: ["library.example"] });
  app.getRouter().get("/books", () => text("here"));
  app.enableHealthEndpoints();
  const ask = async (url: string): Promise<number> => (await app.fetch(new Request(url))).status;
  expect(await ask("http://192.0.2.1/health/live")).toBe(200);
  expect(await ask("http://192.0.2.1/books")).toBe(421);
  expect(await ask("http://192.0.2.1/nowhere")).toBe(421);
  expect(await ask("http://library.example/books")).toBe(200);
});

describe("the body of GET and HEAD", () => {
  test.each(["GET", "HEAD"])("is not parsed: %s", async (method) => {
    const { app } = createLoggedApp();
    let seen: unknown = "nothing";
    // Otherwise no body would be parsed at all.
    app.getRouter().post("/", (ctx) => json(ctx.body ?? null));
    app.getRouter().get("/", (ctx) => {
      seen = ctx.body;
      return text("here");
    });
    const headers = { "content-type": "application/json" };
    // As a server gives it: the constructor rejects a body of these methods.
    const request = new Request("http://a/", { method: "POST", body: "{", headers });
    Object.defineProperty(request, "method", { value: method });
    expect((await app.fetch(request)).status).toBe(200);
    expect(seen).toBeUndefined();
  });
});

describe("a body that fails while it is sent", () => {
  /** Asks an application for a response, and tells it that its body has failed, as Node's server does. */
  async function failBodyOf(response: () => Response, method = "GET") {
    const { app, lines } = createLoggedApp();
    const failed: unknown[] = [];
    app.on("request.failed", ({ error }) => void failed.push((error as Error).message));
    app.getRouter().get("/", response);
    const sent = await app.fetch(new Request("http://a/", { method }));
    const isReported = reportBodyFailure(sent, new Error("the disk is gone"));
    return { isReported, failed, logged: lines.map(({ level }) => level) };
  }
  const streamed = (): Response => new Response(new ReadableStream());

  test("is logged and reported", async () => {
    const { isReported, failed, logged } = await failBodyOf(streamed);
    expect([isReported, failed, logged]).toEqual([true, ["the disk is gone"], ["error"]]);
  });

  test("is not expected where there is none, or where it is in memory", async () => {
    expect(await failBodyOf(streamed, "HEAD")).toMatchObject({ isReported: false });
    expect(await failBodyOf(() => text("whole"))).toMatchObject({ isReported: false });
  });

  test("is reported by the helper that streams it, also through a middleware's response", async () => {
    const { app } = createLoggedApp();
    const failed: unknown[] = [];
    app.on("request.failed", ({ error }) => void failed.push((error as Error).message));
    app.use(async (_ctx, next) => new Response((await next()).body));
    app.getRouter().get("/", () =>
      stream(async function* () {
        yield "the first page";
        throw new Error("the disk is gone");
      }),
    );
    await expect((await app.request("/")).text()).rejects.toThrow("the disk is gone");
    expect(failed).toEqual(["the disk is gone"]);
  });

  test("cannot be noticed on an unknown runtime", async () => {
    vi.stubGlobal("navigator", { userAgent: "Unknown/1.0" });
    vi.stubGlobal("process", undefined);
    expect(await failBodyOf(streamed)).toEqual({ isReported: false, failed: [], logged: [] });
  });
});

test("without middleware, a response is passed on as it is, also with immutable headers", async () => {
  const { app } = createLoggedApp();
  const made = Response.redirect("http://localhost/next", 302);
  app.getRouter().get("/", () => made);
  expect(await app.fetch(new Request("http://a/"))).toBe(made);
});

describe("next() with a context", () => {
  test("may be given that of another request", async () => {
    const { app } = createLoggedApp();
    let first: RequestContext | undefined;
    app.use((ctx, next) => {
      first ??= ctx;
      return next(first);
    });
    app.getRouter().get("/", (ctx) => text(String(ctx.query["page"])));
    for (let page = 1; page <= 2; page++) {
      expect(await (await app.request(`/?page=${page}`)).text()).toBe("1");
    }
  });
});
