import { Application, BootError, Controller, text } from "espalier";
import { expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

function createApp() {
  const logger = createRecordingLogger();
  return { app: new Application({ logger }), logger };
}

test("boot lists all problems in one error, with the nearest names", async () => {
  const { app } = createApp();
  app.middleware("auth", (_ctx, next) => next());
  const router = app.getRouter();
  router.get("/a", () => text("a"), { middleware: ["atuh"] });
  router.get("/b", () => text("b"), { middleware: ["auth", "hasOwnProperty"] });
  const error = await app.boot().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BootError);
  expect((error as BootError).message).toBe(
    [
      "The application cannot start: 2 problems.",
      '  - GET /a names the middleware "atuh", which is not registered. Did you mean "auth"? ' +
        'Register it with app.middleware("atuh", …).',
      '  - GET /b names the middleware "hasOwnProperty", which is not registered. Known: "auth", "can". ' +
        'Register it with app.middleware("hasOwnProperty", …).',
    ].join("\n"),
  );
});

test("a failed boot results in 500 without details, is logged, and is retried", async () => {
  const { app, logger } = createApp();
  app.getRouter().get("/a", () => text("a"), { middleware: ["late"] });
  const failed = await app.request("/a");
  expect(failed.status).toBe(500);
  expect(await failed.json()).toMatchObject({ detail: "An unexpected error occurred." });
  expect(JSON.stringify(logger.lines)).toContain("which is not registered");
  app.middleware("late", (_ctx, next) => next());
  expect((await app.request("/a")).status).toBe(200);
});

test("boot is idempotent", async () => {
  const { app } = createApp();
  expect(app.boot()).toBe(app.boot());
  await app.boot();
  await app.boot();
});

test("an unknown middleware on a route registered after boot results in 500 until it is registered", async () => {
  const { app } = createApp();
  await app.boot();
  app.getRouter().get("/a", () => text("a"), { middleware: ["late"] });
  expect((await app.request("/a")).status).toBe(500);
  app.middleware("late", (_ctx, next) => next());
  expect((await app.request("/a")).status).toBe(200);
});

test("fetch is bound and always a promise", async () => {
  const { app } = createApp();
  app.getRouter().get("/", () => text("bound"));
  const { fetch } = app;
  const response = fetch(new Request("http://localhost/"));
  expect(response).toBeInstanceOf(Promise);
  expect(await (await response).text()).toBe("bound");
});

test("request accepts a path, a URL and a Request", async () => {
  const { app } = createApp();
  app.getRouter().get("/", (ctx) => text(ctx.url.href));
  expect(await (await app.request("/?a=1")).text()).toBe("http://localhost/?a=1");
  expect(await (await app.request(new URL("https://example.com/"))).text()).toBe(
    "https://example.com/",
  );
  expect(await (await app.request(new Request("http://other.example/"))).text()).toBe(
    "http://other.example/",
  );
});

test("ctx.env is the env of a request, else the environment of the process", async () => {
  const { app } = createApp();
  app.getRouter().get("/", (ctx) => text(String((ctx.env as Record<string, unknown>)["PATH"])));
  expect(await (await app.request("/", {}, { PATH: "given" })).text()).toBe("given");
  expect(await (await app.request("/")).text()).toBe(process.env["PATH"]);
});

test("a controller receives its listed services, async ones awaited", async () => {
  const { app } = createApp();
  app.singleton("clock", () => ({ now: () => 7 }));
  app.singleton("books", async () => ["Trellis"]);
  class Show extends Controller {
    static readonly inject = ["books", "clock"];
    readonly #books: readonly string[];
    readonly #clock: { now(): number };
    constructor(books: readonly string[], clock: { now(): number }) {
      super();
      this.#books = books;
      this.#clock = clock;
    }
    async handle(): Promise<Response> {
      return this.json([...this.#books, this.#clock.now()]);
    }
  }
  app.getRouter().get("/", Show);
  expect(await (await app.request("/")).json()).toEqual(["Trellis", 7]);
});

test("a controller with an unknown service fails at boot", async () => {
  const { app } = createApp();
  app.instance("books", []);
  class Show extends Controller {
    static readonly inject = ["boks"];
    async handle(): Promise<Response> {
      return this.text("never");
    }
  }
  app.getRouter().get("/", Show);
  await expect(app.boot()).rejects.toThrow(
    'GET / needs the service "boks" for Show, which is not registered. Did you mean "books"?',
  );
});

test("a constructor with more parameters than inject lists logs a warning", async () => {
  const { app, logger } = createApp();
  app.instance("books", []);
  class Forgotten extends Controller {
    readonly books: readonly string[];
    constructor(books: readonly string[]) {
      super();
      this.books = books;
    }
    handle(): Response {
      return this.json(this.books ?? "none");
    }
  }
  class Partly extends Forgotten {
    static readonly inject = ["books"];
    readonly limit: number | undefined;
    constructor(books: readonly string[], limit?: number) {
      super(books);
      this.limit = limit;
    }
  }
  class Complete extends Forgotten {
    static readonly inject = ["books"];
    readonly limit: number;
    constructor(books: readonly string[], limit = 5) {
      super(books);
      this.limit = limit;
    }
  }
  app.getRouter().get("/forgotten", Forgotten);
  app.getRouter().get("/partly", Partly);
  app.getRouter().get("/complete", Complete);
  await app.boot();
  expect(logger.lines.filter(({ level }) => level === "warn")).toEqual([
    {
      level: "warn",
      message:
        "GET /forgotten: static inject lists 0 of the 1 parameters of the constructor of Forgotten, " +
        'so the rest is undefined. Add the names of their services: static inject = ["books"].',
    },
    {
      level: "warn",
      message:
        "GET /partly: static inject lists 1 of the 2 parameters of the constructor of Partly, " +
        'so the rest is undefined. Add the names of their services: static inject = ["books"].',
    },
  ]);
  expect(await (await app.request("/forgotten")).json()).toBe("none");
});

test("a scoped service is created once per request", async () => {
  const { app } = createApp();
  let made = 0;
  app.scoped("unit", () => ({ number: ++made }));
  app.getRouter().get("/", (ctx) => {
    const first = ctx.resolve<{ number: number }>("unit");
    const second = ctx.resolve<{ number: number }>("unit");
    return text(`${first.number} ${first === second}`);
  });
  expect(await (await app.request("/")).text()).toBe("1 true");
  expect(await (await app.request("/")).text()).toBe("2 true");
});

test("failed background work is logged, and stop() waits for it", async () => {
  const { app, logger } = createApp();
  let done = false;
  app.getRouter().get("/", (ctx) => {
    ctx.waitUntil(Promise.reject(new Error("no mail")));
    ctx.waitUntil(
      new Promise((resolve) => setTimeout(resolve, 20)).then(() => {
        done = true;
      }),
    );
    return text("ok");
  });
  await app.request("/");
  await app.stop();
  expect(done).toBe(true);
  expect(JSON.stringify(logger.lines)).toContain("no mail");
});

test("waitUntil passes the promise to the platform's execution context, if any", async () => {
  const { app } = createApp();
  const kept: Promise<unknown>[] = [];
  const work = Promise.resolve("done");
  app.getRouter().get("/", (ctx) => {
    ctx.waitUntil(work);
    return text("ok");
  });
  await app.request("/nowhere");
  await app.fetch(
    new Request("http://localhost/"),
    {},
    { waitUntil: (p: Promise<unknown>) => kept.push(p) },
  );
  expect(kept).toHaveLength(1);
});

test("an unknown option, or an invalid value, is rejected with the nearest name", () => {
  const create = (options: object) => () => new Application(options);
  expect(create({ bodyPraser: false })).toThrow(
    'unknown option "bodyPraser". Did you mean "bodyParser"?',
  );
  expect(create({ bodyParser: { limit: "5mb" } })).toThrow(
    'The option "bodyParser.limit" of Application must be an integer of at least 0, got "5mb".',
  );
  expect(create({ bodyParser: { multipartLimit: Number.NaN } })).toThrow(
    '"bodyParser.multipartLimit" of Application must be an integer of at least 0, got NaN.',
  );
  expect(create({ trailingSlash: "sctrict" })).toThrow(
    '"trailingSlash" of Application must be "ignore" or "strict", got "sctrict".',
  );
});

test("a class with handle is a controller, without a base class", async () => {
  const { app } = createApp();
  class Plain {
    async handle(): Promise<Response> {
      return text("plain");
    }
  }
  app.getRouter().get("/", Plain);
  expect(await (await app.request("/")).text()).toBe("plain");
});

test("an inject that is not a list fails at boot", async () => {
  const { app } = createApp();
  class Show extends Controller {
    static readonly inject = "books" as never;
    async handle(): Promise<Response> {
      return this.text("never");
    }
  }
  app.getRouter().get("/", Show);
  await expect(app.boot()).rejects.toThrow("GET /: inject of Show must be a list of names");
});
