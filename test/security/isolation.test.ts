import {
  Application,
  Controller,
  createAuthMiddleware,
  type Logger,
  RateLimitMiddleware,
  text,
} from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { expectNoUnhandledRejections } from "../support/unhandled-rejections.ts";
import { createHostileTarget } from "./application.ts";
import { describeTargets, type HostileCall } from "./targets.ts";

const secret = "pw=hunter2 at /srv/app.ts";

expectNoUnhandledRejections();

/** Creates an application with an error at one place of the request lifecycle. */
function createFailing(place: string, fail: () => unknown, logger: Logger): Application {
  const at = (here: string) => (place === here ? fail() : undefined);
  class Passes extends Controller {
    static readonly inject = ["service"];
    constructor(...services: unknown[]) {
      super();
      at("constructor");
      expect(services).toHaveLength(1);
    }
    protected override schema = { a: { custom: async () => (await at("rule")) === undefined } };
    protected override async beforeHandle(): Promise<void> {
      await at("beforeHandle");
    }
    async handle(): Promise<Response> {
      await at("handle");
      return this.text("fine");
    }
    protected override async afterHandle(response: Response): Promise<Response> {
      await at("afterHandle");
      return response;
    }
  }
  const app = new Application({ logger });
  app.singleton("service", () => at("factory"));
  app.scoped("scoped", async () => at("async factory"));
  app.use(async (ctx, next) => {
    await at("global before");
    await ctx.resolve("scoped");
    const response = await next();
    await at("global after");
    return response;
  });
  app.middleware("named", async (_ctx, next) => {
    await at("named before");
    const response = await next();
    await at("named after");
    return response;
  });
  app.middleware("hooks", {
    before: () => void at("before"),
    after: () => void at("after"),
  });
  const authenticate = async () => {
    await at("authenticator");
    return { user: { id: 1 }, claims: {} };
  };
  app.middleware("auth", createAuthMiddleware({ authenticate }));
  app.definePolicy("probe", async () => (await at("policy")) === undefined);
  const key = async () => {
    await at("limit key");
    return "one";
  };
  app.middleware("limit", new RateLimitMiddleware({ key }));
  app.on("probe", async () => at("event handler"));
  app.use(async (ctx, next) => {
    await ctx.app.emit("probe");
    return next();
  });
  app.getRouter().get("/", Passes, {
    middleware: ["named", "hooks", "auth", "can:probe", "limit"],
  });
  return app;
}

const places = [
  "constructor",
  "rule",
  "beforeHandle",
  "handle",
  "afterHandle",
  "factory",
  "async factory",
  "global before",
  "global after",
  "named before",
  "named after",
  "before",
  "after",
  "event handler",
  "authenticator",
  "policy",
  "limit key",
] as const;

describe.each(places)("an error in %s", (place) => {
  test("is hidden from the client, and logged once", async () => {
    const logger = createRecordingLogger();
    const app = createFailing(
      place,
      () => {
        throw new Error(secret);
      },
      logger,
    );
    const response = await app.request("/?a=1", { headers: { "x-request-id": "r1" } });
    const body = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([
      500,
      "application/problem+json",
    ]);
    expect(JSON.parse(body)).toEqual({
      type: "https://httpwg.org/specs/rfc9110.html#status.500",
      title: "Internal Server Error",
      status: 500,
      detail: "An unexpected error occurred.",
      instance: "http://localhost/?a=1",
      traceId: "r1",
    });
    for (const leak of ["hunter2", "/srv", " at "]) expect(body).not.toContain(leak);
    const told = logger.lines.filter(({ message }) => message === "Unexpected error");
    expect(told).toMatchObject([{ id: "r1", error: { message: secret } }]);
  });

  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error("get trap");
      },
      getPrototypeOf: () => {
        throw new Error("prototype trap");
      },
    },
  );
  const things: [string, unknown][] = [
    ["a string", "text"],
    ["null", null],
    ["undefined", undefined],
    ["a number", 7],
    ["a symbol", Symbol("s")],
    ["a frozen object", Object.freeze({})],
    ["an object whose toString throws", { toString: () => Number(Symbol()) }],
    ["a Proxy that throws on every get", hostile],
  ];
  test("any value may be thrown there, also by a promise", async () => {
    for (const [name, thrown] of things) {
      const isOnlyThrown = ["constructor", "factory", "before", "after"].includes(place);
      const failures = [
        () => {
          throw thrown;
        },
        ...(isOnlyThrown ? [] : [() => Promise.reject(thrown)]),
      ];
      for (const fail of failures) {
        const response = await createFailing(place, fail, createRecordingLogger()).request("/?a=1");
        expect([name, response.status, await response.json()]).toEqual([
          name,
          500,
          expect.objectContaining({ detail: "An unexpected error occurred." }),
        ]);
      }
    }
  });
});

describe("failures during error handling", () => {
  const broken = (): never => {
    throw new Error("the logger has no disk");
  };

  test("a logger that throws, everywhere", async () => {
    const logger = { debug: broken, info: broken, warn: broken, error: broken };
    for (const place of places) {
      const app = createFailing(
        place,
        () => {
          throw new Error(secret);
        },
        logger,
      );
      const response = await app.request("/?a=1");
      expect([place, response.status]).toEqual([place, 500]);
      expect(await response.json()).toMatchObject({ title: "Internal Server Error" });
    }
  });

  test("an error whose message, stack and cause cannot be read", async () => {
    const error = new Error("x");
    for (const key of ["message", "stack", "cause", "name"]) {
      Object.defineProperty(error, key, { get: broken });
    }
    for (const debug of [false, true]) {
      const app = new Application({ logger: createRecordingLogger(), debug });
      app.getRouter().get("/", () => {
        throw error;
      });
      const response = await app.request("/");
      expect([response.status, response.headers.get("content-type")]).toEqual([
        500,
        "application/problem+json",
      ]);
    }
  });

  test("details that are not JSON, with debug on", async () => {
    const app = new Application({ logger: createRecordingLogger(), debug: true });
    app.getRouter().get("/cycle", () => {
      const error = new Error("x");
      error.cause = error;
      throw error;
    });
    app.getRouter().get("/bigint", () => {
      throw new Error("x", { cause: { value: 1n } });
    });
    app.getRouter().get("/code", () => {
      throw Object.assign(new Error("x"), { code: 1n });
    });
    for (const path of ["/cycle", "/bigint", "/code"]) {
      expect([path, (await app.request(path)).status]).toEqual([path, 500]);
    }
  });

  test("an instance of any characters", async () => {
    const app = createHostileTarget();
    for (const path of ["/\ud800", "/%00?\udfff", "/\u2028", '/"\\'].map(
      (odd) => `${odd}?q=${odd}`,
    )) {
      const response = await app.request(`http://localhost${path}`);
      expect(response.status).toBe(404);
      expect(typeof ((await response.json()) as { instance: string }).instance).toBe("string");
    }
  });
});

test.each([
  ["undefined", undefined],
  ["null", null],
  ["a string", "text"],
  ["an object", {}],
  ["an object that looks like a Response", { status: 200, headers: new Headers(), body: null }],
  ["a function", () => text("x")],
])("%s is not a valid response of a handler, a hook or a middleware", async (_name, value) => {
  class AfterHandle extends Controller {
    async handle(): Promise<Response> {
      return this.text("fine");
    }
    protected override async afterHandle(): Promise<Response> {
      return value as never;
    }
  }
  const app = new Application({ logger: createRecordingLogger() });
  app.middleware("odd", async () => value as never);
  app.getRouter().get("/function", () => value as never);
  app.getRouter().get("/after", AfterHandle);
  app.getRouter().get("/middleware", () => text("never"), { middleware: ["odd"] });
  for (const path of ["/function", "/after", "/middleware"]) {
    const response = await app.request(path);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      500,
      "application/problem+json",
    ]);
  }
});

test("a Response that was already sent is rejected", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  const shared = text("once");
  app.getRouter().get("/", () => shared);
  const first = await app.request("/");
  expect([first.status, await first.text()]).toEqual([200, "once"]);
  expect((await app.request("/")).status).toBe(500);
});

describeTargets("requests at the same time", (send) => {
  /** Expected response of the request with this number. */
  const callOf = (id: number): HostileCall => ({
    path: `/wait/${id}`,
    headers: { "x-request-id": `r${id}`, "x-test-user": `u${id}` },
  });
  const expected = (id: number) => [String(id), `r${id}`, `u${id}`, String(id), String(id)];

  test("500 of them to one controller class are isolated", async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, (_, id) => send(callOf(id))));
    for (const [id, answer] of answers.entries()) {
      expect(JSON.parse(answer.body)).toEqual(expected(id));
    }
  });

  test("an unexpected error is hidden from the client", async () => {
    const answer = await send({ path: "/throws", headers: { "x-request-id": "r1" } });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      500,
      { detail: "An unexpected error occurred.", traceId: "r1" },
    ]);
    for (const leak of ["hunter2", "/srv"]) expect(answer.body).not.toContain(leak);
  });
});

test("100,000 interleaved requests to one controller class are isolated", async () => {
  const app = createHostileTarget();
  let mixUps = 0;
  for (let start = 0; start < 100_000; start += 1000) {
    const ids = Array.from({ length: 1000 }, (_, index) => String(start + index));
    const bodies = await Promise.all(
      ids.map(async (id) => {
        const headers = { "x-request-id": `r${id}`, "x-test-user": `u${id}` };
        return (await app.request(`/wait/${id}`, { headers })).text();
      }),
    );
    for (const [index, body] of bodies.entries()) {
      const id = ids[index] ?? "";
      if (body !== JSON.stringify([id, `r${id}`, `u${id}`, id, id])) mixUps += 1;
    }
  }
  expect(mixUps).toBe(0);
}, 60_000);

test("no response is cached for another client's Authorization", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  app
    .getRouter()
    .get("/mine", (ctx) => text(ctx.request.headers.get("authorization") ?? "anonymous"));
  for (const who of ["Bearer a", "Bearer b", "Bearer a"]) {
    const response = await app.request("/mine", { headers: { authorization: who } });
    expect(await response.text()).toBe(who);
  }
  expect(await (await app.request("/mine")).text()).toBe("anonymous");
});
