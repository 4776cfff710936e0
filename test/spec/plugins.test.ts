import type { Application } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support.ts";

describe("registerPlugin", () => {
  test("Plugins, registerPlugin: its register hook receives the application and the options", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    app.registerPlugin(
      {
        name: "greet",
        register: (given: Application, options: object) => seen.push(given, options),
      },
      { word: "hello" },
    );
    expect(seen).toEqual([]);
    await app.boot();
    expect(seen).toEqual([app, { word: "hello" }]);
  });

  test("Plugins, registerPlugin: a function (app, options) is a plugin", async () => {
    const app = createApp();
    app.registerPlugin(
      (given: Application, options: { value: number }) => {
        given.instance("value", options.value);
      },
      { value: 7 },
    );
    await app.boot();
    expect(app.resolve("value")).toBe(7);
  });

  test("Plugins, registerPlugin: register, boot, ready and, in reverse order, shutdown", async () => {
    const app = createApp();
    const trace: string[] = [];
    for (const name of ["a", "b"]) {
      app.registerPlugin({
        name,
        register: () => trace.push(`register ${name}`),
        boot: async () => trace.push(`boot ${name}`),
        ready: () => trace.push(`ready ${name}`),
        shutdown: () => trace.push(`shutdown ${name}`),
      });
    }
    await app.boot();
    expect(trace.splice(0)).toEqual(["register a", "register b", "boot a", "boot b"]);
    await app.request("/");
    expect(trace.splice(0)).toEqual(["ready a", "ready b"]);
    await app.stop();
    expect(trace).toEqual(["shutdown b", "shutdown a"]);
  });

  test("Plugins, registerPlugin: each hook receives the application and the options", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    const note = (given: unknown, options: unknown) => seen.push([given === app, options]);
    app.registerPlugin(
      { name: "a", register: note, boot: note, ready: note, shutdown: note },
      { b: 1 },
    );
    await app.request("/");
    await app.stop();
    expect(seen).toEqual(Array.from({ length: 4 }, () => [true, { b: 1 }]));
  });

  test("Plugins, dependsOn: dependencies run first; a missing one fails at boot", async () => {
    const app = createApp();
    const trace: string[] = [];
    app.registerPlugin({ name: "late", dependsOn: ["early"], register: () => trace.push("late") });
    app.registerPlugin({ name: "early", register: () => trace.push("early") });
    await app.boot();
    expect(trace).toEqual(["early", "late"]);
    const alone = createApp();
    alone.registerPlugin({ name: "late", dependsOn: ["early"] });
    await expect(alone.boot()).rejects.toThrow(/late.*early/s);
  });

  test("Plugins, registerPlugin: one added after boot() starts with the first request; a later one throws", async () => {
    const app = createApp();
    const trace: string[] = [];
    await app.boot();
    app.registerPlugin({
      name: "late",
      register: (given: Application) => given.getRouter().get("/late", () => new Response("late")),
      boot: () => trace.push("boot"),
      ready: () => trace.push("ready"),
    });
    expect(await (await app.request("/late")).text()).toBe("late");
    expect(trace).toEqual(["boot", "ready"]);
    expect(() => app.registerPlugin({ name: "too late", boot() {} })).toThrow("too late");
  });

  test("Plugins, registerPlugin: registrations of plugins apply to the first request", async () => {
    const app = createApp();
    app.registerPlugin({
      name: "hello",
      register: (given: Application) => {
        given.getRouter().get("/hello", () => new Response("hello"));
      },
    });
    expect(await (await app.request("/hello")).text()).toBe("hello");
  });
});

describe("providers", () => {
  test("Plugins, registerProvider: an object, or a class, with register and boot", async () => {
    class Clock {
      register(app: Application): void {
        app.instance("clock", 7);
      }
    }
    const app = createApp();
    app.registerProvider({ register: (given) => given.instance("zone", "UTC") });
    app.registerProvider(Clock);
    await app.boot();
    expect([app.resolve("zone"), app.resolve("clock")]).toEqual(["UTC", 7]);
  });

  test("Plugins, registerProviders: every register runs before any boot", async () => {
    const app = createApp();
    const trace: string[] = [];
    const provider = (name: string) => ({
      register: () => trace.push(`register ${name}`),
      boot: async () => trace.push(`boot ${name}`),
      ready: () => trace.push(`ready ${name}`),
      shutdown: () => trace.push(`shutdown ${name}`),
    });
    app.registerProviders([provider("a"), provider("b")]);
    await app.request("/");
    await app.stop();
    expect(trace).toEqual([
      "register a",
      "register b",
      "boot a",
      "boot b",
      "ready a",
      "ready b",
      "shutdown b",
      "shutdown a",
    ]);
  });
});
