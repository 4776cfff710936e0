import { Application, EspalierError, json, type Middleware, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createLoggedApp, loggedError } from "./support.ts";

/** Uses a value that types reject, as applications without types may. */
function problemOf(middleware: unknown): { readonly code: string; readonly message: string } {
  try {
    new Application().use(middleware as Middleware);
  } catch (error) {
    if (error instanceof EspalierError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("The middleware was taken.");
}

describe("an invalid middleware is rejected where it is used, with the expected forms", () => {
  const forms =
    "A middleware must be a function (ctx, next), an object with handle(ctx, next), or an object with " +
    "before(ctx) and after(ctx, response).";

  test.each<[unknown, string]>([
    [null, "null"],
    [undefined, "undefined"],
    ["audit", "a string"],
    [5, "a number"],
    [{}, "an object"],
    [[], "an array"],
    [{ handle: "audit" }, "an object"],
    [{ handle: { before: () => undefined } }, "an object"],
    [{ before: "audit" }, "an object"],
    [{ after: 5 }, "an object"],
    [{ before: null, after: null }, "an object"],
  ])("%j", (middleware, description) => {
    expect(problemOf(middleware)).toEqual({
      code: "ERR_PIPELINE_BAD_MIDDLEWARE",
      message: `use() got ${description}. ${forms}`,
    });
  });

  test("a class", () => {
    class Audit {
      handle(): Response {
        return text("");
      }
    }
    expect(problemOf(Audit)).toEqual({
      code: "ERR_PIPELINE_BAD_MIDDLEWARE",
      message: "use() got the class Audit. Pass an instance: new Audit(…).",
    });
  });

  test("several at once", () => {
    const use = new Application().use as (...middleware: readonly unknown[]) => unknown;
    expect(() => use.call(new Application(), "/books", () => text("never"))).toThrow(
      expect.objectContaining({
        code: "ERR_PIPELINE_BAD_MIDDLEWARE",
        message:
          "use() takes one middleware, got 2 arguments. Call it for each; for one path, use the " +
          'option "middleware" of router.group().',
      }),
    );
  });

  test("in the list of a route, which is named at boot", async () => {
    const { app } = createLoggedApp();
    const middleware = [{} as Middleware];
    app.getRouter().get("/books", () => text("never"), { middleware });
    await expect(app.boot()).rejects.toThrow(
      "The middleware list of GET /books got an object. A middleware must be a function",
    );
  });
});

describe("an object with hooks", () => {
  test("may have only before", async () => {
    const { app } = createLoggedApp();
    app.use({ before: (ctx) => (ctx.query["stop"] === "yes" ? text("stopped") : null) });
    app.getRouter().get("/", () => text("handler"));
    expect(await (await app.request("/?stop=yes")).text()).toBe("stopped");
    expect(await (await app.request("/")).text()).toBe("handler");
  });

  test("must return a Response or nothing from before: a guard that returns false lets nothing pass", async () => {
    for (const [value, kind] of [
      [false, "a boolean"],
      [true, "a boolean"],
      [0, "a number"],
      ["", "a string"],
      [{}, "an object"],
      [[1], "an array"],
    ]) {
      const { app, lines } = createLoggedApp();
      app.use({ before: (() => value) as unknown as () => undefined });
      app.getRouter().get("/", () => text("reached"));
      expect([value, (await app.request("/")).status]).toEqual([value, 500]);
      expect(loggedError(lines)).toMatchObject({
        code: "ERR_PIPELINE_NOT_A_RESPONSE",
        message:
          `before() of the middleware use() returned ${kind} instead of a Response to send. ` +
          "Return a response helper such as error(message, 403), or nothing to continue.",
      });
    }
  });

  test("may have only after, which may leave the response unchanged", async () => {
    const { app } = createLoggedApp();
    const seen: number[] = [];
    app.use({
      after: (_ctx, response) => {
        seen.push(response.status);
      },
    });
    app.getRouter().get("/", () => text("handler", 201));
    const response = await app.request("/");
    expect([response.status, await response.text(), seen]).toEqual([201, "handler", [201]]);
  });
});

describe("arguments", () => {
  const tellArguments = (_ctx: unknown, _next: unknown, ...args: string[]) => json(args);

  test("are the text after the colon in a route", async () => {
    const { app } = createLoggedApp();
    app.middleware("tell", tellArguments);
    app.getRouter().get("/two", () => text(""), { middleware: ["tell: a , b"] });
    app.getRouter().get("/none", () => text(""), { middleware: ["tell"] });
    expect(await (await app.request("/two")).json()).toEqual(["a", "b"]);
    expect(await (await app.request("/none")).json()).toEqual([]);
  });

  test("do not exist for global middleware and for a function in a route's list", async () => {
    const { app } = createLoggedApp();
    app.getRouter().get("/", () => text(""), { middleware: [tellArguments] });
    expect(await (await app.request("/")).json()).toEqual([]);
    app.use(tellArguments);
    expect(await (await app.request("/nowhere")).json()).toEqual([]);
  });
});
