import { Controller, HttpError, json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { answerOf, createApp, createLoggedApp, jsonOf, withJson } from "./support.ts";

const problemType = "application/problem+json";

describe("the statuses", () => {
  test("Errors 404: no matching route", async () => {
    const response = await createApp().request("/x", { headers: { "x-request-id": "r1" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([404, problemType]);
    expect(await response.json()).toEqual({
      type: "https://httpwg.org/specs/rfc9110.html#status.404",
      title: "Not Found",
      status: 404,
      detail: "No route matches GET /x.",
      instance: "http://localhost/x",
      traceId: "r1",
    });
  });

  test("Errors 422: a failed validation, of the controller's schema or the route's, before handle", async () => {
    let handled = 0;
    class Create extends Controller {
      protected override schema = { name: { required: true } };
      async handle(): Promise<Response> {
        handled += 1;
        return this.success();
      }
    }
    const app = createApp();
    app.getRouter().post("/", Create, { validation: { age: { required: true } } });
    const response = await app.request("/", {
      ...withJson({}),
      headers: { "content-type": "application/json", "x-request-id": "r1" },
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([422, problemType]);
    expect(await response.json()).toEqual({
      type: "https://www.rfc-editor.org/rfc/rfc9457",
      title: "Validation Failed",
      status: 422,
      detail: "One or more validation errors occurred.",
      instance: "http://localhost/",
      traceId: "r1",
      errors: [
        { field: "name", message: "name is required" },
        { field: "age", message: "age is required" },
      ],
    });
    expect(handled).toBe(0);
  });

  test("Errors 500: an unexpected error is logged in full, and not exposed to the client", async () => {
    const { app, lines } = createLoggedApp();
    app.getRouter().get("/", () => {
      throw new Error("pw=hunter2");
    });
    const response = await app.request("/", { headers: { "x-request-id": "r1" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([500, problemType]);
    expect(await response.json()).toEqual({
      type: "https://httpwg.org/specs/rfc9110.html#status.500",
      title: "Internal Server Error",
      status: 500,
      detail: "An unexpected error occurred.",
      instance: "http://localhost/",
      traceId: "r1",
    });
    expect(lines).toMatchObject([{ level: "error", id: "r1", error: { message: "pw=hunter2" } }]);
  });

  test.each([401, 403, 415])(
    "Errors %i: a controller's own, in the error envelope",
    async (status) => {
      class Refuses extends Controller {
        protected override async beforeHandle(): Promise<Response> {
          return this.error("Not for you.", status);
        }
        async handle(): Promise<Response> {
          return this.text("never");
        }
      }
      const app = createApp();
      app.getRouter().get("/", Refuses);
      const response = await app.request("/");
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await answerOf(response)).toEqual([
        status,
        '{"success":false,"message":"Not for you."}',
      ]);
    },
  );
});

describe("the rules", () => {
  test("Errors 1: framework errors are problem+json, typed by status or by RFC 9457", async () => {
    const app = createApp({ bodyParser: { limit: 5 } });
    const router = app.getRouter();
    router.get("/throws", () => {
      throw new Error("x");
    });
    router.post("/", () => text("x"), { validation: { a: { required: true } } });
    router.get("/p/:id", () => text("x"));
    const answers: [string, RequestInit, number][] = [
      ["/nowhere", {}, 404],
      ["/throws", {}, 500],
      ["/throws", { method: "POST" }, 405],
      ["/p/%zz", {}, 400],
      ["/", { ...withJson({}), body: "{" }, 400],
      ["/", withJson("too large"), 413],
      ["/", { ...withJson({}), headers: { "content-type": "application/json; charset=x" } }, 415],
      [`/${"x".repeat(17_000)}`, {}, 414],
    ];
    for (const [path, init, status] of answers) {
      const response = await app.request(path, init);
      expect(response.headers.get("content-type")).toBe(problemType);
      expect(await jsonOf(response)).toMatchObject({
        status,
        type: `https://httpwg.org/specs/rfc9110.html#status.${status}`,
      });
    }
    expect(await jsonOf(await app.request("/", withJson({})))).toMatchObject({
      status: 422,
      type: "https://www.rfc-editor.org/rfc/rfc9457",
    });
  });

  test("Errors 2: instance is the full request URL, traceId is ctx.id", async () => {
    const app = createApp();
    const ids: string[] = [];
    app.use((ctx, next) => {
      ids.push(ctx.id);
      return next();
    });
    const problem = await jsonOf(await app.request("https://shop.example:8443/a/b?c=d%20e"));
    expect([problem["instance"], problem["traceId"]]).toEqual([
      "https://shop.example:8443/a/b?c=d%20e",
      ids[0],
    ]);
  });

  test("Errors 3: error(message, status, errors) is the envelope, not Problem Details", async () => {
    const errors = [{ field: "a", message: "b" }];
    class Refuses extends Controller {
      async handle(): Promise<Response> {
        return this.error("Refused.", 409, errors);
      }
    }
    const app = createApp();
    app.getRouter().get("/", Refuses);
    const response = await app.request("/");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ success: false, message: "Refused.", errors });
  });
});

describe("what may be thrown, and onError", () => {
  test.each([
    ["null", null],
    ["undefined", undefined],
    ["a string", "broken"],
    ["a number", 7],
    ["an object", { status: 404 }],
  ])("Errors, throwing: %s is a 500 with the constant detail", async (_name, thrown) => {
    const app = createApp();
    app.getRouter().get("/", async () => {
      throw thrown;
    });
    expect(await jsonOf(await app.request("/"))).toMatchObject({
      status: 500,
      detail: "An unexpected error occurred.",
    });
  });

  test("Errors, throwing: a thrown Response is returned", async () => {
    const app = createApp();
    app.getRouter().get("/", () => {
      throw text("teapot", 418);
    });
    expect(await answerOf(await app.request("/"))).toEqual([418, "teapot"]);
  });

  test("Errors, onError: receives every error that becomes Problem Details, and may respond", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    app.onError((error, ctx) => {
      const status = error instanceof HttpError ? error.status : 500;
      seen.push([ctx.method, status]);
      return ctx.query["mine"] === "1" ? json({ mine: status }, status) : undefined;
    });
    app.getRouter().post("/", () => text("x"), { validation: { a: { required: true } } });
    app.getRouter().put("/", () => {
      throw new Error("x");
    });
    for (const [method, status] of [
      ["GET", 405],
      ["POST", 422],
      ["PUT", 500],
    ] as const) {
      expect((await app.request("/", { method })).status).toBe(status);
      const mine = await app.request("/?mine=1", { method });
      expect([mine.status, await mine.json()]).toEqual([status, { mine: status }]);
    }
    expect(seen).toHaveLength(6);
  });

  test("Errors, onError: a thrown Response or HttpError responds; other errors are logged", async () => {
    const { app, lines } = createLoggedApp();
    const read = text("read", 410);
    await read.text();
    const thrown: Record<string, unknown> = {
      response: text("gone", 410),
      problem: new HttpError(404, "There is no such book."),
      failure: new Error("broken as well"),
      read,
    };
    app.onError((_error, ctx) => {
      throw thrown[String(ctx.query["with"])];
    });
    app.getRouter().get("/", () => {
      throw new HttpError(409, "The book is on loan.");
    });
    const ask = async (what: string): Promise<unknown> => {
      const response = await app.request(`/?with=${what}`);
      return [response.status, await response.text()];
    };
    expect(await ask("response")).toEqual([410, "gone"]);
    expect(await ask("problem")).toEqual([404, expect.stringContaining("There is no such book.")]);
    expect(lines).toEqual([]);
    for (const what of ["failure", "read"]) {
      expect(await ask(what)).toEqual([409, expect.stringContaining("The book is on loan.")]);
    }
    expect(lines).toHaveLength(2);
  });

  test("Errors: a Response whose body has been read is a 500, thrown or made by onError", async () => {
    const { app, lines } = createLoggedApp();
    const used = async (): Promise<Response> => {
      const response = text("read", 409);
      await response.text();
      return response;
    };
    app.getRouter().get("/", async () => {
      throw await used();
    });
    expect((await jsonOf(await app.request("/")))["detail"]).toBe("An unexpected error occurred.");
    app.onError(used);
    expect((await app.request("/nowhere")).status).toBe(404);
    expect(JSON.stringify(lines).match(/response\.clone\(\)/g)?.length).toBeGreaterThanOrEqual(2);
  });
});
