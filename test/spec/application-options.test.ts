import { json, text } from "espalier";
import { expect, test } from "vitest";
import {
  answerOf,
  createApp,
  createLoggedApp,
  jsonOf,
  withFile,
  withForm,
  withJson,
} from "./support.ts";

/** URL of a listening application, or the intended one if the port is in use. */
async function whereItListens(options: { port?: number; host?: string }) {
  const app = createApp(options);
  try {
    const { port, hostname } = await app.listen({ gracefulSignals: false });
    return { port, host: hostname };
  } catch (error) {
    const { code, cause } = error as { code: string; cause: { port: number; address: string } };
    expect(code).toBe("ERR_APPLICATION_PORT_IN_USE");
    const { port, address } = cause;
    return { port, host: ["127.0.0.1", "::1"].includes(address) ? "localhost" : address };
  } finally {
    await app.stop();
  }
}

test("Options, port: the listener's port is 3000 by default", async () => {
  expect((await whereItListens({})).port).toBe(3000);
});

test("Options, port: binds another port; 0 picks a free one", async () => {
  const { port } = await whereItListens({ port: 0 });
  expect(port).toBeGreaterThan(0);
  expect((await whereItListens({ port })).port).toBe(port);
});

test("Options, host: the listener's host is localhost by default", async () => {
  expect((await whereItListens({ port: 0 })).host).toBe("localhost");
});

test("Options, host: binds another host", async () => {
  expect((await whereItListens({ port: 0, host: "127.0.0.1" })).host).toBe("127.0.0.1");
});

test("Options, bodyParser: JSON and form bodies are parsed by default", async () => {
  const app = createApp();
  app.getRouter().post("/", (ctx) => json(ctx.body));
  expect(await jsonOf(await app.request("/", withJson({ a: [1] })))).toEqual({ a: [1] });
  expect(await jsonOf(await app.request("/", withForm("a=1&b=x+y")))).toEqual({ a: "1", b: "x y" });
  const form = new FormData();
  form.set("a", "1");
  expect(await jsonOf(await app.request("/", { method: "POST", body: form }))).toEqual({ a: "1" });
});

test("Options, bodyParser: false leaves every body to the handler", async () => {
  const app = createApp({ bodyParser: false });
  app
    .getRouter()
    .post("/", async (ctx) =>
      json([ctx.body ?? null, ctx.rawBody ?? null, await ctx.request.text()]),
    );
  const response = await app.request("/", withJson({ a: 1 }));
  expect(await response.json()).toEqual([null, null, '{"a":1}']);
});

test("Options, bodyParser: its limits are bytes, 1 MiB and 20 MiB for multipart by default", async () => {
  const app = createApp();
  app.getRouter().post("/", () => text("read"));
  const ofSize = (bytes: number) => withJson("x".repeat(bytes - 2));
  expect((await app.request("/", ofSize(1024 * 1024))).status).toBe(200);
  expect((await app.request("/", ofSize(1024 * 1024 + 1))).status).toBe(413);
  expect((await app.request("/", withFile("f", 2 * 1024 * 1024))).status).toBe(200);
  expect((await app.request("/", withFile("f", 20 * 1024 * 1024))).status).toBe(413);
});

test("Options, bodyParser: custom limits", async () => {
  const app = createApp({ bodyParser: { limit: 10, multipartLimit: 200 } });
  app.getRouter().post("/", () => text("read"));
  expect((await app.request("/", withJson("12345678"))).status).toBe(200);
  expect((await app.request("/", withJson("123456789"))).status).toBe(413);
  expect((await app.request("/", withFile("f", 50))).status).toBe(200);
  expect((await app.request("/", withFile("f", 200))).status).toBe(413);
});

test("Options, debug: shows details of unexpected errors only when enabled", async () => {
  const bodyWith = async (debug: boolean) => {
    const app = createApp({ debug });
    app.getRouter().get("/", () => {
      throw new Error("the cellar is flooded", { cause: new Error("rain") });
    });
    return (await app.request("/")).text();
  };
  expect(await bodyWith(false)).not.toMatch(/cellar|rain/);
  const shown = JSON.parse(await bodyWith(true)) as Record<string, unknown>;
  expect(shown).toMatchObject({ status: 500, detail: "the cellar is flooded" });
  expect(shown["stack"]).toContain("application-options.test");
  expect(JSON.stringify(shown["cause"])).toContain("rain");
});

test("Options, methodNotAllowed: false responds with 404 instead of 405", async () => {
  const statusWith = async (options: { methodNotAllowed?: boolean }) => {
    const app = createApp(options);
    app.getRouter().get("/a", () => text("a"));
    return (await app.request("/a", { method: "PUT" })).status;
  };
  expect(await statusWith({})).toBe(405);
  expect(await statusWith({ methodNotAllowed: false })).toBe(404);
});

test("Options, trailingSlash: ignored by default; significant with strict", async () => {
  const statusesWith = async (options: { trailingSlash?: "ignore" | "strict" }) => {
    const app = createApp(options);
    app.getRouter().get("/a", () => text("a"));
    return [(await app.request("/a")).status, (await app.request("/a/")).status];
  };
  expect(await statusesWith({})).toEqual([200, 200]);
  expect(await statusesWith({ trailingSlash: "ignore" })).toEqual([200, 200]);
  expect(await statusesWith({ trailingSlash: "strict" })).toEqual([200, 404]);
});

test("Options, trustProxy: forwarded addresses count only behind trusted hops, from the right", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9, 198.51.100.2" };
  const addressWith = async (trustProxy: false | number | readonly string[]) => {
    const app = createApp({ trustProxy, host: "127.0.0.1" });
    app.getRouter().get("/", (ctx) => text(String(ctx.ip)));
    const { url } = await app.listen({ port: 0, gracefulSignals: false });
    try {
      return await (await fetch(url, { headers })).text();
    } finally {
      await app.stop();
    }
  };
  expect(await addressWith(false)).toBe("127.0.0.1");
  expect(await addressWith(1)).toBe("198.51.100.2");
  expect(await addressWith(2)).toBe("203.0.113.9");
  expect(await addressWith(["127.0.0.0/8"])).toBe("198.51.100.2");
});

test("Options, logger: receives unexpected errors, and nothing else does", async () => {
  const { app, lines } = createLoggedApp();
  app.getRouter().get("/", () => {
    throw new Error("the cellar is flooded");
  });
  expect(await answerOf(await app.request("/"))).toEqual([
    500,
    expect.not.stringContaining("cellar"),
  ]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: "error", error: { message: "the cellar is flooded" } });
});
