import { text } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { createApp } from "./support.ts";

const set: string[] = [];
/** Sets variables of the process until the test is over. */
function withEnvironment(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    process.env[name] = value;
    set.push(name);
  }
}
afterEach(() => {
  for (const name of set.splice(0)) delete process.env[name];
});

describe("configure with schema and defaults", () => {
  test("Configuration, schema: field to constructor, with defaults", () => {
    const app = createApp();
    app.configure("shop", {
      schema: { name: String, port: Number, debug: Boolean, tags: Array },
      defaults: { name: "trees", port: 3000, debug: false },
    });
    expect(app.getConfig("shop")).toEqual({ name: "trees", port: 3000, debug: false });
  });

  test("Configuration, schema: strings of the environment are converted to the field's type", () => {
    withEnvironment({
      SHOP_NAME: "pears",
      SHOP_PORT: "8080",
      SHOP_DEBUG: "off",
      SHOP_TAGS: "a, b",
    });
    const app = createApp();
    app.configure("shop", {
      schema: { name: String, port: Number, debug: Boolean, tags: Array },
      defaults: { debug: true },
    });
    expect(app.getConfig("shop")).toEqual({
      name: "pears",
      port: 8080,
      debug: false,
      tags: ["a", "b"],
    });
  });

  test("Configuration, schema: booleans are words in any case; an empty string counts as missing", () => {
    const debugWith = (value: string) => {
      const app = createApp();
      app.configure("app", {
        schema: { debug: Boolean },
        defaults: { debug: true },
        source: { debug: value },
      });
      return app.getConfig<{ debug: boolean }>("app").debug;
    };
    for (const word of ["true", "1", "yes", "on", "TRUE", "On"]) expect(debugWith(word)).toBe(true);
    for (const word of ["false", "0", "no", "off", "False"]) expect(debugWith(word)).toBe(false);
    expect(debugWith("")).toBe(true);
    expect(() => debugWith("perhaps")).toThrow("debug");
  });

  test("Configuration, schema: a number must be a finite decimal", () => {
    const portWith = (value: string) => {
      const app = createApp();
      app.configure("app", { schema: { port: Number }, source: { port: value } });
      return app.getConfig<{ port: number }>("app").port;
    };
    expect(portWith("8080")).toBe(8080);
    expect(portWith("1e3")).toBe(1000);
    for (const value of ["abc", "0x10", " 80 ", "1,5", "Infinity"]) {
      expect(() => portWith(value)).toThrow("port");
    }
  });
});

describe("configure with rules", () => {
  const rules = {
    port: { required: true, type: "number", min: 1, max: 65535 },
    host: { type: "string", min: 2 },
  } as const;

  test("Configuration, rules: required, type, min and max, with the values of a source", () => {
    const app = createApp();
    app.configure("server", rules, { source: { port: 1, host: "ab" } });
    expect(app.getConfig("server")).toEqual({ port: 1, host: "ab" });
  });

  test.each([
    [{}, "port is required"],
    [{ port: "x" }, "port"],
    [{ port: 0 }, "at least 1"],
    [{ port: 70_000 }, "at most 65535"],
    [{ port: 1, host: "a" }, "at least 2 characters"],
  ])("Configuration, rules: %j breaks one", (source, message) => {
    const app = createApp();
    app.configure("server", rules, { source });
    expect(() => app.getConfig("server")).toThrow(message);
  });

  test("Configuration, envPrefix: prefix of the variables; by default the section's name", () => {
    withEnvironment({ APP_PORT: "70", MAIL_SERVER_PORT: "25" });
    const app = createApp();
    app.configure("server", rules, { source: {}, envPrefix: "APP_" });
    app.configure("mailServer", rules);
    expect(app.getConfig("server")).toEqual({ port: 70 });
    expect(app.getConfig("mailServer")).toEqual({ port: 25 });
  });

  test("Configuration, precedence: field of the source, its variable, the environment, the default", () => {
    withEnvironment({ APP_A: "environment", APP_B: "environment", APP_C: "environment" });
    const field = { type: "string" } as const;
    const app = createApp();
    app.configure(
      "app",
      { a: field, b: field, c: field, d: field },
      {
        source: { a: "source", APP_A: "variable", APP_B: "variable" },
        defaults: { a: "default", b: "default", c: "default", d: "default" },
      },
    );
    expect(app.getConfig("app")).toEqual({
      a: "source",
      b: "variable",
      c: "environment",
      d: "default",
    });
  });

  test("Configuration, environment: uses the env of a request if there is one", async () => {
    withEnvironment({ APP_NAME: "of the process" });
    const app = createApp();
    app.configure("app", { schema: { name: String } });
    app.getRouter().get("/", (ctx) => text(ctx.app.getConfig<{ name: string }>("app").name));
    expect(await (await app.request("/", {}, { APP_NAME: "given" })).text()).toBe("given");
  });
});

describe("getConfig", () => {
  test("Configuration, getConfig: the resolved section, frozen", () => {
    const app = createApp();
    app.configure("app", { schema: { tags: Array }, source: { tags: ["a"] } });
    const config = app.getConfig<{ tags: string[] }>("app");
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.tags)).toBe(true);
    expect(app.getConfig("app")).toBe(config);
  });

  test("Configuration, getConfig: an unknown section throws, with the closest names", () => {
    const app = createApp();
    app.configure("database", { schema: { url: String } });
    expect(() => app.getConfig("databse")).toThrow(/databse.*database/s);
  });

  test("Configuration, boot: reports every error of every section, never a value", async () => {
    const app = createApp();
    const secret = "hunter2-canary";
    const number = { type: "number", required: true } as const;
    app.configure("a", { port: number, other: number }, { source: { port: secret } });
    app.configure("b", { limit: number }, { source: { limit: secret } });
    const failure = (await app.boot().catch((error: unknown) => error)) as Error;
    for (const part of ["a.port", "a.other", "b.limit"]) expect(failure.message).toContain(part);
    expect(failure.message).not.toContain(secret);
  });
});
