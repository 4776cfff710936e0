import { describe, expect, test, vi } from "vitest";
import { Container } from "../../src/container/container.ts";
import type { EspalierError } from "../../src/errors.ts";

describe("Scope", () => {
  test("a scoped service is created once per scope", () => {
    const container = new Container();
    const factory = vi.fn(() => ({}));
    container.scoped("cart", factory);
    const [first, second] = [container.createScope(), container.createScope()];
    expect(first.resolve("cart")).toBe(first.resolve("cart"));
    expect(second.resolve("cart")).not.toBe(first.resolve("cart"));
    expect(factory).toHaveBeenCalledTimes(2);
  });

  test("an async scoped service is shared within its scope and retried after a failure", async () => {
    const container = new Container();
    let calls = 0;
    container.scoped("cart", async () => {
      calls += 1;
      if (calls === 1) throw new Error("not yet");
      return { calls };
    });
    const scope = container.createScope();
    await expect(scope.resolve("cart")).rejects.toThrow("not yet");
    const [a, b] = await Promise.all([scope.resolve("cart"), scope.resolve("cart")]);
    expect(a).toBe(b);
    expect(calls).toBe(2);
  });

  test("singletons are shared by scopes and container, transients are new", () => {
    const container = new Container();
    container.singleton("one", () => ({}));
    container.bind("many", () => ({}));
    const scope = container.createScope();
    expect(scope.resolve("one")).toBe(container.resolve("one"));
    expect(scope.resolve("many")).not.toBe(scope.resolve("many"));
  });

  test("scoped and transient factories use the same scope", () => {
    const container = new Container();
    container.scoped("user", () => ({}));
    container.scoped("cart", ({ resolve }) => ({ user: resolve("user") }));
    container.bind("view", ({ resolve }) => ({ user: resolve("user") }));
    const scope = container.createScope();
    const user = scope.resolve("user");
    expect(scope.resolve<{ user: unknown }>("cart").user).toBe(user);
    expect(scope.resolve<{ user: unknown }>("view").user).toBe(user);
  });

  test("a scoped service outside a scope is an error with a fix", () => {
    const container = new Container();
    container.scoped("cart", () => ({}));
    expect(() => container.resolve("cart")).toThrow('Use ctx.resolve("cart")');
    try {
      container.resolve("cart");
      expect.unreachable();
    } catch (error) {
      expect((error as EspalierError).code).toBe("ERR_CONTAINER_OUTSIDE_SCOPE");
    }
  });

  test("a singleton cannot capture request-scoped services, even if created during a request", () => {
    const container = new Container();
    container.scoped("cart", () => ({}));
    container.singleton("shop", ({ resolve }) => resolve("cart"));
    const scope = container.createScope();
    scope.instance("context", { id: 1 });
    container.singleton("audit", ({ has, resolve }) => (has("context") ? resolve("context") : 0));
    expect(() => scope.resolve("shop")).toThrow("was resolved outside of a request");
    expect(scope.resolve("audit")).toBe(0);
  });

  test("a value set on a scope exists only there and takes precedence", () => {
    const container = new Container();
    container.instance("tenant", "default");
    container.scoped("title", ({ resolve }) => `shop of ${resolve<string>("tenant")}`);
    const scope = container.createScope();
    scope.instance("tenant", "blue");
    expect(scope.resolve("title")).toBe("shop of blue");
    expect(container.createScope().resolve("title")).toBe("shop of default");
    expect(container.resolve("tenant")).toBe("default");
    expect(container.createScope().has("title")).toBe(true);
  });
});
