import {
  Application,
  Controller,
  defineRoutes,
  json,
  type Middleware,
  Router,
  text,
} from "espalier";
import { expect, test } from "vitest";

class ShowBook extends Controller.for({ params: { id: { type: "integer", required: true } } }) {
  handle() {
    return this.success({ id: this.params.id });
  }
}

test("an application responds by defined routes as by those of a group", async () => {
  const app = new Application();
  const steps: string[] = [];
  const step =
    (name: string): Middleware =>
    (_ctx, next) => {
      steps.push(name);
      return next();
    };
  const books = defineRoutes("/books/", { name: "books", middleware: [step("group")] }, (r) => [
    r.get("/", () => text("list")),
    r.get("/:id", ShowBook, { name: "show" }),
    r.post("/", (ctx) => json(ctx.validated.body.title, 201), {
      body: { title: { type: "string", required: true } },
      middleware: [step("route")],
    }),
    r.put("/:id", (ctx) => text(`put ${ctx.params.id}`)),
    r.patch("/:id", () => text("patch")),
    r.delete("/:id", () => text("delete")),
  ]);
  const router = app.getRouter();
  expect(router.include(books)).toBe(router);
  expect(router.url("books.show", { id: 7 })).toBe("/books/7");
  expect(router.routes().map(({ method, pattern }) => `${method} ${pattern}`)).toEqual([
    "GET /books",
    "GET /books/:id",
    "POST /books",
    "PUT /books/:id",
    "PATCH /books/:id",
    "DELETE /books/:id",
  ]);
  const shown = await app.request("/books/7");
  expect(await shown.json()).toEqual({ success: true, data: { id: 7 } });
  expect((await app.request("/books/x")).status).toBe(422);
  const headers = { "content-type": "application/json" };
  const post = (body: object): Promise<Response> =>
    app.request("/books", { method: "POST", headers, body: JSON.stringify(body) });
  steps.length = 0;
  expect(await (await post({ title: "Emma" })).json()).toBe("Emma");
  expect(steps).toEqual(["group", "route"]);
  expect((await post({})).status).toBe(422);
  expect(await (await app.request("/books/7", { method: "PUT" })).text()).toBe("put 7");
  await app.stop();
});

test("routes without a prefix, and inside of a group", () => {
  const home = defineRoutes("/", (r) => [
    r.get("/", () => text("")),
    r.get("/about", () => text("")),
  ]);
  const router = new Router();
  router.include(home).group("/api", (api) => api.include(home));
  expect(router.routes().map(({ pattern }) => pattern)).toEqual([
    "/",
    "/about",
    "/api",
    "/api/about",
  ]);
});

test("if one of the routes is invalid, none is registered", () => {
  const router = new Router();
  router.get("/b", () => text(""));
  const routes = defineRoutes("/", (r) => [
    r.get("/a", () => text("")),
    r.get("/b", () => text("")),
  ]);
  expect(() => router.include(routes)).toThrow(
    expect.objectContaining({ code: "ERR_ROUTE_DUPLICATE" }),
  );
  expect(router.routes()).toHaveLength(1);
});

test("options are checked as those of a group and of a route", () => {
  const include = (...given: readonly unknown[]): unknown =>
    new Router().include(Reflect.apply(defineRoutes, undefined, given));
  const refused = (message: string): object =>
    expect.objectContaining({
      code: "ERR_ROUTE_BAD_OPTION",
      message: expect.stringContaining(message),
    });
  expect(() => include("/x", { prefix: "/y" }, () => [])).toThrow(
    refused('unknown option "prefix"'),
  );
  expect(() => include(7, () => [])).toThrow(refused("must be a string, got 7"));
  expect(() =>
    include("/x", (r: { get(...args: unknown[]): unknown }) => [
      r.get("/", () => text(""), { nam: "a" }),
    ]),
  ).toThrow(refused('unknown option "nam"'));
});

test.each([
  [undefined, "undefined"],
  [{ prefix: "/x" }, "{ prefix }"],
])("include() refuses what defineRoutes() did not return: %j", (given, got) => {
  const call = (): unknown => Reflect.apply(new Router().include, new Router(), [given]);
  expect(call).toThrow(
    expect.objectContaining({
      code: "ERR_ROUTE_BAD_OPTION",
      message: `include() must get the result of defineRoutes(), got ${got}.`,
    }),
  );
});

test.each([
  ["nothing", () => {}, "undefined"],
  [
    "one route",
    (r: { get(...args: unknown[]): unknown }) => r.get("/", () => text("")),
    "{ method, path, handler, options }",
  ],
])("a callback that returns %s is refused", (_name, define, got) => {
  const call = (): unknown => Reflect.apply(defineRoutes, undefined, ["/books", define]);
  expect(call).toThrow(expect.objectContaining({ code: "ERR_ROUTE_BAD_OPTION" }));
  expect(call).toThrow(
    `The callback of defineRoutes("/books") must return a list of routes, such as (r) => [r.get("/", …)], got ${got}.`,
  );
});
