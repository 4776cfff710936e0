import { json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support.ts";

class Users {
  readonly names = ["Ada"];
}

test("Container, singleton: one shared instance, created on first resolve", () => {
  const app = createApp();
  let made = 0;
  app.singleton("users", () => {
    made += 1;
    return new Users();
  });
  expect(made).toBe(0);
  expect(app.resolve("users")).toBe(app.resolve("users"));
  expect(made).toBe(1);
});

test("Container, bind: a new instance on every resolve", () => {
  const app = createApp();
  app.bind("users", () => new Users());
  const [first, second] = [app.resolve<Users>("users"), app.resolve<Users>("users")];
  expect(first).toBeInstanceOf(Users);
  expect(second).not.toBe(first);
});

test("Container, instance: an existing value, whatever it is", () => {
  const app = createApp();
  const users = new Users();
  app.instance("users", users).instance("nothing", undefined).instance("zero", 0);
  expect(app.resolve("users")).toBe(users);
  expect(app.resolve("nothing")).toBeUndefined();
  expect(app.resolve("zero")).toBe(0);
});

describe("resolve", () => {
  test("Container, resolve: returns the value or instance registered under a name", () => {
    const app = createApp();
    app.singleton("users", () => new Users());
    expect(app.resolve<Users>("users").names).toEqual(["Ada"]);
  });

  test("Container, resolve: an unknown name throws, with the closest names", () => {
    const app = createApp();
    app.instance("users", 1);
    expect(() => app.resolve("usres")).toThrow(/Service "usres" is not registered.*users/s);
  });

  test("Container, resolve: factories reach other services through the container", () => {
    const app = createApp();
    app.singleton(
      "greeting",
      (container) => `Hello, ${container.resolve<Users>("users").names[0]}`,
    );
    app.singleton("users", () => new Users());
    expect(app.resolve("greeting")).toBe("Hello, Ada");
  });

  test("Container, resolve: an async factory resolves to a promise, shared by concurrent callers", async () => {
    const app = createApp();
    let calls = 0;
    app.singleton("users", async () => {
      calls += 1;
      await Promise.resolve();
      return new Users();
    });
    const all = await Promise.all(Array.from({ length: 50 }, () => app.resolve("users")));
    expect(new Set(all).size).toBe(1);
    expect(calls).toBe(1);
  });

  test("Container, resolve: a factory that failed is tried again", async () => {
    const app = createApp();
    let calls = 0;
    app.singleton("now", () => {
      calls += 1;
      if (calls === 1) throw new Error("not yet");
      return calls;
    });
    app.singleton("later", async () => {
      calls += 1;
      if (calls === 3) throw new Error("not yet");
      return calls;
    });
    expect(() => app.resolve("now")).toThrow("not yet");
    expect(app.resolve("now")).toBe(2);
    await expect(app.resolve("later")).rejects.toThrow("not yet");
    expect(await app.resolve("later")).toBe(4);
  });

  test("Container, resolve: a cycle throws with the chain of names, also across awaits", async () => {
    const app = createApp();
    app.singleton("a", (container) => container.resolve("b"));
    app.singleton("b", (container) => container.resolve("a"));
    expect(() => app.resolve("a")).toThrow(/a.*b.*a/);
    app.singleton("c", async (container) => {
      await Promise.resolve();
      return container.resolve("d");
    });
    app.singleton("d", async (container) => container.resolve("c"));
    await expect(app.resolve("c")).rejects.toThrow(/c.*d.*c/);
  });

  test.each(["toString", "__proto__", "constructor", "hasOwnProperty"])(
    "Container, resolve: %s is an ordinary name",
    (name) => {
      const app = createApp();
      expect(() => app.resolve(name)).toThrow(`Service "${name}" is not registered`);
      app.instance(name, 7);
      expect(app.resolve(name)).toBe(7);
    },
  );
});

describe("scoped", () => {
  test("Container, scoped: one instance per request, through ctx.resolve", async () => {
    const app = createApp();
    let made = 0;
    app.scoped("unit", () => {
      made += 1;
      return { number: made };
    });
    app.use((ctx, next) => {
      ctx.resolve("unit");
      return next();
    });
    app.getRouter().get("/", (ctx) => json(ctx.resolve("unit")));
    expect(await (await app.request("/")).json()).toEqual({ number: 1 });
    expect(await (await app.request("/")).json()).toEqual({ number: 2 });
  });

  test("Container, scoped: throws outside a request", async () => {
    const app = createApp();
    app.scoped("unit", () => ({}));
    app.singleton("keeps", (container) => container.resolve("unit"));
    expect(() => app.resolve("unit")).toThrow("unit");
    app.getRouter().get("/", (ctx) => {
      expect(() => ctx.resolve("keeps")).toThrow("unit");
      return text("x");
    });
    expect((await app.request("/")).status).toBe(200);
  });
});
