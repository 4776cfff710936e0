import { Application, text } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { expectNoUnhandledRejections } from "../support/unhandled-rejections.ts";

expectNoUnhandledRejections();
afterEach(() => {
  for (const name of Object.keys(process.env))
    if (name.startsWith("B26_")) delete process.env[name];
});

function createApp() {
  const logger = createRecordingLogger();
  return { app: new Application({ logger }), lines: logger.lines };
}

test.each([
  [["/"], ["/"], "/"],
  [["/"], ["users"], "/users"],
  [["/api/"], ["/users/"], "/api/users/"],
  [["api"], ["users"], "/api/users"],
  [["/api/", "/v1/"], ["/"], "/api/v1"],
])(
  "groups %j and the path %j join to %s, without a double slash",
  async (prefixes, [path], pattern) => {
    const { app } = createApp();
    const nest = (left: readonly string[], router: ReturnType<Application["getRouter"]>): void => {
      const [prefix, ...rest] = left;
      if (prefix === undefined) router.get(path as "/", () => text("here"));
      else router.group(prefix, (inner) => nest(rest, inner as typeof router));
    };
    nest(prefixes, app.getRouter());
    expect(
      app
        .getRouter()
        .routes()
        .map((route) => route.pattern),
    ).toEqual([pattern]);
    expect((await app.request(pattern)).status).toBe(200);
  },
);

describe("a listener that rejects", () => {
  test("awaited, the error is the emitter's, and the other handlers ran", async () => {
    const { app } = createApp();
    const calls: string[] = [];
    app.on("e", async () => {
      throw new Error("first");
    });
    app.on("e", () => calls.push("second"));
    await expect(app.emit("e")).rejects.toThrow("first");
    expect(calls).toEqual(["second"]);
  });

  test("not awaited, under emitSync, it goes to the logger and never to the process", async () => {
    const { app, lines } = createApp();
    app.on("e", async () => {
      throw new Error("first");
    });
    app.emitSync("e");
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(lines).toMatchObject([{ level: "error", error: { message: "first" } }]);
  });

  test("not awaited, under emit, the process lives on", async () => {
    const { app } = createApp();
    app.on("e", async () => {
      throw new Error("first");
    });
    void app.emit("e");
    await new Promise((resolve) => setTimeout(resolve, 2));
  });
});

describe("booleans and numbers of the environment", () => {
  const read = (variables: Record<string, string>) => {
    for (const [name, value] of Object.entries(variables)) process.env[`B26_${name}`] = value;
    const { app } = createApp();
    app.configure("app", {
      schema: { debug: Boolean, port: Number },
      defaults: { debug: true, port: 3000 },
      envPrefix: "B26_",
    });
    return app.getConfig<{ debug: boolean; port: number }>("app");
  };

  test.each([
    ["false", false],
    ["0", false],
    ["no", false],
    ["FALSE", false],
    ["", true],
    ["TRUE", true],
    ["1", true],
  ])("%j is %s", (text_, expected) => {
    expect(read({ DEBUG: text_ }).debug).toBe(expected);
  });

  test("a number is typed, an empty text is the default, anything else an error", () => {
    expect(read({ PORT: "8080" }).port).toBe(8080);
    expect(read({ PORT: "1e3" }).port).toBe(1000);
    expect(read({ PORT: "" }).port).toBe(3000);
    for (const odd of ["abc", "0x10", " 80 "]) expect(() => read({ PORT: odd })).toThrow("port");
  });

  test("values of the environment are validated and typed", () => {
    const rules = { port: { required: true, type: "number", min: 1, max: 65535 } } as const;
    const withPort = (port: string) => {
      process.env["B26_PORT"] = port;
      const { app } = createApp();
      app.configure("app", rules, { envPrefix: "B26_" });
      return app.getConfig<{ port: number }>("app");
    };
    expect(() => withPort("70000")).toThrow(/port.*at most 65535/s);
    expect(withPort("8080")).toEqual({ port: 8080 });
  });
});

describe("async factories", () => {
  test("50 resolves at once are one call and one instance", async () => {
    const { app } = createApp();
    let calls = 0;
    app.singleton("a", async () => {
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 1));
      return {};
    });
    const all = await Promise.all(Array.from({ length: 50 }, () => app.resolve("a")));
    expect([new Set(all).size, calls]).toEqual([1, 1]);
  });

  test("a real cycle is an error that names its chain", async () => {
    const { app } = createApp();
    app.singleton("a", async (container) => {
      await Promise.resolve();
      return container.resolve("b");
    });
    app.singleton("b", async (container) => container.resolve("a"));
    await expect(app.resolve("a")).rejects.toThrow(/a.*b.*a/);
  });

  test("two services that share a pending dependency are not a cycle", async () => {
    const { app } = createApp();
    app.singleton("shared", async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return 7;
    });
    app.singleton("a", async (container) => container.resolve<number>("shared"));
    app.singleton("b", async (container) => container.resolve<number>("shared"));
    expect(await Promise.all([app.resolve("a"), app.resolve("b")])).toEqual([7, 7]);
  });

  test("one that threw is tried again", async () => {
    const { app } = createApp();
    let calls = 0;
    app.singleton("a", async () => {
      calls += 1;
      if (calls === 1) throw new Error("not yet");
      return calls;
    });
    await expect(app.resolve("a")).rejects.toThrow("not yet");
    expect(await app.resolve("a")).toBe(2);
  });
});
