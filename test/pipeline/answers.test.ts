import { type Middleware, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createLoggedApp, loggedError } from "./support.ts";

const nothing = (() => undefined) as unknown as Middleware;
const way = "Return json(data), or in a middleware the result of next().";

/** A thenable that is not a Promise, as some database drivers return. */
const thenable = (value: unknown): PromiseLike<unknown> => ({
  // biome-ignore lint/suspicious/noThenProperty: the purpose of the test
  then: (resolve) => Promise.resolve(value).then(resolve),
});

describe("a middleware must return a Response; the log names one that does not", () => {
  class Audit {
    handle(): Response {
      return undefined as unknown as Response;
    }
  }
  const withoutPrototype: Middleware = Object.assign(Object.create(null), { handle: nothing });

  test.each<[string, Middleware, string]>([
    ["by its name", Object.defineProperty(nothing, "name", { value: "audit" }), "audit"],
    ["as use() where it has none", (() => undefined) as unknown as Middleware, "use()"],
    ["by its class", new Audit(), "Audit"],
    ["as use() where it is a mere object", { handle: () => undefined as never }, "use()"],
    ["as use() where it has no constructor", withoutPrototype, "use()"],
  ])("%s", async (_title, middleware, label) => {
    const { app, lines } = createLoggedApp();
    app.use(middleware);
    app.getRouter().get("/books/:id", () => text("never"));
    expect((await app.request("/books/1")).status).toBe(500);
    expect(loggedError(lines)).toMatchObject({
      code: "ERR_PIPELINE_NOT_A_RESPONSE",
      message:
        `The middleware ${label} of GET /books/:id returned undefined instead of a Response to ` +
        `send. ${way}`,
    });
  });

  test("as written in the route", async () => {
    const { app, lines } = createLoggedApp();
    app.middleware("audit", nothing);
    app.getRouter().get("/", () => text("never"), { middleware: ["audit:all"] });
    expect((await app.request("/")).status).toBe(500);
    expect(loggedError(lines).message).toContain('The middleware "audit:all" of GET / returned');
  });

  test("as inline in the list of a route", async () => {
    const { app, lines } = createLoggedApp();
    const middleware = [(() => undefined) as unknown as Middleware];
    app.getRouter().get("/", () => text("never"), { middleware });
    expect((await app.request("/")).status).toBe(500);
    expect(loggedError(lines).message).toContain("The middleware (inline) of GET / returned");
  });

  test("and reports an unmatched request", async () => {
    const { app, lines } = createLoggedApp();
    app.use(() => null as unknown as Response);
    expect((await app.request("/nowhere")).status).toBe(500);
    expect(loggedError(lines).message).toBe(
      `The middleware use() of no route returned null instead of a Response to send. ${way}`,
    );
  });
});

describe("the return value of a handler", () => {
  test.each<[unknown, string]>([
    [undefined, "undefined"],
    [null, "null"],
    ["text", "a string"],
    [{ status: 200 }, "an object"],
    [Object.fromEntries([["th" + "en", "no promise"]]), "an object"],
  ])("%j is not a Response", async (value, description) => {
    const { app, lines } = createLoggedApp();
    app.getRouter().get("/", () => value as Response);
    expect((await app.request("/")).status).toBe(500);
    expect(loggedError(lines).message).toBe(
      `The handler of GET / returned ${description} instead of a Response to send. ${way}`,
    );
  });

  test("may be a thenable of a Response", async () => {
    const { app } = createLoggedApp();
    app.getRouter().get("/", () => thenable(text("later", 201)) as Promise<Response>);
    const response = await app.request("/");
    expect([response.status, await response.text()]).toEqual([201, "later"]);
  });

  test("may be a Response of another package, which fails instanceof", async () => {
    const { app } = createLoggedApp();
    const own = text("theirs", 201);
    const theirs = new Proxy(Object.create(null), {
      get: (_target, name) =>
        name === Symbol.toStringTag ? "Response" : Reflect.get(own, name, own),
    });
    app.use(async (_ctx, next) => {
      const response = await next();
      response.headers.set("x-seen", "1");
      return response;
    });
    app.getRouter().get("/", () => theirs);
    const response = await app.request("/");
    expect([response.status, response.headers.get("x-seen")]).toEqual([201, "1"]);
  });

  test("is not a valid response once its body has been read", async () => {
    const { app, lines } = createLoggedApp();
    app.getRouter().get("/", async () => {
      const response = text("read");
      await response.text();
      return response;
    });
    expect((await app.request("/")).status).toBe(500);
    expect(loggedError(lines).message).toContain("a Response whose body has been read");
  });
});

test("a middleware that reads the response it returns gets a specific error", async () => {
  const { app, lines } = createLoggedApp();
  app.use(async (_ctx, next) => {
    const response = await next();
    await response.text();
    return response;
  });
  app.getRouter().get("/", () => text("once"));
  expect((await app.request("/")).status).toBe(500);
  expect(loggedError(lines).message).toContain("a Response whose body has been read");
});
