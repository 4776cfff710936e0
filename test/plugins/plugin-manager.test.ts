import { describe, expect, test, vi } from "vitest";
import type { EspalierError } from "../../src/errors.ts";
import type { Plugin, Provider } from "../../src/plugins/plugin.ts";
import { PluginManager } from "../../src/plugins/plugin-manager.ts";

/** Fake application that records calls. */
interface App {
  readonly steps: string[];
}

const hookNames = ["register", "boot", "ready", "shutdown"] as const;

function createHost(): { host: PluginManager<App>; app: App } {
  return { host: new PluginManager<App>(), app: { steps: [] } };
}

/** A plugin whose hooks record their calls asynchronously. */
function noting(name: string, dependsOn: readonly string[] = []): Plugin<App> {
  const note = (hook: string) => async (app: App) => {
    await Promise.resolve();
    app.steps.push(`${name}.${hook}`);
  };
  const hooks = Object.fromEntries(hookNames.map((hook) => [hook, note(hook)]));
  return { name, dependsOn, ...hooks };
}

async function start(host: PluginManager<App>, app: App): Promise<void> {
  await host.register(app);
  await host.boot(app);
  await host.ready(app);
}

async function errorOf(run: () => unknown): Promise<EspalierError> {
  try {
    await run();
  } catch (error) {
    return error as EspalierError;
  }
  throw new Error("Nothing was thrown.");
}

describe("lifecycle of plugins and providers", () => {
  test("every register, every boot, every ready; shutdown in reverse", async () => {
    const { host, app } = createHost();
    const { name: _name, dependsOn: _dependsOn, ...provider } = noting("provider");
    host.registerPlugin(noting("a"));
    host.registerProvider(provider as Provider<App>);
    host.registerPlugin(noting("b"));
    expect(app.steps).toEqual([]);
    await start(host, app);
    await host.shutdown(app);
    expect(app.steps).toEqual(
      ["register", "boot", "ready"]
        .flatMap((hook) => [`a.${hook}`, `provider.${hook}`, `b.${hook}`])
        .concat(["b.shutdown", "provider.shutdown", "a.shutdown"]),
    );
  });

  test("hooks receive the options, or an empty object without options", async () => {
    const { host, app } = createHost();
    const register = vi.fn();
    const shutdown = vi.fn();
    const options = { from: "noreply@example.test" };
    host.registerPlugin({ name: "mail", register, shutdown }, options);
    host.registerPlugin({ name: "bare", register, shutdown });
    await start(host, app);
    await host.shutdown(app);
    expect(register.mock.calls).toEqual([
      [app, options],
      [app, {}],
    ]);
    expect(register.mock.calls[0]?.[1]).toBe(options);
    expect(shutdown.mock.calls).toEqual([
      [app, {}],
      [app, options],
    ]);
  });

  test("a function is a plugin's register", async () => {
    const { host, app } = createHost();
    const plugin = vi.fn();
    host.registerPlugin(plugin, { a: 1 });
    host.registerPlugin(async (given) => given.steps.push("arrow"));
    host.registerPlugin({ name: "after", register: ({ steps }) => steps.push("after") });
    await start(host, app);
    await host.shutdown(app);
    expect(plugin.mock.calls).toEqual([[app, { a: 1 }]]);
    expect(app.steps).toEqual(["arrow", "after"]);
  });

  test("functions with the same name do not conflict", async () => {
    const { host, app } = createHost();
    const create = (step: string) =>
      function plugin({ steps }: App): void {
        steps.push(step);
      };
    host.registerPlugin({ ...noting("last"), dependsOn: ["plugin"] });
    host.registerPlugin(create("one"));
    host.registerPlugin(create("two"));
    await host.register(app);
    expect(app.steps).toEqual(["one", "two", "last.register"]);
  });

  test("a provider's class is instantiated once at boot, with the application", async () => {
    const { host, app } = createHost();
    let made = 0;
    class Mail implements Provider<App> {
      readonly #app: App;
      constructor(given: App) {
        made += 1;
        this.#app = given;
      }
      register(given: App): void {
        given.steps.push(`register ${this.#app === given}`);
      }
      shutdown(): void {
        this.#app.steps.push("shutdown");
      }
    }
    host.registerProviders([Mail, { register: ({ steps }) => steps.push("object") }]);
    expect(made).toBe(0);
    await start(host, app);
    await host.shutdown(app);
    expect(made).toBe(1);
    expect(app.steps).toEqual(["register true", "object", "shutdown"]);
  });

  test("hooks are called with their object as `this`", async () => {
    const { host, app } = createHost();
    class Metrics {
      readonly name = "metrics";
      readonly #seen: string[] = [];
      register({ steps }: App): void {
        this.#seen.push("register");
        steps.push(this.#seen.join());
      }
      boot({ steps }: App): void {
        this.#seen.push("boot");
        steps.push(this.#seen.join());
      }
    }
    host.registerPlugin(new Metrics());
    await start(host, app);
    expect(app.steps).toEqual(["register", "register,boot"]);
  });
});

describe("dependencies", () => {
  test("come first, whatever the order of registration", async () => {
    const { host, app } = createHost();
    host.registerPlugin(noting("blog", ["users", "cache"]));
    host.registerPlugin(noting("users", ["database"]));
    host.registerPlugin(noting("cache"));
    host.registerPlugin(noting("database"));
    await start(host, app);
    await host.shutdown(app);
    const order = ["cache", "database", "users", "blog"];
    expect(app.steps).toEqual([
      ...order.map((name) => `${name}.register`),
      ...order.map((name) => `${name}.boot`),
      ...order.map((name) => `${name}.ready`),
      ...order.toReversed().map((name) => `${name}.shutdown`),
    ]);
  });

  test("every missing one is named, with the nearest names", async () => {
    const { host, app } = createHost();
    host.registerPlugin(noting("database"));
    host.registerPlugin(noting("blog", ["databse", "zzzzzz"]));
    host.registerPlugin(noting("shop", ["blog", "mail"]));
    const error = await errorOf(() => host.register(app));
    expect(error.code).toBe("ERR_PLUGIN_DEPENDENCY");
    expect(error.message.split("\n")).toEqual([
      'Plugin "blog" depends on "databse", which is not registered. Did you mean "database"?',
      'Plugin "blog" depends on "zzzzzz", which is not registered. Known: "database", "shop".',
      'Plugin "shop" depends on "mail", which is not registered. Known: "database", "blog".',
    ]);
  });

  test("a missing one can be added before the next attempt", async () => {
    const { host, app } = createHost();
    host.registerPlugin(noting("blog", ["users"]));
    host.registerPlugin(noting("other"));
    await errorOf(() => host.register(app));
    host.registerPlugin(noting("users"));
    await start(host, app);
    expect(app.steps.filter((step) => step.endsWith("register"))).toEqual([
      "other.register",
      "users.register",
      "blog.register",
    ]);
  });

  test("a cycle names its chain, without plugins that only depend on it", async () => {
    const { host, app } = createHost();
    host.registerPlugin(noting("waiting", ["a"]));
    host.registerPlugin(noting("a", ["b"]));
    host.registerPlugin(noting("b", ["c"]));
    host.registerPlugin(noting("c", ["a"]));
    const error = await errorOf(() => host.register(app));
    expect(error.code).toBe("ERR_PLUGIN_DEPENDENCY");
    expect(error.message).toBe('Plugins depend on each other in a cycle: "a" → "b" → "c" → "a".');
    expect(app.steps).toEqual([]);
  });

  test("a plugin that depends on itself is a cycle", async () => {
    const { host, app } = createHost();
    host.registerPlugin(noting("a", ["a"]));
    expect((await errorOf(() => host.register(app))).message).toContain('"a" → "a"');
  });

  test("a plugin added by another's register is registered in the same boot", async () => {
    const { host, app } = createHost();
    host.registerPlugin(noting("needs", ["inner"]));
    host.registerPlugin({
      name: "outer",
      register: ({ steps }) => {
        steps.push("outer");
        host.registerPlugin(noting("inner"));
      },
    });
    await start(host, app);
    expect(app.steps).toEqual([
      "outer",
      "inner.register",
      "needs.register",
      "inner.boot",
      "needs.boot",
      "inner.ready",
      "needs.ready",
    ]);
  });

  test("a plugin added by a boot hook is registered and booted too", async () => {
    const { host, app } = createHost();
    host.registerPlugin({ name: "outer", boot: () => host.registerPlugin(noting("inner")) });
    await start(host, app);
    expect(app.steps).toEqual(["inner.register", "inner.boot", "inner.ready"]);
  });
});

describe("rejects", () => {
  test("a duplicate name", async () => {
    const { host } = createHost();
    host.registerPlugin(noting("mail"));
    const error = await errorOf(() => host.registerPlugin(noting("mail")));
    expect(error.code).toBe("ERR_PLUGIN_DUPLICATE");
    expect(error.message).toContain('Plugin "mail" is registered already.');
  });

  test("invalid plugins", async () => {
    class Mail {
      readonly name = "mail";
      register(): void {}
    }
    for (const [plugin, message] of [
      [undefined, "got undefined. Pass an object with a name and hooks"],
      [null, "got null"],
      ["mail", "got a string"],
      [{ register: vi.fn() }, "got a plugin without name"],
      [{ name: "", register: vi.fn() }, "got a plugin without name"],
      [{ name: "mail" }, 'Plugin "mail" must have at least one hook of register, boot'],
      [{ name: "mail", booot: vi.fn() }, 'unknown hook "booot". Use "boot"'],
      [{ name: "mail", boot: vi.fn(), Ready: vi.fn() }, 'unknown hook "Ready". Use "ready"'],
      [
        { name: "mail", onRegister: vi.fn() },
        'Plugin "mail": unknown hook "onRegister". Use "register", called with (app, options).',
      ],
      [{ name: "mail", boot: vi.fn(), onBoot: vi.fn() }, 'unknown hook "onBoot". Use "boot"'],
      [{ name: "mail", onReady: vi.fn() }, 'unknown hook "onReady". Use "ready"'],
      [{ name: "mail", onClose: vi.fn() }, 'unknown hook "onClose". Use "shutdown"'],
      [
        { name: "mail", boot: 1 },
        'The hook "boot" of Plugin "mail" must be a function, got a number.',
      ],
      [
        { name: "mail", dependsOn: "users" },
        'dependsOn of the plugin "mail" must be a list of names',
      ],
      [Mail, "got the class Mail. Pass an instance of it."],
    ] as const) {
      const { host } = createHost();
      const loose = host as unknown as { registerPlugin(plugin: unknown): void };
      const error = await errorOf(() => loose.registerPlugin(plugin));
      expect(error.code).toBe("ERR_PLUGIN_BAD_SHAPE");
      expect(error.message).toContain(message);
    }
  });

  test("invalid providers", async () => {
    class Bare {}
    for (const [provider, message] of [
      [undefined, "registerProvider() got undefined"],
      [() => undefined, "registerProvider() got a function"],
      [{}, "A provider must have at least one hook of register, boot, ready, shutdown."],
      [new Bare(), "Provider Bare must have at least one hook"],
    ] as const) {
      const { host } = createHost();
      const loose = host as unknown as { registerProvider(provider: unknown): void };
      const error = await errorOf(() => loose.registerProvider(provider));
      expect(error.code).toBe("ERR_PLUGIN_BAD_SHAPE");
      expect(error.message).toContain(message);
    }
    const { host, app } = createHost();
    (host as unknown as { registerProvider(provider: unknown): void }).registerProvider(Bare);
    const error = await errorOf(() => host.register(app));
    expect(error.message).toContain(
      "Provider Bare failed in its register hook: Provider Bare must have",
    );
  });

  test("registration after boot, until shutdown", async () => {
    const { host, app } = createHost();
    await start(host, app);
    const error = await errorOf(() => host.registerPlugin(noting("late")));
    expect(error.code).toBe("ERR_PLUGIN_TOO_LATE");
    expect(error.message).toContain('Plugin "late" was registered after the application started');
    expect((await errorOf(() => host.registerProvider({ register: vi.fn() }))).code).toBe(
      "ERR_PLUGIN_TOO_LATE",
    );
    await host.shutdown(app);
    host.registerPlugin(noting("late"));
    await start(host, app);
    expect(app.steps).toEqual(["late.register", "late.boot", "late.ready"]);
  });
});

describe("failures", () => {
  test.each(["register", "boot", "ready"] as const)(
    "a failing %s names the plugin, and the next attempt does not repeat successful hooks",
    async (hook) => {
      const { host, app } = createHost();
      const cause = new Error("refused");
      const failing = noting("failing");
      const original = failing[hook]?.bind(failing);
      let tries = 0;
      host.registerPlugin(noting("before"));
      host.registerPlugin({
        ...failing,
        [hook]: async (given: App, options: Record<string, unknown>) => {
          tries += 1;
          if (tries === 1) throw cause;
          await original?.(given, options);
        },
      });
      host.registerPlugin(noting("behind"));
      const error = await errorOf(() => start(host, app));
      expect(error.code).toBe("ERR_PLUGIN_HOOK_FAILED");
      expect(error.message).toBe(`Plugin "failing" failed in its ${hook} hook: refused`);
      expect(error.cause).toBe(cause);

      await start(host, app);
      expect(tries).toBe(2);
      const names = ["before", "failing", "behind"];
      const expected = ["register", "boot", "ready"].flatMap((each) =>
        names.map((name) => `${name}.${each}`),
      );
      expect(app.steps.toSorted()).toEqual(expected.toSorted());
    },
  );

  test("after a boot that failed in ready, plugins can be added before the next attempt", async () => {
    const { host, app } = createHost();
    const ready = vi.fn(() => Promise.resolve());
    ready.mockImplementationOnce(() => Promise.reject(new Error("refused")));
    host.registerPlugin({ name: "failing", ready });
    await errorOf(() => start(host, app));
    host.registerPlugin(noting("added"));
    await start(host, app);
    expect(app.steps).toEqual(["added.register", "added.boot", "added.ready"]);
  });

  test("a plugin added by a ready hook is rejected", async () => {
    const { host, app } = createHost();
    host.registerPlugin({ name: "outer", ready: () => host.registerPlugin(noting("inner")) });
    const error = await errorOf(() => start(host, app));
    expect((error.cause as EspalierError).code).toBe("ERR_PLUGIN_TOO_LATE");
  });

  test("a thrown value that is not an Error is the cause too", async () => {
    const { host, app } = createHost();
    host.registerPlugin({ name: "odd", register: () => Promise.reject(null) });
    const error = await errorOf(() => host.register(app));
    expect(error.message).toBe(
      'Plugin "odd" failed in its register hook: it threw something other than an Error.',
    );
    expect(error.cause).toBeNull();
  });

  test("a failing shutdown does not stop the others, and all errors are reported", async () => {
    const { host, app } = createHost();
    const fail = (message: string) => () => Promise.reject(new Error(message));
    host.registerPlugin(noting("a"));
    host.registerPlugin({ ...noting("b"), shutdown: fail("b broke") });
    host.registerPlugin(noting("c"));
    await start(host, app);
    app.steps.length = 0;
    const one = await errorOf(() => host.shutdown(app));
    expect(one.message).toBe('Plugin "b" failed in its shutdown hook: b broke');
    expect(app.steps).toEqual(["c.shutdown", "a.shutdown"]);

    host.registerProvider({ register: vi.fn(), shutdown: fail("provider broke") });
    await start(host, app);
    const several = await errorOf(() => host.shutdown(app));
    expect(several).toBeInstanceOf(AggregateError);
    expect((several as unknown as AggregateError).errors.map(String)).toEqual([
      "EspalierError: A provider failed in its shutdown hook: provider broke",
      'EspalierError: Plugin "b" failed in its shutdown hook: b broke',
    ]);
  });

  test("after a failed boot, shutdown runs only for registered plugins", async () => {
    const { host, app } = createHost();
    host.registerPlugin(noting("a"));
    host.registerPlugin({ ...noting("b"), boot: () => Promise.reject(new Error("refused")) });
    host.registerPlugin(noting("c"));
    await errorOf(() => start(host, app));
    await host.shutdown(app);
    expect(app.steps.slice(-3)).toEqual(["c.shutdown", "b.shutdown", "a.shutdown"]);

    const early = createHost();
    early.host.registerPlugin(noting("a"));
    early.host.registerPlugin({ ...noting("b"), register: () => Promise.reject(new Error("no")) });
    await errorOf(() => start(early.host, early.app));
    await early.host.shutdown(early.app);
    expect(early.app.steps).toEqual(["a.register", "a.shutdown"]);
  });

  test("shutdown without boot, and a second one, do nothing", async () => {
    const { host, app } = createHost();
    host.registerPlugin(noting("a"));
    await host.shutdown(app);
    expect(app.steps).toEqual([]);
    await start(host, app);
    await host.shutdown(app);
    await host.shutdown(app);
    expect(app.steps.filter((step) => step === "a.shutdown")).toHaveLength(1);
  });

  test("a boot after a shutdown registers nothing twice", async () => {
    const { host, app } = createHost();
    host.registerPlugin(noting("a"));
    await start(host, app);
    await host.shutdown(app);
    await start(host, app);
    await host.shutdown(app);
    expect(app.steps).toEqual([
      "a.register",
      "a.boot",
      "a.ready",
      "a.shutdown",
      "a.boot",
      "a.ready",
      "a.shutdown",
    ]);
  });
});

describe("odd names", () => {
  test.each(["toString", "__proto__", "constructor", "hasOwnProperty", "valueOf"])(
    "%s is an ordinary plugin name",
    async (name) => {
      const { host, app } = createHost();
      host.registerPlugin(noting("first", [name]));
      const missing = await errorOf(() => host.register(app));
      expect(missing.message).toContain(`depends on "${name}", which is not registered`);
      host.registerPlugin(noting(name));
      expect((await errorOf(() => host.registerPlugin(noting(name)))).code).toBe(
        "ERR_PLUGIN_DUPLICATE",
      );
      await host.register(app);
      expect(app.steps).toEqual([`${name}.register`, "first.register"]);
    },
  );
});
