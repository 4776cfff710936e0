import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Container } from "../../src/container/container.ts";
import { stallWarningMs } from "../../src/container/stall-warning.ts";
import type { EspalierError } from "../../src/errors.ts";
import { expectNoUnhandledRejections } from "../support/unhandled-rejections.ts";

expectNoUnhandledRejections();

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return (error as EspalierError).code;
  }
  return undefined;
}

const oddNames = ["toString", "__proto__", "constructor", "hasOwnProperty", "valueOf", "", "a.b"];

describe("lifetimes", () => {
  test("a singleton is created once, lazily", () => {
    const container = new Container();
    const factory = vi.fn(() => ({}));
    container.singleton("users", factory);
    expect(factory).not.toHaveBeenCalled();
    const first = container.resolve("users");
    expect(container.resolve("users")).toBe(first);
    expect(factory).toHaveBeenCalledTimes(1);
  });

  test("a singleton may be undefined or null and is still created once", () => {
    const container = new Container();
    const factory = vi.fn(() => undefined);
    container.singleton("nothing", factory);
    expect(container.resolve("nothing")).toBeUndefined();
    expect(container.resolve("nothing")).toBeUndefined();
    expect(factory).toHaveBeenCalledTimes(1);
  });

  test("bind creates a new one for every resolve", () => {
    const container = new Container();
    container.bind("users", () => ({}));
    expect(container.resolve("users")).not.toBe(container.resolve("users"));
  });

  test("an instance is returned unchanged, also undefined and a function", () => {
    const container = new Container();
    const call = vi.fn();
    container.instance("call", call);
    container.instance("absent", undefined);
    expect(container.resolve("call")).toBe(call);
    expect(call).not.toHaveBeenCalled();
    expect(container.has("absent")).toBe(true);
    expect(container.resolve("absent")).toBeUndefined();
  });

  test("factories receive a container whose methods work detached", () => {
    const container = new Container();
    container.instance("name", "Espalier");
    container.singleton("greeting", ({ resolve, has }) => [resolve("name"), has("name"), has("x")]);
    expect(container.resolve("greeting")).toEqual(["Espalier", true, false]);
  });

  test("a service with a method then is not mistaken for a promise", () => {
    const container = new Container();
    // biome-ignore lint/suspicious/noThenProperty: as in query builders
    const query = { then: vi.fn() };
    container.singleton("query", () => query);
    expect(container.resolve("query")).toBe(query);
    expect(query.then).not.toHaveBeenCalled();
  });

  test("names() and has() report registered services", () => {
    const container = new Container();
    container.instance("a", 1);
    container.bind("b", () => 2);
    container.instance("a", 3);
    expect(container.names()).toEqual(["a", "b"]);
    expect([container.has("a"), container.has("c")]).toEqual([true, false]);
  });
});

describe("registration", () => {
  test("registering again replaces the factory and the instance", () => {
    const container = new Container();
    container.singleton("a", () => "old");
    expect(container.resolve("a")).toBe("old");
    container.singleton("a", () => "new");
    expect(container.resolve("a")).toBe("new");
    container.instance("a", "value");
    expect(container.resolve("a")).toBe("value");
    container.bind("a", () => "bound");
    expect(container.resolve("a")).toBe("bound");
  });

  test("an async singleton replaced while pending is not restored", async () => {
    const container = new Container();
    let finish: (value: string) => void = () => undefined;
    container.singleton("a", () => new Promise<string>((resolve) => (finish = resolve)));
    const old = container.resolve<Promise<string>>("a");
    container.singleton("a", () => "new");
    expect(container.resolve("a")).toBe("new");
    finish("old");
    expect(await old).toBe("old");
    expect(container.resolve("a")).toBe("new");
  });

  test("a scoped service registered again is created again in an existing scope", () => {
    const container = new Container();
    container.scoped("a", () => "old");
    const scope = container.createScope();
    expect(scope.resolve("a")).toBe("old");
    container.scoped("a", () => "new");
    expect(scope.resolve("a")).toBe("new");
  });

  test("an invalid factory is rejected immediately, with a fix", () => {
    const container = new Container();
    class Users {}
    // Calls without types.
    const loose = container as unknown as { singleton(name: string, factory: unknown): void };
    expect(() => loose.singleton("users", {})).toThrow(
      'singleton("users") got an object. Pass a function that creates the service, ' +
        "or register an existing value with instance().",
    );
    expect(() => loose.singleton("users", null)).toThrow("got null");
    expect(() => loose.singleton("users", Users)).toThrow(
      'singleton("users") got the class Users. Pass a function: () => new Users(…).',
    );
    expect(codeOf(() => loose.singleton("users", 1))).toBe("ERR_CONTAINER_BAD_FACTORY");
    expect(container.has("users")).toBe(false);
  });
});

describe("unknown names", () => {
  test("the error names the service and the nearest names", () => {
    const container = new Container();
    container.instance("users", 1);
    container.instance("mailer", 1);
    expect(() => container.resolve("user")).toThrow(
      'Service "user" is not registered. Did you mean "users"?',
    );
    expect(codeOf(() => container.resolve("user"))).toBe("ERR_CONTAINER_NOT_REGISTERED");
    expect(() => container.resolve("zzzzzzz")).toThrow(
      'Service "zzzzzzz" is not registered. Known: "users", "mailer".',
    );
    expect(() => new Container().resolve("a")).toThrow("Nothing is registered yet.");
  });

  test.each(oddNames)("%j is an ordinary name", (name) => {
    const container = new Container();
    const scope = container.createScope();
    expect(container.has(name)).toBe(false);
    expect(codeOf(() => container.resolve(name))).toBe("ERR_CONTAINER_NOT_REGISTERED");
    expect(codeOf(() => scope.resolve(name))).toBe("ERR_CONTAINER_NOT_REGISTERED");
    container.singleton(name, () => ({ made: true }));
    expect(container.resolve(name)).toEqual({ made: true });
    expect(scope.resolve(name)).toBe(container.resolve(name));
    container.scoped(name, () => "scoped");
    expect(scope.resolve(name)).toBe("scoped");
    scope.instance(name, "mine");
    expect(scope.resolve(name)).toBe("mine");
    expect(container.names()).toEqual([name]);
    expect(Object.prototype).not.toHaveProperty("made");
  });
});

describe("failures", () => {
  test("a factory that throws is called again by the next resolve", () => {
    const container = new Container();
    const factory = vi.fn(() => "made");
    factory.mockImplementationOnce(() => {
      throw new Error("not yet");
    });
    container.singleton("a", factory);
    expect(() => container.resolve("a")).toThrow("not yet");
    expect(container.resolve("a")).toBe("made");
    expect(factory).toHaveBeenCalledTimes(2);
  });

  test("a failing async factory rejects all waiting callers and is retried", async () => {
    const container = new Container();
    let calls = 0;
    container.singleton("a", async () => {
      calls += 1;
      await tick();
      if (calls === 1) throw new Error("not yet");
      return "made";
    });
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => container.resolve<Promise<string>>("a")),
    );
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(calls).toBe(1);
    expect(await container.resolve("a")).toBe("made");
    expect(calls).toBe(2);
  });

  test("a caller that catches the failure can resolve again immediately", async () => {
    const container = new Container();
    let calls = 0;
    container.singleton("a", async () => {
      calls += 1;
      if (calls === 1) throw new Error("not yet");
      return "made";
    });
    const retry = container.resolve<Promise<string>>("a").catch(() => container.resolve("a"));
    expect(await retry).toBe("made");
  });

  test("the factory's own error arrives unchanged through its dependents", async () => {
    const container = new Container();
    const cause = new Error("refused");
    container.singleton("database", async () => Promise.reject(cause));
    container.singleton("users", async ({ resolve }) => resolve<Promise<unknown>>("database"));
    await expect(container.resolve("users")).rejects.toBe(cause);
  });
});

describe("async singletons", () => {
  test("50 concurrent resolves share one call and one promise", async () => {
    const container = new Container();
    const factory = vi.fn(async () => {
      await tick();
      return {};
    });
    container.singleton("a", factory);
    const promises = Array.from({ length: 50 }, () => container.resolve<Promise<object>>("a"));
    expect(new Set(promises).size).toBe(1);
    expect(new Set(await Promise.all(promises)).size).toBe(1);
    expect(container.resolve("a")).toBe(promises[0]);
    expect(factory).toHaveBeenCalledTimes(1);
  });

  test("two services that share a pending dependency are not a cycle", async () => {
    const container = new Container();
    container.singleton("shared", async () => {
      await tick();
      return "shared";
    });
    for (const name of ["a", "b"]) {
      container.singleton(name, async ({ resolve }) => `${name}:${await resolve("shared")}`);
    }
    container.singleton("both", async ({ resolve }) =>
      Promise.all([resolve("a"), resolve("b"), resolve("shared")]),
    );
    expect(await container.resolve("both")).toEqual(["a:shared", "b:shared", "shared"]);
  });

  test("a service resolved twice by one factory is not a cycle", async () => {
    const container = new Container();
    container.bind("part", async () => tick());
    container.singleton("whole", async ({ resolve }) => {
      await Promise.all([resolve("part"), resolve("part")]);
      await resolve("part");
      return "whole";
    });
    expect(await container.resolve("whole")).toBe("whole");
  });
});

describe("cycles", () => {
  const chainOf = (...names: string[]): string =>
    `Services depend on each other in a cycle: ${names.map((name) => `"${name}"`).join(" → ")}.`;

  test.each(["singleton", "bind"] as const)("a sync cycle of %s names the chain", (method) => {
    const container = new Container();
    container[method]("a", ({ resolve }) => resolve("b"));
    container[method]("b", ({ resolve }) => resolve("c"));
    container[method]("c", ({ resolve }) => resolve("a"));
    expect(() => container.resolve("a")).toThrow(chainOf("a", "b", "c", "a"));
    expect(() => container.resolve("b")).toThrow(chainOf("b", "c", "a", "b"));
    expect(codeOf(() => container.resolve("a"))).toBe("ERR_CONTAINER_CYCLE");
  });

  test("a sync cycle through the container itself names the chain too", () => {
    const container = new Container();
    container.singleton("a", () => container.resolve("b"));
    container.bind("b", () => container.resolve("a"));
    expect(() => container.resolve("a")).toThrow(chainOf("a", "b", "a"));
    expect(() => container.resolve("b")).toThrow(chainOf("b", "a", "b"));
  });

  test.each(["singleton", "bind"] as const)("a service that needs itself: %s", (method) => {
    const container = new Container();
    container[method]("a", ({ resolve }) => resolve("a"));
    expect(() => container.resolve("a")).toThrow(chainOf("a", "a"));
  });

  test.each(["singleton", "bind"] as const)(
    "a cycle of async %s through awaits is an error",
    async (method) => {
      const container = new Container();
      for (const [name, needs] of [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ] as const) {
        container[method](name, async ({ resolve }) => {
          await tick();
          return await resolve(needs);
        });
      }
      await expect(container.resolve("a")).rejects.toThrow(chainOf("a", "b", "c", "a"));
      await expect(container.resolve("a")).rejects.toThrow(chainOf("a", "b", "c", "a"));
    },
  );

  test("two concurrent entries into a cycle do not wait for each other", async () => {
    const container = new Container();
    container.singleton("a", async ({ resolve }) => {
      await tick();
      return await resolve("b");
    });
    container.singleton("b", async ({ resolve }) => {
      await tick();
      return await resolve("a");
    });
    const [a, b] = await Promise.allSettled([
      container.resolve<Promise<unknown>>("a"),
      container.resolve<Promise<unknown>>("b"),
    ]);
    expect(a.status).toBe("rejected");
    expect(b.status).toBe("rejected");
    expect(String(a.status === "rejected" && a.reason)).toContain("in a cycle");
  });

  test("an async cycle through the container, before any await", async () => {
    const container = new Container();
    container.singleton("a", async () => await container.resolve("b"));
    container.singleton("b", async () => await container.resolve("a"));
    await expect(container.resolve("a")).rejects.toThrow(chainOf("a", "b", "a"));
  });

  test("a cycle over a transient between two singletons", async () => {
    const container = new Container();
    container.singleton("a", async ({ resolve }) => {
      await tick();
      return resolve("link");
    });
    container.bind("link", async ({ resolve }) => {
      await tick();
      return resolve("b");
    });
    container.singleton("b", async ({ resolve }) => {
      await tick();
      return resolve("a");
    });
    await expect(container.resolve("a")).rejects.toThrow(chainOf("a", "link", "b", "a"));
  });

  test("a cycle of scoped services", async () => {
    const container = new Container();
    container.scoped("a", async ({ resolve }) => resolve("b"));
    container.scoped("b", async ({ resolve }) => {
      await tick();
      return resolve("a");
    });
    const scope = container.createScope();
    await expect(scope.resolve("a")).rejects.toThrow(chainOf("a", "b", "a"));
  });

  test("a factory that catches the cycle error can continue", async () => {
    const container = new Container();
    container.singleton("a", async ({ resolve }) => `a(${await resolve("b")})`);
    container.singleton("b", async ({ resolve }) => {
      try {
        return await resolve("a");
      } catch {
        return "b alone";
      }
    });
    expect(await container.resolve("a")).toBe("a(b alone)");
  });

  test("resolving later through a stored resolver is not a cycle", () => {
    const container = new Container();
    interface Node {
      child(): Node;
    }
    container.bind("node", ({ resolve }) => ({ child: () => resolve<Node>("node") }));
    container.singleton("users", ({ resolve }) => ({ posts: () => resolve("posts") }));
    container.singleton("posts", ({ resolve }) => ({ users: () => resolve("users") }));
    expect(container.resolve<Node>("node").child().child()).toHaveProperty("child");
    const users = container.resolve<{ posts(): { users(): unknown } }>("users");
    expect(users.posts().users()).toBe(users);
  });

  test("a sync service that stores the promise of an async one that needs it is not a cycle", async () => {
    const container = new Container();
    container.singleton("a", ({ resolve }) => ({ b: resolve<Promise<unknown>>("b") }));
    container.singleton("b", async ({ resolve }) => {
      await tick();
      return { a: resolve("a") };
    });
    const a = container.resolve<{ b: Promise<{ a: unknown }> }>("a");
    expect((await a.b).a).toBe(a);
  });

  test("a finished transient does not affect another one", async () => {
    const container = new Container();
    let views = 0;
    container.bind("view", ({ resolve }) => {
      views += 1;
      return views === 1 ? { users: resolve("users") } : "plain";
    });
    container.singleton("users", async ({ resolve }) => {
      await tick();
      return resolve("view");
    });
    const view = container.resolve<{ users: Promise<unknown> }>("view");
    expect(await view.users).toBe("plain");
  });

  test("a resolver stored by one factory and used inside another is detected", () => {
    const container = new Container();
    let kept: ((name: string) => unknown) | undefined;
    container.singleton("keeper", async ({ resolve }) => {
      kept = resolve;
      await new Promise(() => undefined);
    });
    void container.resolve("keeper");
    container.singleton("a", () => kept?.("b"));
    container.singleton("b", () => container.resolve("a"));
    expect(() => container.resolve("a")).toThrow(chainOf("a", "b", "a"));
  });

  test("a chain of 500 services is not a cycle", async () => {
    const container = new Container();
    container.instance("s0", 0);
    for (let n = 1; n <= 500; n++) {
      container.singleton(`s${n}`, async ({ resolve }) => {
        const below = await resolve<number | Promise<number>>(`s${n - 1}`);
        return below + 1;
      });
    }
    expect(await container.resolve("s500")).toBe(500);
  });
});

describe("a wait that may be a cycle", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function containerWithLog(): { container: Container; warn: ReturnType<typeof vi.fn> } {
    const warn = vi.fn();
    const silent = (): void => undefined;
    const container = new Container({ debug: silent, info: silent, warn, error: silent });
    return { container, warn };
  }

  test("a cycle hidden behind the container and an await is reported to the log", async () => {
    const { container, warn } = containerWithLog();
    for (const [name, needs] of [
      ["a", "b"],
      ["b", "a"],
    ] as const) {
      container.singleton(name, async () => {
        await Promise.resolve();
        return await container.resolve(needs);
      });
    }
    void container.resolve("a");
    await vi.advanceTimersByTimeAsync(stallWarningMs - 1);
    expect(warn).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toMatchObject({
      message: expect.stringContaining(
        'Service "a" is still being created after 10000 ms while others wait for it. If its factory awaits app.resolve(…), use the container that is passed to it, so that a cycle is detected.',
      ),
      service: "a",
      inFlight: ["a", "b"],
    });
  });

  test("a service replaced while pending is released", async () => {
    const { container, warn } = containerWithLog();
    container.singleton("old", () => new Promise(() => undefined));
    void container.resolve("old");
    container.singleton("old", () => "new");
    container.singleton("slow", () => new Promise(() => undefined));
    void container.resolve("slow");
    void container.resolve("slow");
    await vi.advanceTimersByTimeAsync(stallWarningMs);
    expect(warn.mock.calls[0]?.[0]).toMatchObject({ service: "slow", inFlight: ["slow"] });
  });

  test("a service created in time leaves no timer and no log line", async () => {
    const { container, warn } = containerWithLog();
    let finish: () => void = () => undefined;
    container.singleton("a", () => new Promise<void>((resolve) => (finish = resolve)));
    const waiting = [container.resolve("a"), container.resolve("a"), container.resolve("a")];
    expect(vi.getTimerCount()).toBe(1);
    finish();
    await Promise.all(waiting);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(2 * stallWarningMs);
    expect(warn).not.toHaveBeenCalled();
  });

  test("a throwing logger does not crash the process", async () => {
    const { container, warn } = containerWithLog();
    warn.mockImplementation(() => {
      throw new Error("The disk is full.");
    });
    container.singleton("slow", () => new Promise(() => undefined));
    void container.resolve("slow");
    void container.resolve("slow");
    await vi.advanceTimersByTimeAsync(stallWarningMs);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test("without timers the service is still created", async () => {
    const { container } = containerWithLog();
    vi.stubGlobal("setTimeout", () => {
      throw new Error("Disallowed operation called within global scope");
    });
    try {
      container.singleton("a", async () => "made");
      expect(await Promise.all([container.resolve("a"), container.resolve("a")])).toEqual([
        "made",
        "made",
      ]);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
