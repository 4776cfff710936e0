import { Application, Controller, json, type Middleware, rules } from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

interface Books {
  find(id: string): string | undefined;
}

const books: Books = { find: (id) => (id === "7" ? "Emma" : undefined) };

function createApp(): Application {
  return new Application({ logger: createRecordingLogger() });
}

describe("services of a contract", () => {
  class ShowBook extends Controller.for({ inject: ["books", "clock"] }) {
    static created = 0;
    handle(): Response {
      ShowBook.created += 1;
      const { books: found, clock } = this.services as { books: Books; clock: () => number };
      return this.json([found.find(this.params["id"] ?? ""), clock()]);
    }
  }

  test("are in this.services; promises are awaited", async () => {
    const app = createApp();
    app.singleton("books", async () => books).instance("clock", () => 1);
    app.getRouter().get("/:id", ShowBook);
    expect(await (await app.request("/7")).json()).toEqual(["Emma", 1]);
  });

  test("without a promise, the controller runs synchronously", async () => {
    const app = createApp();
    app.instance("books", books).instance("clock", () => 1);
    app.getRouter().get("/:id", ShowBook);
    await app.request("/7");
    const before = ShowBook.created;
    const pending = app.fetch(new Request("http://localhost/7"));
    expect(ShowBook.created).toBe(before + 1);
    expect(await (await pending).json()).toEqual(["Emma", 1]);
  });

  test("an unknown name fails at boot, with the nearest name", async () => {
    const app = createApp();
    app.instance("bookz", books).instance("clock", () => 1);
    app.getRouter().get("/:id", ShowBook);
    await expect(app.boot()).rejects.toThrow(
      'GET /:id needs the service "books" for ShowBook, which is not registered. Did you mean "bookz"?',
    );
  });

  test("a rejected promise is a 500", async () => {
    const app = createApp();
    app.singleton("books", () => Promise.reject(new Error("no database"))).instance("clock", 1);
    app.getRouter().get("/:id", ShowBook);
    expect((await app.request("/7")).status).toBe(500);
  });

  test("this.services in the constructor is refused", async () => {
    class Early extends Controller.for({ inject: ["books"] }) {
      readonly books = this.services;
      handle(): Response {
        return this.json(1);
      }
    }
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.instance("books", books).getRouter().get("/", Early);
    expect((await app.request("/")).status).toBe(500);
    const logged = logger.lines.find(({ level }) => level === "error")?.["error"];
    expect(logged).toMatchObject({ code: "ERR_PIPELINE_NO_CONTEXT" });
  });
});

describe("middleware of a contract", () => {
  function createTracingApp(): { app: Application; trace: string[] } {
    const trace: string[] = [];
    const tracing =
      (name: string): Middleware =>
      (_ctx, next, ...args) => {
        trace.push([name, ...args].join(":"));
        return next();
      };
    const app = createApp();
    for (const name of ["group", "route", "auth", "limit"]) app.middleware(name, tracing(name));
    return { app, trace };
  }

  class Guarded extends Controller.for({ middleware: ["auth", "limit:5"] }) {
    handle(): Response {
      return this.json(1);
    }
  }

  test("runs after that of the groups and of the route", async () => {
    const { app, trace } = createTracingApp();
    app.getRouter().group("/g", { middleware: ["group"] }, (group) => {
      group.get("/", Guarded, { middleware: ["route"] });
    });
    await app.request("/g");
    expect(trace).toEqual(["group", "route", "auth", "limit:5"]);
  });

  test("does not run twice if a group or the route lists it", async () => {
    const { app, trace } = createTracingApp();
    app.getRouter().group("/g", { middleware: ["auth"] }, (group) => {
      group.get("/", Guarded, { middleware: ["limit:1"] });
    });
    await app.request("/g");
    expect(trace).toEqual(["auth", "limit:1", "limit:5"]);
  });

  test("an unknown name fails at boot", async () => {
    const app = createApp();
    app.getRouter().get("/", Guarded);
    await expect(app.boot()).rejects.toThrow('GET / names the middleware "auth"');
  });

  test("this.user is the user that it has set", async () => {
    const app = createApp();
    app.middleware("auth", (ctx, next) => {
      ctx.user = { id: "7" };
      return next();
    });
    class Me extends Controller.for({ middleware: ["auth"] }) {
      handle(): Response {
        return this.json(this.user);
      }
    }
    app.getRouter().get("/", Me);
    expect(await (await app.request("/")).json()).toEqual({ id: "7" });
  });
});

test("ctx.requireUser returns the user, and without one throws a 401", async () => {
  const app = createApp();
  app.use((ctx, next) => {
    if (ctx.query["user"] !== undefined) ctx.user = { id: ctx.query["user"] };
    return next();
  });
  app.getRouter().get("/", (ctx) => json(ctx.requireUser()));
  expect(await (await app.request("/?user=7")).json()).toEqual({ id: "7" });
  const refused = await app.request("/");
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ detail: "Valid credentials are required." });
});

describe("sources in the options of a route", () => {
  const title = rules({ title: { type: "string", required: true } });

  test("are validated, and ctx.validated is grouped by source", async () => {
    const app = createApp();
    app.getRouter().post("/:id", (ctx) => json(ctx.validated), {
      params: { id: { type: "integer", required: true } },
      query: { page: { type: "integer", default: 1 } },
      body: title,
    });
    const send = (body: object): Promise<Response> =>
      app.request("/7", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect(await (await send({ title: "Emma", extra: 1 })).json()).toEqual({
      params: { id: 7 },
      query: { page: 1 },
      body: { title: "Emma" },
    });
    expect((await send({})).status).toBe(422);
  });

  test("beside validation they are refused: which of them would win?", () => {
    const router = createApp().getRouter();
    expect(() => router.post("/", () => json(1), { body: title, validation: title })).toThrow(
      'The option "validation" of POST / must be',
    );
  });
});
