import { type EventDetails, json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp, createLoggedApp } from "./support.ts";

describe("on", () => {
  test("Events, on: registers an async handler that receives the event", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    app.on("user.created", async (payload, event) => {
      await Promise.resolve();
      seen.push(payload, event);
    });
    const before = Date.now();
    await app.emit("user.created", { id: 7 });
    const [payload, event] = seen as [unknown, EventDetails];
    expect(payload).toEqual({ id: 7 });
    expect(event.name).toBe("user.created");
    expect(event.id).toMatch(/^[\da-f-]{36}$/);
    expect(event.timestamp).toBeGreaterThanOrEqual(before);
    expect(event.timestamp).toBeLessThanOrEqual(Date.now());
  });

  test("Events, on: returns a function that unsubscribes; a handler registered twice runs twice", async () => {
    const app = createApp();
    const calls: string[] = [];
    const handler = () => calls.push("x");
    const unsubscribe = app.on("metrics.tick", handler);
    app.on("metrics.tick", handler);
    await app.emit("metrics.tick");
    expect(calls).toHaveLength(2);
    unsubscribe();
    await app.emit("metrics.tick");
    expect(calls).toHaveLength(3);
  });

  test("Events, on: * and user.* subscribe to many, at any depth", async () => {
    const app = createApp();
    const seen: string[] = [];
    app.on("*", (_payload, event) => seen.push(`* ${event.name}`));
    app.on("user.*", (_payload, event) => seen.push(`user.* ${event.name}`));
    await app.emit("user.created");
    await app.emit("user.mail.sent");
    await app.emit("users.created");
    expect(seen).toEqual([
      "* user.created",
      "user.* user.created",
      "* user.mail.sent",
      "user.* user.mail.sent",
      "* users.created",
    ]);
  });
});

test("Events, once: the handler runs for one emission, also of concurrent ones", async () => {
  const app = createApp();
  let calls = 0;
  app.once("app.started", async () => {
    calls += 1;
    await Promise.resolve();
  });
  await Promise.all([app.emit("app.started"), app.emit("app.started")]);
  await app.emit("app.started");
  expect(calls).toBe(1);
});

describe("off", () => {
  test("Events, off: removes a handler, also one given to once", async () => {
    const app = createApp();
    const calls: string[] = [];
    const handler = () => calls.push("on");
    const onceHandler = () => calls.push("once");
    app.on("a.b", handler);
    app.once("a.b", onceHandler);
    app.off("a.b", handler).off("a.b", onceHandler);
    await app.emit("a.b");
    expect(calls).toEqual([]);
  });

  test("Events, off: without a handler removes all of that name", async () => {
    const app = createApp();
    const calls: string[] = [];
    app.on("a.b", () => calls.push("first"));
    app.on("a.b", () => calls.push("second"));
    app.on("a.c", () => calls.push("other"));
    app.off("a.b");
    await app.emit("a.b");
    await app.emit("a.c");
    expect(calls).toEqual(["other"]);
  });
});

describe("emit", () => {
  test("Events, emit: resolves after the handlers, awaited one by one in registration order", async () => {
    const app = createApp();
    const trace: string[] = [];
    app.on("a.b", async () => {
      trace.push("first");
      await new Promise((resolve) => setTimeout(resolve, 5));
      trace.push("/first");
    });
    app.on("a.b", () => trace.push("second"));
    await app.emit("a.b");
    expect(trace).toEqual(["first", "/first", "second"]);
  });

  test("Events, emit: all handlers run even if one fails; then it rejects with that error", async () => {
    const app = createApp();
    const failure = new Error("broken");
    let ran = false;
    app.on("a.b", async () => {
      throw failure;
    });
    app.on("a.b", () => {
      ran = true;
    });
    await expect(app.emit("a.b")).rejects.toBe(failure);
    expect(ran).toBe(true);
    app.on("a.b", () => {
      throw new Error("broken too");
    });
    await expect(app.emit("a.b")).rejects.toMatchObject({
      errors: [failure, { message: "broken too" }],
    });
  });

  test("Events, emit: changes during an emission apply to the next", async () => {
    const app = createApp();
    const calls: string[] = [];
    app.on("a.b", () => {
      calls.push("first");
      app.off("a.b", second);
      app.on("a.b", () => calls.push("late"));
    });
    const second = () => calls.push("second");
    app.on("a.b", second);
    await app.emit("a.b");
    expect(calls.splice(0)).toEqual(["first", "second"]);
    await app.emit("a.b");
    expect(calls).toEqual(["first", "late"]);
  });

  test("Events, emit: is a no-op without handlers", async () => {
    await createApp().emit("no.listener", { a: 1 });
  });
});

describe("emitSync", () => {
  test("Events, emitSync: calls the handlers in order without awaiting", () => {
    const app = createApp();
    const trace: string[] = [];
    app.on("a.b", async () => {
      trace.push("first");
      await Promise.resolve();
      trace.push("/first");
    });
    app.on("a.b", () => trace.push("second"));
    app.emitSync("a.b", 1);
    expect(trace).toEqual(["first", "second"]);
  });

  test("Events, emitSync: a rejected promise is logged, and never unhandled", async () => {
    const { app, lines } = createLoggedApp();
    app.on("a.b", async () => {
      throw new Error("later");
    });
    app.emitSync("a.b");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(lines).toMatchObject([{ level: "error", error: { message: "later" } }]);
  });

  test("Events, emitSync: a throwing handler does not stop the others; its error is thrown at the end", () => {
    const app = createApp();
    const calls: string[] = [];
    app.on("a.b", () => {
      throw new Error("broken");
    });
    app.on("a.b", () => calls.push("second"));
    expect(() => app.emitSync("a.b")).toThrow("broken");
    expect(calls).toEqual(["second"]);
  });
});

describe("the framework's own", () => {
  test("Events, framework: app.booted, app.ready, app.stopping and app.stopped, in this order", async () => {
    const app = createApp({ host: "127.0.0.1" });
    const seen: string[] = [];
    app.on("app.*", (_payload, event) => seen.push(event.name));
    await app.boot();
    expect(seen).toEqual(["app.booted"]);
    await app.listen({ port: 0, gracefulSignals: false });
    expect(seen).toEqual(["app.booted", "app.ready"]);
    await app.stop();
    expect(seen).toEqual(["app.booted", "app.ready", "app.stopping", "app.stopped"]);
  });

  test("Events, framework: request.completed for every response, request.failed for a 500", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    app.on("request.*", (payload, event) => seen.push([event.name, payload]));
    app.getRouter().get("/books/:id", () => json(1));
    app.getRouter().get("/broken", () => {
      throw new Error("broken");
    });
    const init = { headers: { "x-request-id": "r1" } };
    await app.request("/books/7?a=1", init);
    await app.request("/nowhere", init);
    await app.request("/broken", init);
    await new Promise((resolve) => setTimeout(resolve, 0));
    const facts = { id: "r1", method: "GET", durationMs: expect.any(Number) };
    expect(seen).toEqual([
      ["request.completed", { ...facts, path: "/books/7", route: "/books/:id", status: 200 }],
      ["request.completed", { ...facts, path: "/nowhere", route: undefined, status: 404 }],
      [
        "request.failed",
        { id: "r1", method: "GET", path: "/broken", route: "/broken", error: new Error("broken") },
      ],
      ["request.completed", { ...facts, path: "/broken", route: "/broken", status: 500 }],
    ]);
  });

  test("Events, framework: a subscriber that fails does not change the response", async () => {
    const { app, lines } = createLoggedApp();
    app.on("request.completed", async () => {
      throw new Error("in a subscriber");
    });
    app.getRouter().get("/", () => text("fine"));
    expect((await app.request("/")).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(lines).toMatchObject([{ level: "error", error: { message: "in a subscriber" } }]);
  });
});
