import {
  Application,
  Controller,
  CorsMiddleware,
  HttpError,
  json,
  type Middleware,
  text,
} from "espalier";
import { createTestClient } from "espalier/testing";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

// Calls that TypeScript rejects, as applications in JavaScript write them.

function createApp() {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  return { app, logger, router: app.getRouter() };
}

async function logged(register: (app: Application) => void): Promise<unknown> {
  const { app, logger } = createApp();
  register(app);
  expect((await app.request("/x")).status).toBe(500);
  return logger.lines.find(({ level }) => level === "error")?.["error"];
}

const untyped = (value: unknown): never => value as never;

class Handler {
  handle(): Response {
    return text("never");
  }
}

describe("a class in place of a function is rejected when it is registered", () => {
  test.each<[string, (app: Application) => unknown, string]>([
    ["job", (app) => app.getQueue().process("mail", untyped(Handler)), "ERR_QUEUE_BAD_OPTION"],
    ["event", (app) => app.on("user.created", untyped(Handler)), "ERR_EVENTS_BAD_HANDLER"],
    ["policy", (app) => app.definePolicy("edit", untyped(Handler)), "ERR_AUTH_BAD_POLICY"],
    ["schedule", (app) => app.schedule("* * * * *", untyped(Handler)), "ERR_SCHEDULE_BAD_HANDLER"],
    ["health check", (app) => app.addHealthCheck("db", untyped(Handler)), "ERR_HEALTH_BAD_CHECK"],
    ["broadcast", (app) => app.onBroadcast("news", untyped(Handler)), "ERR_BROADCAST_BAD_HANDLER"],
  ])("%s", (_title, register, code) => {
    const { app } = createApp();
    expect(() => register(app)).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringMatching(/got (a class|the class Handler)|and a class/),
      }),
    );
  });
});

describe("an event without a name is rejected", () => {
  class UserCreated {}
  const message =
    "The name of an event must be a string, got an instance of UserCreated. " +
    'Pass the name, then the payload: emit("user.created", user).';

  test.each<[string, (app: Application) => unknown]>([
    ["on", (app) => app.on(untyped(new UserCreated()), () => {})],
    ["once", (app) => app.once(untyped(new UserCreated()), () => {})],
    ["emit", (app) => app.emit(untyped(new UserCreated()), untyped(undefined))],
    ["emitSync", (app) => app.emitSync(untyped(new UserCreated()), untyped(undefined))],
  ])("%s", (_method, call) => {
    const { app } = createApp();
    app.on("user.*", () => {});
    expect(() => call(app)).toThrow(
      expect.objectContaining({ code: "ERR_EVENTS_BAD_NAME", message }),
    );
  });
});

describe("listen()", () => {
  test.each<[unknown, string]>([
    [
      () => {},
      "listen() takes no callback. Await its promise: const { url } = await app.listen(port).",
    ],
    [3000, 'The option "host" of listen() must be a string, got 3000.'],
  ])("rejects %s as the host", async (host, message) => {
    await expect(createApp().app.listen(0, untyped(host))).rejects.toMatchObject({
      code: "ERR_APPLICATION_BAD_OPTION",
      message,
    });
  });
});

describe("middleware", () => {
  test("next(error) is an error that names the middleware", async () => {
    const audit: Middleware = (_ctx, next) => next(untyped(new Error("Not allowed.")));
    const error = await logged((app) => {
      app.use(Object.defineProperty(audit, "name", { value: "audit" }));
      app.getRouter().get("/x", () => text("never"));
    });
    expect(error).toMatchObject({
      code: "ERR_PIPELINE_BAD_MIDDLEWARE",
      message:
        "The middleware audit called next() with an error. Call next() or next(ctx); to fail, throw the error.",
    });
  });

  test.each<[string, unknown[]]>([
    ["a path and a middleware", ["/admin", new CorsMiddleware({ origins: "*" })]],
    ["two middleware", [new CorsMiddleware({ origins: "*" }), () => new Response(null)]],
  ])("use() rejects %s", (_title, given) => {
    const { app } = createApp();
    expect(() => Reflect.apply(app.use, app, given)).toThrow(
      expect.objectContaining({
        code: "ERR_PIPELINE_BAD_MIDDLEWARE",
        message: expect.stringContaining("use() takes one middleware, got 2 arguments."),
      }),
    );
  });

  test("use() accepts the arguments of forEach()", async () => {
    const { app } = createApp();
    const teapot = () => new Response(null, { status: 418 });
    [teapot].forEach(app.use, app);
    expect((await app.request("/")).status).toBe(418);
  });
});

describe("what a handler returns or throws", () => {
  test("an HttpError that is returned, from a function and a controller", async () => {
    const fix = "Throw an error instead of returning it.";
    const fromFunction = await logged((app) => {
      app.getRouter().get(
        "/x",
        untyped(() => new HttpError(404)),
      );
    });
    expect(fromFunction).toMatchObject({
      message: `The handler of GET /x returned an error instead of a Response to send. ${fix}`,
    });
    class Show extends Controller {
      handle(): Response {
        return untyped(new HttpError(404));
      }
    }
    expect(await logged((app) => app.getRouter().get("/x", Show))).toMatchObject({
      message: `Show.handle() returned an error instead of a Response to send. ${fix}`,
    });
  });

  test("a thrown object is logged with its field names and its message", async () => {
    const error = await logged((app) => {
      app.getRouter().get("/x", () => {
        throw { status: 404, message: "Book 7 does not exist.", secret: "hunter2" };
      });
    });
    expect(error).toEqual({
      thrown: "{ status, message, secret }",
      message: "Book 7 does not exist.",
    });
  });

  test("an object that onError() returns is logged, and the default response is sent", async () => {
    const { app, logger, router } = createApp();
    app.onError(untyped(() => ({ message: "Sorry" })));
    router.get("/x", () => {
      throw new HttpError(409, "Lent.");
    });
    const response = await app.request("/x");
    expect(response.status).toBe(409);
    expect(logger.lines).toMatchObject([
      {
        level: "error",
        error: {
          code: "ERR_PIPELINE_NOT_A_RESPONSE",
          message:
            "onError() returned an object instead of a Response to send. " +
            "Return json(data, status), or nothing for the default response.",
        },
      },
    ]);
  });

  test.each<[string, () => unknown, string]>([
    [
      "init of a response",
      () => json({}, untyped({ status: 201 })),
      "a response must be an integer from 200 to 599, got { status }.",
    ],
    [
      "message first",
      () => new HttpError(untyped("Not found"), untyped(404)),
      'an HttpError must be an integer from 400 to 599, got "Not found". The order is: status, detail.',
    ],
  ])("status: %s", (_title, create, message) => {
    expect(create).toThrow(
      expect.objectContaining({ code: "ERR_HTTP_BAD_STATUS", message: `The status of ${message}` }),
    );
  });
});

describe("routes", () => {
  test("an async callback of a group is rejected, and its promise is handled", () => {
    const { router } = createApp();
    const register = async (): Promise<void> => {
      await Promise.reject(new Error("no database"));
    };
    expect(() => router.group("/admin", register)).toThrow(
      expect.objectContaining({
        code: "ERR_ROUTE_BAD_OPTION",
        message: 'The callback of group("/admin") must not be async. Await before calling group().',
      }),
    );
  });

  test("include() takes only the result of defineRoutes()", () => {
    const { router } = createApp();
    expect(() => router.include(untyped(router))).toThrow(
      "include() must get the result of defineRoutes(), got an instance of Router.",
    );
    expect(() => router.include(untyped(undefined))).toThrow("got undefined.");
  });

  test("an unknown key of a contract is rejected", () => {
    expect(() => Controller.for(untyped({ boddy: {} }))).toThrow(
      'Controller.for(): unknown option "boddy". Did you mean "body"?',
    );
  });
});

describe("a misspelt job", () => {
  const warning =
    'The job "mail.sned" waits in the memory of this process, and nothing processes it. ' +
    'Did you mean "mail.send"? Register a handler: app.getQueue().process("mail.sned", …).';

  test.each(["before", "after"])(
    "enqueued %s the boot logs a warning beside handlers",
    async (time) => {
      const { app, logger } = createApp();
      app.useInMemoryQueue();
      app.getQueue().process("mail.send", () => {});
      app.getRouter().get("/x", () => text("ok"));
      if (time === "before") await app.getQueue().enqueue("mail.sned", {});
      await app.request("/x");
      if (time === "after") await app.getQueue().enqueue("mail.sned", {});
      expect(logger.lines.map(({ message }) => message)).toEqual([warning]);
      await app.stop();
    },
  );
});

test("exposeOpenApi() rejects an unknown option", () => {
  expect(() => createApp().app.exposeOpenApi("/openapi.json", untyped({ title: "Shelf" }))).toThrow(
    expect.objectContaining({
      code: "ERR_OPENAPI_BAD_OPTION",
      message: expect.stringContaining(
        'exposeOpenApi(): unknown option "title". Known: "ui", "info"',
      ),
    }),
  );
});

test.each<[unknown, string]>([
  [{}, "{} without push"],
  [undefined, "undefined without push"],
  [Handler, "the class Handler without push"],
  [{ push() {}, ack() {}, retry() {}, dead() {} }, "{ push, ack, retry, dead } without pull"],
])("useQueue() rejects what is not an adapter: %j", (adapter, got) => {
  expect(() => createApp().app.useQueue(untyped(adapter))).toThrow(
    expect.objectContaining({
      code: "ERR_QUEUE_BAD_OPTION",
      message: expect.stringContaining(`got ${got}.`),
    }),
  );
});

test.each<[unknown, string]>([
  [5, "a number"],
  [undefined, "undefined"],
  [Handler, "a class"],
])("onError() rejects what is not a function: %s", (handler, got) => {
  expect(() => createApp().app.onError(untyped(handler))).toThrow(
    expect.objectContaining({
      code: "ERR_APPLICATION_BAD_OPTION",
      message: `The handler of onError() must be a function (error, ctx), got ${got}.`,
    }),
  );
});

test.each<[unknown, string]>([
  [class Books {}, "a class"],
  [{ register() {} }, "an object"],
  ["Books", "a string"],
  [undefined, "undefined"],
])("registerProviders() rejects what is not a list: %s", (providers, got) => {
  expect(() => createApp().app.registerProviders(untyped(providers))).toThrow(
    expect.objectContaining({
      code: "ERR_PLUGIN_BAD_SHAPE",
      message:
        `registerProviders() must get a list of providers, got ${got}. ` +
        "For one, call registerProvider().",
    }),
  );
});

describe("messages about a class without a name name its route", () => {
  const anonymous = (inject: unknown): never =>
    untyped(
      [
        class extends Controller {
          static inject = untyped(inject);
          handle(): Response {
            return text("never");
          }
        },
      ][0],
    );

  test.each([
    [["boks"], 'GET /x needs the service "boks" for its controller, which is not registered.'],
    ["boks", "GET /x: inject of its controller must be a list of names"],
  ])("an inject of %j", async (inject, message) => {
    const { app, router } = createApp();
    router.get("/x", anonymous(inject));
    await expect(app.boot()).rejects.toThrow(message);
  });

  test("a class as middleware", async () => {
    const { app, router } = createApp();
    router.get("/x", () => text("x"), { middleware: [untyped([class {}][0])] });
    await expect(app.boot()).rejects.toThrow(
      "got the class (anonymous). Pass an instance: new Class(…).",
    );
  });
});

describe("responses that are not listed by status are rejected", () => {
  test.each<[unknown, string]>([
    [{ foo: "x" }, 'must be statuses from 100 to 599, got "foo".'],
    [{ 200: "x", 99: "x" }, 'must be statuses from 100 to 599, got "99".'],
    [{ 600: "x" }, 'must be statuses from 100 to 599, got "600".'],
    ["x", 'must be an object such as { 404: "No such book." }, got "x".'],
    [[200], 'must be an object such as { 404: "No such book." }, got [200].'],
  ])("%j", (responses, message) => {
    const rejection = expect.objectContaining({
      code: "ERR_ROUTE_BAD_OPTION",
      message: expect.stringContaining(message),
    });
    const options = untyped({ responses });
    const { router } = createApp();
    expect(() => router.get("/x", () => text("x"), options)).toThrow(rejection);
    expect(() => Controller.for(options)).toThrow(rejection);
  });
});

test.each<[unknown, string]>([
  ["http://x/", "a string"],
  [new URL("http://x/"), "an object"],
  [undefined, "undefined"],
])("fetch() responds with a 500 to what is not a Request, and logs it: %s", async (target, got) => {
  const { app, logger } = createApp();
  app.getRouter().get("/", () => text("never"));
  const response = await app.fetch(untyped(target));
  expect(response.status).toBe(500);
  expect(logger.lines).toMatchObject([
    {
      level: "error",
      error: {
        message:
          `The argument of app.fetch() must be a Request, got ${got}. Pass new Request(url), or ` +
          "call app.request(url).",
      },
    },
  ]);
});

describe("the test client", () => {
  test.each(["post", "stream"] as const)(
    "%s() rejects data in place of options",
    async (method) => {
      const client = createTestClient(createApp().app);
      await expect(async () =>
        client[method]("/books", untyped({ title: "Emma" })),
      ).rejects.toThrow('The test client: unknown option "title".');
    },
  );

  test("shows the type of a status that is not a number", async () => {
    const response = await createTestClient(createApp().app).get("/books");
    expect(() => response.assertStatus(untyped("404"))).toThrow('the status is 404, not "404"');
  });
});
