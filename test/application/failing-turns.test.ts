import type { Application } from "espalier";
import { text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp, createLoggedApp } from "../spec/support.ts";

const locally = { port: 0, host: "127.0.0.1", gracefulSignals: false } as const;

function fail(): never {
  throw new Error("out of order");
}

/** An application that records the hooks of its plugin. */
function createTraced(): { readonly app: Application; readonly trace: string[] } {
  const app = createApp();
  const trace: string[] = [];
  app.getRouter().get("/", () => text("x"));
  app.registerPlugin({
    name: "traced",
    boot: () => void trace.push("boot"),
    ready: () => void trace.push("ready"),
    shutdown: () => void trace.push("shutdown"),
  });
  return { app, trace };
}

describe("a failing handler of lifecycle events", () => {
  test.each(["app.booted", "app.ready"])("%s: requests are still served", async (turn) => {
    const { app, trace } = createTraced();
    app.on(turn, fail);
    expect((await app.request("/")).status).toBe(200);
    expect((await app.request("/")).status).toBe(200);
    expect(trace).toEqual(["boot", "ready"]);
    await app.listen(locally);
    await app.stop();
  });

  test.each(["app.stopping", "app.stopped"])("%s: shutdown still completes", async (turn) => {
    const { app, trace } = createTraced();
    app.on(turn, fail);
    const { url } = await app.listen(locally);
    await app.stop();
    await expect(fetch(url)).rejects.toThrow();
    expect((await app.request("/")).status).toBe(200);
    expect(trace).toEqual(["boot", "ready", "shutdown", "boot", "ready"]);
  });

  test("it is logged", async () => {
    const { app, lines } = createLoggedApp();
    app.on("app.booted", fail);
    await app.boot();
    expect(JSON.stringify(lines)).toContain("out of order");
  });
});

describe("a failed start", () => {
  test("listen: the port is released, and a later call retries", async () => {
    const { app, trace } = createTraced();
    let isBroken = true;
    app.registerPlugin({ name: "late", ready: () => (isBroken ? fail() : undefined) });
    await expect(app.listen(locally)).rejects.toThrow("out of order");
    expect(trace).toEqual(["boot", "ready", "shutdown"]);
    isBroken = false;
    const { url } = await app.listen(locally);
    expect((await fetch(url)).status).toBe(200);
    await app.stop();
  });

  test.each([0, 50])("listen: a concurrent stop() of %i ms leaves no server", async (ms) => {
    const { app, trace } = createTraced();
    const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    app.registerPlugin({ name: "slow", shutdown: wait });
    const starting = app.listen(locally);
    await Promise.all([app.stop(), starting.catch(() => {})]);
    await expect(starting).rejects.toMatchObject({ code: "ERR_APPLICATION_LISTEN" });
    expect(trace).toEqual(["boot", "shutdown"]);
    const { url } = await app.listen(locally);
    expect((await fetch(url)).status).toBe(200);
    await app.stop();
  });

  test("boot: stop() shuts down the plugins that have booted", async () => {
    const { app, trace } = createTraced();
    app.registerPlugin({ name: "broken", boot: fail });
    await expect(app.boot()).rejects.toThrow("out of order");
    await app.stop();
    expect(trace).toEqual(["boot", "shutdown"]);
  });

  test("boot: HEAD gets a response without a body", async () => {
    const app = createApp();
    app.registerPlugin({ name: "broken", boot: fail });
    const response = await app.request("/", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([500, ""]);
  });
});

test("a failed shutdown: the application can start again", async () => {
  const { app, trace } = createTraced();
  const turns: string[] = [];
  app.on("app.stopped", () => void turns.push("stopped"));
  app.registerPlugin({ name: "broken", shutdown: fail });
  await app.boot();
  await expect(app.stop()).rejects.toThrow("out of order");
  await app.boot();
  expect([trace, turns]).toEqual([["boot", "shutdown", "boot"], ["stopped"]]);
});
