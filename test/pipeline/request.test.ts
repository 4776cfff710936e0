import { json, text } from "espalier";
import { afterEach, describe, expect, test, vi } from "vitest";
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
