import { describe, expect, test, vi } from "vitest";
import { Configuration } from "../../src/config/configuration.ts";
import { ConfigurationError } from "../../src/config/configuration-error.ts";
import type { ConfigSectionOptions } from "../../src/config/section-types.ts";
import type { EspalierError } from "../../src/errors.ts";

function withEnvironment(environment: Record<string, unknown> = {}): Configuration {
  return new Configuration(() => environment);
}

function errorOf(run: () => unknown): EspalierError {
  try {
    run();
  } catch (error) {
    return error as EspalierError;
  }
  throw new Error("Nothing was thrown.");
}

describe("both forms", () => {
  test("schema and defaults", () => {
    const configuration = withEnvironment();
    configuration.define("app", {
      schema: { name: String, port: Number, debug: Boolean },
      defaults: { name: "espalier", port: 3000 },
    });
    expect(configuration.get("app")).toStrictEqual({ name: "espalier", port: 3000 });
  });

  test("rules, source and prefix", () => {
    const configuration = withEnvironment({ MAIL_HOST: "mail.example" });
    configuration.define(
      "app",
      {
        port: { required: true, type: "number", min: 1, max: 65535 },
        host: { required: true, type: "string", min: 3 },
      },
      { source: { port: 8080 }, envPrefix: "MAIL_" },
    );
    expect(configuration.get("app")).toStrictEqual({ port: 8080, host: "mail.example" });
  });

  test("rules without a third argument, and rules in a schema", () => {
    const configuration = withEnvironment({ A_PORT: "1", B_PORT: "2" });
    configuration.define("a", { port: { type: "number" } });
    configuration.define("b", { schema: { port: { type: "integer", min: 1 } } });
    expect([configuration.get("a"), configuration.get("b")]).toEqual([{ port: 1 }, { port: 2 }]);
  });

  test("with a third argument, fields of a rule map may have the names of options", () => {
    const configuration = withEnvironment({ APP_SCHEMA: "public", APP_DEFAULTS: "x" });
    configuration.define("app", { schema: { type: "string" }, defaults: { type: "string" } }, {});
    expect(configuration.get("app")).toEqual({ schema: "public", defaults: "x" });
  });

  test("a default alone declares its field and type", () => {
    const configuration = withEnvironment({
      APP_PORT: "8080",
      APP_DEBUG: "on",
      APP_TAGS: "a, b,,",
    });
    configuration.define("app", { defaults: { port: 1, debug: false, tags: [], name: "n" } });
    expect(configuration.get("app")).toEqual({
      port: 8080,
      debug: true,
      tags: ["a", "b"],
      name: "n",
    });
  });

  test("declaring again replaces the section and its values", () => {
    const configuration = withEnvironment();
    configuration.define("app", { defaults: { port: 1 } });
    expect(configuration.get("app")).toEqual({ port: 1 });
    configuration.define("app", { defaults: { port: 2 } });
    expect(configuration.get("app")).toEqual({ port: 2 });
  });
});

describe("precedence", () => {
  const schema = { maxSize: Number };

  test("source by field, source by variable, environment, default", () => {
    const get = (
      source: Record<string, unknown>,
      environment: Record<string, unknown>,
    ): unknown => {
      const configuration = withEnvironment(environment);
      configuration.define("app", { schema, defaults: { maxSize: 4 }, source });
      return configuration.get<{ maxSize: number }>("app").maxSize;
    };
    const variable = { APP_MAX_SIZE: "3" };
    expect(get({ maxSize: 1, APP_MAX_SIZE: "2" }, variable)).toBe(1);
    expect(get({ APP_MAX_SIZE: "2" }, variable)).toBe(2);
    expect(get({}, variable)).toBe(3);
    expect(get({}, {})).toBe(4);
    expect(get({ maxSize: "", APP_MAX_SIZE: null }, variable)).toBe(3);
    expect(get({ maxSize: undefined }, { APP_MAX_SIZE: "" })).toBe(4);
    expect(get({ maxSize: 0 }, variable)).toBe(0);
  });

  test.each([
    ["app", undefined, "APP_PORT"],
    ["mailQueue", undefined, "MAIL_QUEUE_PORT"],
    ["app", "X_", "X_PORT"],
    ["app", "", "PORT"],
  ])("section %s with prefix %s reads %s", (name, envPrefix, variable) => {
    const configuration = withEnvironment({ [variable]: "8080" });
    const prefix = envPrefix === undefined ? {} : { envPrefix };
    configuration.define(name, { schema: { port: Number }, ...prefix });
    expect(configuration.get(name)).toEqual({ port: 8080 });
  });
});

describe("casting", () => {
  const read = (type: unknown, text: unknown): unknown => {
    const configuration = withEnvironment({ APP_FIELD: text });
    const options = { schema: { field: type }, defaults: {} };
    configuration.define("app", options as ConfigSectionOptions);
    return configuration.get<{ field?: unknown }>("app").field;
  };

  test.each([
    ["true", true],
    ["TRUE", true],
    ["1", true],
    ["yes", true],
    ["On", true],
    ["false", false],
    ["False", false],
    ["0", false],
    ["no", false],
    ["off", false],
    [true, true],
    [false, false],
  ])("Boolean %j is %j", (text, value) => {
    expect(read(Boolean, text)).toBe(value);
  });

  test.each([
    ["8080", 8080],
    ["-1.5", -1.5],
    ["1e3", 1000],
    ["0", 0],
    [7, 7],
  ])("Number %j is %j", (text, value) => {
    expect(read(Number, text)).toBe(value);
  });

  test.each([
    [Boolean, "ja"],
    [Boolean, " true "],
    [Boolean, 1],
    [Number, "abc"],
    [Number, "0x10"],
    [Number, " 80 "],
    [Number, "1_000"],
    [Number, "Infinity"],
    [Number, "1e999"],
    [Number, true],
    [Number, Number.NaN],
    [String, 1],
    [{ type: "integer" }, "1.5"],
    [Array, {}],
  ])("%s refuses %j", (type, text) => {
    const error = errorOf(() => read(type, text));
    expect(error.code).toBe("ERR_CONFIG_INVALID");
    expect(error.message).toContain("app.field must be a");
    expect(error.message).toContain('rule "type"');
  });

  test("strings stay strings, and empty ones are absent", () => {
    expect(read(String, "false")).toBe("false");
    expect(read({}, "12")).toBe("12");
    expect(read(Boolean, "")).toBeUndefined();
    expect(read(Array, "a, b")).toEqual(["a", "b"]);
  });
});

describe("checking", () => {
  const issuesOf = (rule: object, value: unknown): readonly string[] => {
    const configuration = withEnvironment({ APP_PORT: value });
    configuration.define("app", { schema: { port: rule } });
    return configuration.validateAll().map(({ message }) => message);
  };

  test("bounds apply to environment values after casting", () => {
    const rule = { required: true, type: "number", min: 1, max: 65535 };
    expect(issuesOf(rule, "70000")).toEqual([
      'app.port must be at most 65535 (rule "max"). It comes from the environment variable APP_PORT.',
    ]);
    expect(issuesOf(rule, "0")).toEqual([
      'app.port must be at least 1 (rule "min"). It comes from the environment variable APP_PORT.',
    ]);
    expect(issuesOf(rule, "65535")).toEqual([]);
    expect(issuesOf(rule, "")).toEqual([
      'app.port is required (rule "required"). Set APP_PORT, or give it in the source.',
    ]);
  });

  test("min and max count code points and items", () => {
    expect(issuesOf({ min: 2 }, "🌳")).toEqual([expect.stringContaining("at least 2 characters")]);
    expect(issuesOf({ max: 1 }, "🌳")).toEqual([]);
    expect(issuesOf({ type: "array", max: 1 }, "a,b")).toEqual([
      expect.stringContaining("at most 1 items"),
    ]);
  });

  test("enum and pattern, also a stateful pattern", () => {
    expect(issuesOf({ enum: ["blue", "green"] }, "red")).toEqual([
      expect.stringContaining("app.port must be one of: blue, green"),
    ]);
    expect(issuesOf({ type: "integer", enum: [1, 2] }, "2")).toEqual([]);
    const pattern = /^a+$/g;
    expect(issuesOf({ pattern }, "aa")).toEqual([]);
    expect(issuesOf({ pattern }, "aa")).toEqual([]);
    expect(issuesOf({ pattern }, "b")).toEqual([expect.stringContaining("format is invalid")]);
  });

  test("source and defaults are validated as well, and named", () => {
    const configuration = withEnvironment();
    configuration.define("app", {
      schema: { port: Number, host: { min: 3 }, zone: String, key: String },
      source: { port: "many", APP_HOST: "x" },
      // Defaults without types.
      defaults: { zone: 1 as unknown as string, key: null as unknown as string },
    } as ConfigSectionOptions);
    expect(configuration.validateAll().map(({ message }) => message)).toEqual([
      'app.port must be a number (rule "type"). It comes from source.port.',
      'app.host must be at least 3 characters (rule "min"). It comes from source.APP_HOST.',
      'app.zone must be a string (rule "type"). It comes from defaults.zone.',
    ]);
  });

  test("a default of null, an empty default and an optional field without value", () => {
    const configuration = withEnvironment();
    configuration.define("app", {
      schema: { token: String, name: String, absent: Number },
      defaults: { token: null, name: "" },
    });
    const app = configuration.get("app");
    expect(app).toStrictEqual({ token: null, name: "" });
    expect("absent" in app).toBe(false);
  });

  test("the errors of all sections are collected, and never include a value", () => {
    const secret = "s3cr3t-value";
    const configuration = withEnvironment({ A_KEY: secret, A_SIZE: secret, B_FLAG: secret });
    configuration.define("a", {
      key: { type: "string", max: 3, enum: ["x"], pattern: /x/ },
      size: { type: "number" },
    });
    configuration.define("b", { schema: { flag: Boolean, needed: { required: true } } });
    configuration.define("c", { defaults: { fine: 1 } });
    const issues = configuration.validateAll();
    expect(issues.map(({ section, field, rule }) => [section, field, rule])).toEqual([
      ["a", "key", "max"],
      ["a", "size", "type"],
      ["b", "flag", "type"],
      ["b", "needed", "required"],
    ]);
    const error = errorOf(() => configuration.get("a"));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).issues).toHaveLength(2);
    const everything = JSON.stringify(issues) + error.message + String(error.stack);
    expect(everything).not.toContain(secret);
    expect(configuration.get("c")).toEqual({ fine: 1 });
  });
});

describe("reading the environment", () => {
  test("not when constructed or declared", () => {
    const environment = vi.fn(() => ({ APP_PORT: "1" }));
    const configuration = new Configuration(environment);
    configuration.define("app", { schema: { port: Number } });
    expect(environment).not.toHaveBeenCalled();
    expect(configuration.get("app")).toEqual({ port: 1 });
    expect(configuration.get("app")).toBe(configuration.get("app"));
    expect(environment).toHaveBeenCalledTimes(1);
  });

  test("validateAll reads it again: on Workers it arrives with the first request", () => {
    let environment: Record<string, unknown> = {};
    const configuration = new Configuration(() => environment);
    configuration.define("app", { schema: { port: Number }, defaults: { port: 1 } });
    configuration.define("key", { value: { required: true } });
    expect(configuration.get("app")).toEqual({ port: 1 });
    expect(errorOf(() => configuration.get("key")).code).toBe("ERR_CONFIG_INVALID");
    environment = { APP_PORT: "2", KEY_VALUE: "k" };
    expect(configuration.validateAll()).toEqual([]);
    expect([configuration.get("app"), configuration.get("key")]).toEqual([
      { port: 2 },
      { value: "k" },
    ]);
  });

  test("a section that becomes invalid is not served from its previous values", () => {
    let environment: Record<string, unknown> = { APP_PORT: "1" };
    const configuration = new Configuration(() => environment);
    configuration.define("app", { schema: { port: Number } });
    expect(configuration.get("app")).toEqual({ port: 1 });
    environment = { APP_PORT: "x" };
    expect(configuration.validateAll()).toHaveLength(1);
    expect(errorOf(() => configuration.get("app")).code).toBe("ERR_CONFIG_INVALID");
  });

  test("bindings that are not strings pass through unchanged", () => {
    class Namespace {}
    const namespace = new Namespace();
    const configuration = withEnvironment({ APP_STORE: namespace, APP_LIMIT: 5 });
    configuration.define("app", { store: { required: true }, limit: { type: "number" } });
    expect(configuration.get<{ store: unknown }>("app").store).toBe(namespace);
    expect(configuration.get("app")).toMatchObject({ limit: 5 });
  });
});

describe("the result", () => {
  test("is frozen at every depth, and the caller's objects are not", () => {
    const hosts = [{ name: "a" }];
    const configuration = withEnvironment();
    configuration.define("app", { defaults: { hosts, nested: { deep: [1] } } });
    const app = configuration.get<{ hosts: { name: string }[]; nested: { deep: number[] } }>("app");
    expect(() => Object.assign(app, { hosts: [] })).toThrow(TypeError);
    expect(() => app.hosts.push({ name: "b" })).toThrow(TypeError);
    expect(() => Object.assign(app.hosts[0] ?? {}, { name: "b" })).toThrow(TypeError);
    expect(() => app.nested.deep.push(2)).toThrow(TypeError);
    hosts.push({ name: "b" });
    expect(app.hosts).toEqual([{ name: "a" }]);
  });
});

describe("invalid declarations", () => {
  const define = (...args: unknown[]): EspalierError => {
    const configuration = withEnvironment() as unknown as { define(...args: unknown[]): void };
    return errorOf(() => configuration.define("app", ...args));
  };

  test.each([
    [[undefined], 'configure("app") got no options'],
    [[{ schema: { port: Date } }], "min: 1 }, got the class Date."],
    [[{ port: "number" }, {}], 'min: 1 }, got "number".'],
    [[{ port: null }, {}], "min: 1 }, got null."],
    [
      [{ port: { type: "numbr" } }],
      'app.port must be one of string, number, integer, boolean, array, got "numbr".',
    ],
    [[{ port: { type: "toString" } }], 'got "toString"'],
    [[{ port: { requird: true } }], 'app.port has the unknown rule "requird". Did you'],
    [[{ schema: {}, prefix: "X_" }], 'unknown option "prefix"'],
    [[{ port: {} }, { sources: {} }], 'unknown option "sources". Did you mean'],
  ])("%j", (args, message) => {
    const error = define(...args);
    expect(error.code).toBe("ERR_CONFIG_BAD_SECTION");
    expect(error.message).toContain(message);
  });
});

describe("odd names", () => {
  const names = ["toString", "__proto__", "constructor", "hasOwnProperty", "valueOf"];

  test("an unknown section is an error with the nearest names", () => {
    const configuration = withEnvironment();
    configuration.define("database", { defaults: {} });
    expect(errorOf(() => configuration.get("databse"))).toMatchObject({
      code: "ERR_CONFIG_UNKNOWN_SECTION",
      message:
        'Configuration section "databse" is not declared. Did you mean "database"? ' +
        'Declare it with configure("databse", …).',
    });
  });

  test.each(names)("section %s is an ordinary name", (name) => {
    const configuration = withEnvironment();
    expect(errorOf(() => configuration.get(name)).code).toBe("ERR_CONFIG_UNKNOWN_SECTION");
    configuration.define(name, { defaults: { port: 1 } });
    expect(configuration.get(name)).toEqual({ port: 1 });
  });

  test.each(names)("field %s is an ordinary name", (name) => {
    const schema = Object.fromEntries([[name, String]]);
    const empty = withEnvironment();
    empty.define("app", { schema });
    expect(Object.hasOwn(empty.get<object>("app"), name)).toBe(false);

    const given = withEnvironment();
    const source = Object.fromEntries([[name, "plain data"]]);
    given.define("app", { schema, source });
    const app = given.get<object>("app");
    expect(Object.getOwnPropertyDescriptor(app, name)?.value).toBe("plain data");
    expect(Object.getPrototypeOf(app)).toBe(Object.prototype);
  });

  test("dotted keys and variables are never split", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const source = JSON.parse('{"__proto__.x":"polluted","__proto__":{"y":"polluted"}}');
    const configuration = withEnvironment({ APP___PROTO__X: "polluted", "APP___PROTO__.X": "p" });
    configuration.define("app", {
      schema: Object.fromEntries([
        ["__proto__.x", String],
        ["__proto__", {}],
      ]),
      source,
    });
    const app = configuration.get<object>("app");
    expect(Object.keys(app).sort()).toEqual(["__proto__", "__proto__.x"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["y"]).toBeUndefined();
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });
});
