import { text } from "espalier";
import { expect, test } from "vitest";
import { createApp } from "./support.ts";

const builtIn = ["/health", "/health/ready", "/health/live", "/openapi.json", "/docs"] as const;

test("Endpoints: all of them are off by default", async () => {
  const app = createApp();
  expect(app.getRouter().routes()).toEqual([]);
  for (const path of ["/", ...builtIn, "/favicon.ico", "/metrics"]) {
    expect((await app.request(path)).status).toBe(404);
  }
});

test("Endpoints: each is an ordinary GET route, with HEAD, OPTIONS and 405", async () => {
  const app = createApp();
  app.enableHealthEndpoints().exposeOpenApi("/openapi.json", { ui: "/docs" });
  for (const path of builtIn) {
    const get = await app.request(path);
    const head = await app.request(path, { method: "HEAD" });
    expect([path, get.status, head.status, await head.text()]).toEqual([path, 200, 200, ""]);
    const post = await app.request(path, { method: "POST" });
    expect([path, post.status, post.headers.get("allow")]).toEqual([
      path,
      405,
      "GET, HEAD, OPTIONS",
    ]);
    expect((await app.request(path, { method: "OPTIONS" })).status).toBe(204);
  }
});

test("Endpoints: the document's path is the argument of exposeOpenApi", async () => {
  const app = createApp();
  app.exposeOpenApi("/v1/description");
  expect((await app.request("/v1/description")).status).toBe(200);
  expect((await app.request("/openapi.json")).status).toBe(404);
});

test("Endpoints: they are not in the document, and an equal route throws", async () => {
  const app = createApp();
  app.enableHealthEndpoints().exposeOpenApi("/openapi.json", { ui: "/docs" });
  expect(await (await app.request("/openapi.json")).json()).toHaveProperty("paths", {});
  for (const path of builtIn) {
    expect(() => app.getRouter().get(path, () => text("own"))).toThrow(
      expect.objectContaining({ code: "ERR_ROUTE_DUPLICATE" }),
    );
  }
});

test("Versioning: a version is the prefix of a group", async () => {
  const app = createApp();
  for (const version of ["v1", "v2"]) {
    app.getRouter().group(`/${version}`, (group) => group.get("/books", () => text(version)));
  }
  const headers = { accept: "application/json; version=1", "api-version": "1" };
  expect(await (await app.request("/v1/books")).text()).toBe("v1");
  expect(await (await app.request("/v2/books", { headers })).text()).toBe("v2");
  expect((await app.request("/books", { headers })).status).toBe(404);
});
