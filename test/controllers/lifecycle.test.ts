import { Application, Controller, type ControllerClass, json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

function createApp(): Application {
  return new Application({ logger: createRecordingLogger() });
}

const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

describe("the controller's way", () => {
  class Traced extends Controller {
    static trace: string[] = [];
    protected override schema = { name: { type: "string", required: true } };
    protected override async beforeHandle(): Promise<Response | undefined> {
      Traced.trace.push(`before ${JSON.stringify(this.context.validated)}`);
      return this.context.query["stop"] === "yes" ? this.error("stopped", 403) : undefined;
    }
    async handle(): Promise<Response> {
      Traced.trace.push("handle");
      return this.success({ name: this.context.body });
    }
    protected override async afterHandle(response: Response): Promise<Response> {
      Traced.trace.push(`after ${response.status}`);
      response.headers.set("x-after", "1");
      return response;
    }
  }

  test("validation, beforeHandle, handle, afterHandle", async () => {
    Traced.trace = [];
    const app = createApp();
    app.getRouter().post("/", Traced);
    const response = await app.request("/", post({ name: "ada" }));
    expect([response.status, response.headers.get("x-after")]).toEqual([200, "1"]);
    expect(Traced.trace).toEqual(['before {"name":"ada"}', "handle", "after 200"]);
  });

  test("a typed controller has its headers: validated, or raw without rules", async () => {
    class Checked extends Controller.for({
      headers: { "x-version": { type: "integer", required: true } },
    }) {
      handle(): Response {
        const next: number = this.headers["x-version"] + 1;
        return this.json(next);
      }
    }
    class Open extends Controller.for({ query: {} }) {
      handle(): Response {
        return this.json(this.headers.get("x-version"));
      }
    }
    const app = createApp();
    app.getRouter().get("/checked", Checked).get("/open", Open);
    const init = { headers: { "x-version": "7" } };
    expect(await (await app.request("/checked", init)).json()).toBe(8);
    expect(await (await app.request("/open", init)).json()).toBe("7");
    expect((await app.request("/checked")).status).toBe(422);
  });

  test("a failed validation responds with 422 and runs no hook", async () => {
    Traced.trace = [];
    const app = createApp();
    app.getRouter().post("/", Traced);
    const response = await app.request("/", post({}));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      type: "https://www.rfc-editor.org/rfc/rfc9457",
      title: "Validation Failed",
      status: 422,
      detail: "One or more validation errors occurred.",
      instance: "http://localhost/",
      errors: [{ field: "name", message: "name is required" }],
    });
    expect(Traced.trace).toEqual([]);
  });

  test("a Response from beforeHandle is sent, and afterHandle does not run", async () => {
    Traced.trace = [];
    const app = createApp();
    app.getRouter().post("/", Traced);
    const response = await app.request("/?stop=yes", post({ name: "ada" }));
    expect(await response.json()).toEqual({ success: false, message: "stopped" });
    expect([response.status, Traced.trace.length]).toEqual([403, 1]);
  });

  test("every request has a new instance and context", async () => {
    class Slow extends Controller {
      #seen = "";
      async handle(): Promise<Response> {
        this.#seen = this.context.params["id"] ?? "";
        this.context.state["id"] = this.#seen;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
        return this.json([
          this.#seen,
          this.context.params["id"],
          this.context.state["id"],
          this.context.id,
        ]);
      }
    }
    const app = createApp();
    app.getRouter().get("/:id", Slow);
    await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const id = String(index);
        const response = await app.request(`/${id}`, { headers: { "x-request-id": `r${id}` } });
        expect(await response.json()).toEqual([id, id, id, `r${id}`]);
      }),
    );
  });

  test("an error in a hook is a 500 that passes through the middleware", async () => {
    class Broken extends Controller {
      protected override async beforeHandle(): Promise<void> {
        throw new Error("broken");
      }
      async handle(): Promise<Response> {
        return this.text("never");
      }
    }
    const app = createApp();
    app.use(async (_ctx, next) => {
      const response = await next();
      response.headers.set("x-seen", "1");
      return response;
    });
    app.getRouter().get("/", Broken);
    const response = await app.request("/");
    expect([response.status, response.headers.get("x-seen")]).toEqual([500, "1"]);
  });
});

describe("helpers of the controller", () => {
  test("validationError has instance and traceId of the request", async () => {
    class Refuses extends Controller {
      async handle(): Promise<Response> {
        return this.validationError([{ field: "isbn", message: "isbn is taken" }]);
      }
    }
    const app = createApp();
    app.getRouter().get("/", Refuses);
    const response = await app.request("/", { headers: { "x-request-id": "r9" } });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      instance: "http://localhost/",
      traceId: "r9",
      errors: [{ field: "isbn", message: "isbn is taken" }],
    });
  });
});

describe("Controller.for", () => {
  class UpdateBook extends Controller.for({
    params: { id: { type: "integer", required: true } },
    query: { notify: { type: "boolean", default: false } },
    body: { title: { type: "string", required: true }, pages: { type: "integer" } },
  }) {
    async handle(): Promise<Response> {
      const id: number = this.params.id;
      const notify: boolean = this.query.notify;
      const title: string = this.body.title;
      const pages: number | undefined = this.body.pages;
      return this.success({ id, notify, title, pages });
    }
  }

  test("passes validated and coerced values", async () => {
    const app = createApp();
    app.getRouter().put("/books/:id", UpdateBook);
    const request = { ...post({ title: "Trellis", pages: 12 }), method: "PUT" };
    const response = await app.request("/books/7?notify=true", request);
    expect(await response.json()).toEqual({
      success: true,
      data: { id: 7, notify: true, title: "Trellis", pages: 12 },
    });
  });

  test("every source is validated", async () => {
    const app = createApp();
    app.getRouter().put("/books/:id", UpdateBook);
    const response = await app.request("/books/x", { ...post({ pages: "many" }), method: "PUT" });
    const { errors } = (await response.json()) as { errors: unknown };
    expect([response.status, errors]).toEqual([
      422,
      [
        { field: "id", message: "id must be an integer" },
        { field: "title", message: "title is required" },
        { field: "pages", message: "pages must be an integer" },
      ],
    ]);
  });

  test("a route's validation overrides the controller's, field by field", async () => {
    const app = createApp();
    app.getRouter().put("/books/:id", UpdateBook, {
      validation: { body: { title: { type: "string", required: true, min: 10 } } },
    });
    const response = await app.request("/books/1", { ...post({ title: "short" }), method: "PUT" });
    const { errors } = (await response.json()) as { errors: unknown };
    expect(errors).toEqual([{ field: "title", message: "title must be at least 10 characters" }]);
  });
});

describe("function handlers", () => {
  test("are validated too", async () => {
    const app = createApp();
    app.getRouter().get("/", (ctx) => json(ctx.validated), {
      validation: { page: { type: "integer", required: true } },
    });
    expect(await (await app.request("/?page=3")).json()).toEqual({ page: 3 });
    expect((await app.request("/")).status).toBe(422);
  });

  test("have the parameters of their pattern", async () => {
    const app = createApp();
    app.getRouter().get("/users/:id", (ctx) => {
      const id: string = ctx.params.id;
      // @ts-expect-error not a parameter of the pattern
      return text(`${id} ${ctx.params.nope}`);
    });
    expect(await (await app.request("/users/5")).text()).toBe("5 undefined");
  });
});

describe("a throwing constructor", () => {
  /** Returns the log of a request to this controller. */
  async function errorOf(controller: ControllerClass): Promise<unknown> {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.instance("limit", 5);
    app.getRouter().get("/:id", controller);
    const response = await app.request("/7");
    expect(response.status).toBe(500);
    return logger.lines.find(({ level }) => level === "error")?.["error"];
  }

  const tooEarly = (name: string) => ({
    code: "ERR_PIPELINE_NO_CONTEXT",
    message:
      `The constructor of ${name} reads this.context, which is set after construction. So are this.app, ` +
      "this.params, this.query, this.body, this.user and this.services. Read them in handle() or beforeHandle().",
  });

  test("because it reads this.context gets a specific message", async () => {
    class Show extends Controller {
      readonly id: string | undefined;
      constructor() {
        super();
        this.id = this.context.params["id"];
      }
      handle(): Response {
        return this.text("never");
      }
    }
    expect(await errorOf(Show)).toMatchObject(tooEarly("Show"));
  });

  test("because a field reads this.params or this.app gets a specific message", async () => {
    class Typed extends Controller.for({ params: { id: { type: "string", required: true } } }) {
      static readonly inject = ["limit"];
      readonly id = this.params.id;
      handle(): Response {
        return this.text(this.id);
      }
    }
    class WithRouter extends Controller {
      readonly router = this.app.getRouter();
      handle(): Response {
        return this.text(typeof this.router);
      }
    }
    expect(await errorOf(Typed)).toMatchObject(tooEarly("Typed"));
    expect(await errorOf(WithRouter)).toMatchObject(tooEarly("WithRouter"));
  });

  test("for another reason keeps its error", async () => {
    class Broken extends Controller {
      constructor() {
        super();
        throw new RangeError("no room");
      }
      handle(): Response {
        return this.text("never");
      }
    }
    expect(await errorOf(Broken)).toMatchObject({ name: "RangeError", message: "no room" });
  });
});
