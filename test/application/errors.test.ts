import { Application, Controller, HttpError, json, text } from "espalier";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

const secret = "pw=hunter2 at /srv/app.ts";

function createApp() {
  const logger = createRecordingLogger();
  return { app: new Application({ logger }), logger };
}

describe("Problem Details", () => {
  test("404: a request matching no route", async () => {
    const { app } = createApp();
    const response = await app.request("/x?y=1", { headers: { "x-request-id": "r1" } });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toEqual({
      type: "https://httpwg.org/specs/rfc9110.html#status.404",
      title: "Not Found",
      status: 404,
      detail: "No route matches GET /x.",
      instance: "http://localhost/x?y=1",
      traceId: "r1",
    });
  });

  test("middleware can read the error of an unmatched request, the same each time", async () => {
    const { app } = createApp();
    const seen: unknown[] = [];
    app.use({
      after: (ctx) => {
        const { error } = ctx;
        seen.push(error, ctx.error === error);
      },
    });
    app.getRouter().post("/books", () => text(""));
    await app.request("/x");
    await app.request("/books");
    expect(seen).toEqual([expect.any(HttpError), true, expect.any(HttpError), true]);
    expect(seen[0]).toMatchObject({ status: 404, detail: "No route matches GET /x." });
    expect(seen[2]).toMatchObject({ status: 405 });
    expect((seen[2] as HttpError).headers?.get("allow")).toBe("POST, OPTIONS");
  });

  test("an HttpError becomes its Problem Details", async () => {
    const { app, logger } = createApp();
    app.getRouter().get("/", () => {
      throw new HttpError(409, "The book is on loan.", { headers: { "retry-after": "60" } });
    });
    const response = await app.request("/");
    expect([response.status, response.headers.get("retry-after")]).toEqual([409, "60"]);
    expect(await response.json()).toMatchObject({
      title: "Conflict",
      detail: "The book is on loan.",
    });
    expect(logger.lines).toEqual([]);
  });

  test("a thrown Response is sent", async () => {
    const { app } = createApp();
    app.getRouter().get("/", () => {
      throw text("mine", 418);
    });
    const response = await app.request("/");
    expect([response.status, await response.text()]).toEqual([418, "mine"]);
  });

  test("a malformed escape in a parameter is 400, elsewhere 404", async () => {
    const { app } = createApp();
    app.getRouter().get("/t/:id", (ctx) => json(ctx.params.id));
    for (const value of ["%", "%zz", "%E0%A4%A", "%F0%27%22%3C", "%ED%A0%80"]) {
      expect((await app.request(`/t/${value}`)).status).toBe(400);
    }
    expect((await app.request("/u/%zz")).status).toBe(404);
    expect(await (await app.request("/t/%25")).json()).toBe("%");
    expect(await (await app.request("/t/%2525")).json()).toBe("%25");
    expect((await app.request("/t/%00")).status).toBe(200);
  });

  test("a path over 16 KiB is 414", async () => {
    const { app } = createApp();
    app.getRouter().get("/*", () => text("any"));
    expect((await app.request(`/${"a".repeat(16_384)}`)).status).toBe(414);
  });
});

describe("an unexpected error is hidden from the client", () => {
  class ThrowsIn extends Controller {
    static place = "";
    protected override async beforeHandle(): Promise<void> {
      if (ThrowsIn.place === "beforeHandle") throw new Error(secret);
    }
    async handle(): Promise<Response> {
      if (ThrowsIn.place === "handle") throw new Error(secret);
      return this.text("fine");
    }
    protected override async afterHandle(response: Response): Promise<Response> {
      if (ThrowsIn.place === "afterHandle") throw new Error(secret);
      return response;
    }
  }

  test.each([
    "beforeHandle",
    "handle",
    "afterHandle",
    "named",
    "global before",
    "global after",
    "constructor",
    "function",
  ])("thrown in %s", async (place) => {
    const { app, logger } = createApp();
    ThrowsIn.place = place;
    app.use(async (_ctx, next) => {
      if (place === "global before") throw new Error(secret);
      const response = await next();
      if (place === "global after") throw new Error(secret);
      return response;
    });
    app.middleware("named", (_ctx, next) => {
      if (place === "named") throw new Error(secret);
      return next();
    });
    class ThrowsAtOnce extends Controller {
      constructor() {
        super();
        if (place === "constructor") throw new Error(secret);
      }
      handle(): Response {
        return this.text("fine");
      }
    }
    const router = app.getRouter();
    router.get("/", ThrowsIn, { middleware: ["named"] });
    router.get("/constructor", ThrowsAtOnce);
    router.get("/function", () => {
      throw new Error(secret);
    });
    const path = place === "constructor" || place === "function" ? `/${place}` : "/";
    const response = await app.request(path, { headers: { "x-request-id": "abc" } });
    const body = await response.text();
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(JSON.parse(body)).toEqual({
      type: "https://httpwg.org/specs/rfc9110.html#status.500",
      title: "Internal Server Error",
      status: 500,
      detail: "An unexpected error occurred.",
      instance: `http://localhost${path}`,
      traceId: "abc",
    });
    expect(JSON.stringify(logger.lines)).toContain("hunter2");
    expect(logger.lines).toHaveLength(1);
  });

  test("debug shows message, stack and cause", async () => {
    const app = new Application({ debug: true, logger: createRecordingLogger() });
    app.getRouter().get("/", () => {
      throw new Error("outer", { cause: new Error("inner") });
    });
    const body = (await (await app.request("/")).json()) as Record<string, unknown>;
    expect(body["detail"]).toBe("outer");
    expect(JSON.stringify(body["cause"])).toContain("inner");
    expect(String(body["stack"])).toContain("errors.test");
  });
});

describe("any value can be thrown", () => {
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
  test.each([
    ["a string", "text"],
    ["null", null],
    ["undefined", undefined],
    ["a number", 7],
    ["a symbol", Symbol("s")],
    ["a frozen object", Object.freeze({})],
    ["an object without prototype", Object.create(null)],
    ["a Proxy that throws on every get", hostile],
  ])("%s is a 500", async (_name, thrown) => {
    const { app } = createApp();
    app.getRouter().get("/sync", () => {
      throw thrown;
    });
    app.getRouter().get("/async", async () => {
      throw thrown;
    });
    for (const path of ["/sync", "/async"]) {
      const response = await app.request(path);
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ detail: "An unexpected error occurred." });
    }
  });
});

describe("a handler that does not return a Response", () => {
  test.each([
    ["undefined", undefined],
    ["null", null],
    ["a string", "text"],
    ["an object", { a: 1 }],
  ])("%s is a 500 with a log line", async (kind, value) => {
    const { app, logger } = createApp();
    // @ts-expect-error the compiler rejects it as well
    app.getRouter().get("/books/:id", () => value);
    expect((await app.request("/books/1")).status).toBe(500);
    expect(JSON.stringify(logger.lines)).toContain(
      `The handler of GET /books/:id returned ${kind} instead of a Response to send.`,
    );
  });

  test("a Response whose body has been read cannot be sent", async () => {
    const { app, logger } = createApp();
    app.getRouter().get("/", async () => {
      const response = text("x");
      await response.text();
      return response;
    });
    expect((await app.request("/")).status).toBe(500);
    expect(JSON.stringify(logger.lines)).toContain("a Response whose body has been read");
  });

  test("a controller is named with its hook", async () => {
    const { app, logger } = createApp();
    class Forgetful extends Controller {
      // @ts-expect-error returns nothing
      async handle(): Promise<Response> {}
    }
    app.getRouter().get("/", Forgetful);
    expect((await app.request("/")).status).toBe(500);
    expect(JSON.stringify(logger.lines)).toContain("Forgetful.handle() returned undefined");
  });
});

describe("onError", () => {
  test("receives everything that becomes Problem Details, and may respond", async () => {
    const { app } = createApp();
    const seen: number[] = [];
    app.onError((error) => {
      const status = error instanceof HttpError ? error.status : 500;
      seen.push(status);
      return status === 404 ? json({ mine: true }, 404) : undefined;
    });
    app.getRouter().post("/a", () => text("a"), { validation: { name: { required: true } } });
    app.getRouter().get("/broken", () => {
      throw new Error("broken");
    });
    expect(await (await app.request("/nowhere")).json()).toEqual({ mine: true });
    expect((await app.request("/a")).status).toBe(405);
    expect((await app.request("/a", { method: "POST" })).status).toBe(422);
    expect((await app.request("/broken")).status).toBe(500);
    expect(seen).toEqual([404, 405, 422, 500]);
  });

  test("the default is used if it throws", async () => {
    const { app, logger } = createApp();
    app.onError(() => {
      throw new Error("in the handler of errors");
    });
    app.getRouter().get("/", () => {
      throw new HttpError(409, "taken");
    });
    const response = await app.request("/");
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
      409,
      "taken",
    ]);
    expect(JSON.stringify(logger.lines)).toContain("in the handler of errors");
  });

  test("a throwing logger changes nothing", async () => {
    const fail = (): never => {
      throw new Error("no disk");
    };
    const app = new Application({ logger: { debug: fail, info: fail, warn: fail, error: fail } });
    app.getRouter().get("/", () => {
      throw new Error("broken");
    });
    expect((await app.request("/")).status).toBe(500);
  });
});

describe("an onError that takes long", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function createFailingApp(settleAfterMs: number, status: number) {
    const { app, logger } = createApp();
    const failed: unknown[] = [];
    app.on("request.failed", ({ error }) => void failed.push((error as Error).message));
    app.onError(async () => {
      await new Promise((resolve) => setTimeout(resolve, settleAfterMs));
      return text("own", status);
    });
    app.getRouter().get("/", () => {
      throw new Error(secret);
    });
    const messages = (): unknown[] => logger.lines.map(({ message }) => message);
    return { app, failed, messages };
  }

  test("is not waited for: the error is reported after three seconds, once", async () => {
    const { app, failed, messages } = createFailingApp(60_000, 500);
    const response = app.request("/");
    await vi.advanceTimersByTimeAsync(2_999);
    expect([messages(), failed]).toEqual([[], []]);
    await vi.advanceTimersByTimeAsync(1);
    expect([messages(), failed]).toEqual([["Unexpected error"], [secret]]);
    await vi.advanceTimersByTimeAsync(57_000);
    expect((await response).status).toBe(500);
    expect([messages(), failed]).toEqual([["Unexpected error"], [secret]]);
  });

  test("leaves no timer, and does not report an error that becomes a 404 in time", async () => {
    const { app, failed, messages } = createFailingApp(2_999, 404);
    const response = app.request("/");
    await vi.advanceTimersByTimeAsync(2_999);
    expect((await response).status).toBe(404);
    expect(vi.getTimerCount()).toBe(0);
    expect([messages(), failed]).toEqual([[], []]);
  });

  test("works where timers are refused, as Workers do outside a request", async () => {
    const { app, logger } = createApp();
    app.onError(async () => text("own", 418));
    app.getRouter().get("/", () => {
      throw new Error(secret);
    });
    const timers = vi.spyOn(globalThis, "setTimeout").mockImplementation(() => {
      throw new Error("Disallowed operation called within global scope.");
    });
    try {
      expect((await app.request("/")).status).toBe(418);
    } finally {
      timers.mockRestore();
    }
    expect(logger.lines).toEqual([]);
  });
});
