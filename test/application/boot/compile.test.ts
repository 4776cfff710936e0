import { Controller, type Middleware, text } from "espalier";
import { describe, expect, test, vi } from "vitest";
import { bodyParsingOf, findBodyParsing } from "../../../src/application/boot/body-parsing.ts";
import type { BodyParsing } from "../../../src/http/context-input.ts";
import type { RouteRecord } from "../../../src/routing/route.ts";
import { createLoggedApp } from "../../spec/support.ts";

describe("middleware that prepares itself", () => {
  /** A middleware that notes where it is used. */
  function createNoting(): { middleware: Middleware; uses: unknown[] } {
    const uses: unknown[] = [];
    const middleware: Middleware = Object.assign(
      (_ctx: unknown, next: () => Promise<Response>) => next(),
      { prepare: (use: object) => void uses.push(use) },
    );
    return { middleware, uses };
  }

  test("learns at boot that it is global", async () => {
    const { middleware, uses } = createNoting();
    const { app } = createLoggedApp();
    app.use(middleware);
    await app.boot();
    expect(uses).toEqual([{ args: [], usedBy: "use()", application: app }]);
  });

  test("learns at boot which route uses it, and with which arguments", async () => {
    const { middleware, uses } = createNoting();
    const { app } = createLoggedApp();
    app.middleware("note", middleware);
    app.getRouter().get("/books", () => text(""), { middleware: ["note:a,b"] });
    await app.boot();
    expect(uses).toEqual([{ args: ["a", "b"], usedBy: "GET /books", application: app }]);
  });

  test("may throw an error that is not of the framework: boot fails with it", async () => {
    const broken = { handle: () => text(""), prepare: () => JSON.parse("{") };
    const { app } = createLoggedApp();
    app.use(broken as Middleware);
    await expect(app.boot()).rejects.toThrow(SyntaxError);
  });
});

test("a problem of a route names the route, and has its cause", async () => {
  const { app } = createLoggedApp();
  const rules = { id: { type: "intger" } } as object;
  app.getRouter().post("/books", () => text(""), { validation: rules });
  const error = await app.boot().catch((thrown: unknown) => thrown);
  expect((error as { errors: readonly Error[] }).errors).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/^POST \/books: The validation rule of "id"/),
      cause: expect.objectContaining({
        message: expect.stringMatching(/^The validation rule of "id"/),
      }),
    }),
  ]);
});

test("a request to an application that cannot start gets its id and URL in the 500", async () => {
  const { app } = createLoggedApp({ debug: false });
  app.getRouter().get("/", () => text(""), { middleware: ["unknown"] });
  const headers = { "x-request-id": "request-7" };
  const response = await app.request("/?page=1", { headers });
  expect(response.headers.get("x-request-id")).toBe("request-7");
  expect(await response.json()).toMatchObject({
    status: 500,
    instance: expect.stringContaining("/?page=1"),
    traceId: "request-7",
  });
  const head = await app.request("/", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([500, ""]);
});

describe("the parameters of a handler", () => {
  test("are not services of a function: nothing is warned about", async () => {
    const { app, lines } = createLoggedApp();
    const handler = (_ctx: unknown, _other?: unknown): Response => text("");
    expect(handler.length).toBe(2);
    app.getRouter().get("/", handler);
    await app.boot();
    expect(lines).toEqual([]);
  });

  test("are services of a controller, also of one without a name", async () => {
    const { app, lines } = createLoggedApp();
    app.getRouter().get(
      "/",
      (() =>
        class extends Controller {
          readonly books: unknown;
          constructor(books?: unknown, ..._rest: unknown[]) {
            super();
            this.books = books;
          }
          handle(): Response {
            return text("");
          }
        })() as never,
    );
    await app.boot();
    expect(lines).toEqual([
      {
        level: "warn",
        message:
          "GET /: static inject lists 0 of the 1 parameters of the constructor of its controller, so the rest is " +
          'undefined. Add the names of their services: static inject = ["books"].',
      },
    ]);
  });
});

test.each<[string, Parameters<typeof findBodyParsing>[0], string | undefined]>([
  ["no routes", [], undefined],
  ["GET and HEAD", [route("GET"), route("HEAD")], undefined],
  ["one that reads the stream itself", [{ ...route("POST"), bodyParser: false }], undefined],
  ["others", [route("GET"), route("PUT"), route("POST")], "PUT /books"],
])(
  "what parses bodies is loaded for the first route that may have one: %s",
  async (_, records, by) => {
    const reader = {} as BodyParsing["reader"];
    const loadBodyReader = vi.fn(async () => reader);
    const limits = {} as BodyParsing["limits"];
    const options = { parsesBodies: true, bodyLimits: limits, loadBodyReader };
    const parsing = await findBodyParsing(records, options);
    expect(loadBodyReader.mock.calls).toEqual(by === undefined ? [] : [[by]]);
    expect(parsing).toEqual(by === undefined ? undefined : { limits, reader });
    expect(await findBodyParsing(records, { ...options, parsesBodies: false })).toBeUndefined();
    if (records[0] !== undefined) expect(bodyParsingOf(records[0], undefined)).toBeUndefined();
  },
);

function route(method: string): RouteRecord {
  return { method, pattern: "/books", bodyLimit: "1kb" } as unknown as RouteRecord;
}
