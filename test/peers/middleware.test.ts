/*
 * Behaviour that users of Hono (compose, middleware with handlers), Fastify (hooks), AdonisJS (server, router and named
 * middleware, upstream code) and Laravel (middleware groups, parameters, exceptions inside) expect of
 * middleware and its order.
 */
import { Controller, HttpError, json, type MiddlewareFunction, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support/app.ts";

/** Adds its name on the way in and on the way out. */
function tracing(stack: string[], name: string): MiddlewareFunction {
  return async (_ctx, next) => {
    stack.push(name);
    const response = await next();
    stack.push(`/${name}`);
    return response;
  };
}

function traced() {
  const stack: string[] = [];
  const app = createApp((router, application) => {
    application.use(tracing(stack, "first"));
    application.use(tracing(stack, "second"));
    for (const name of ["outer", "inner", "route"]) {
      application.middleware(name, tracing(stack, name));
    }
    application.middleware("stop", () => {
      stack.push("stop");
      return text("stopped", 401);
    });
    application.middleware("role", async (_ctx, next, ...roles) => {
      stack.push(`role ${roles.join("+")}`);
      return next();
    });
    const handler = (): Response => {
      stack.push("handler");
      return text("done");
    };
    router.get("/plain", handler);
    router.get("/role", handler, { middleware: ["role:admin,editor"] });
    router.group("/outer", { middleware: ["outer"] }, (outer) => {
      outer.group("/inner", { middleware: ["inner"] }, (inner) => {
        inner.get("/", handler, { middleware: ["route"] });
        inner.get("/stopped", handler, { middleware: ["stop", "route"] });
      });
    });
    router.get("/throws", () => {
      stack.push("throws");
      throw new Error("broken");
    });
  });
  return { app, stack };
}

describe("order", () => {
  test("global middleware runs in the order of its registration, and back out in reverse", async () => {
    const { app, stack } = traced();
    await app.request("/plain");
    expect(stack).toEqual(["first", "second", "handler", "/second", "/first"]);
  });

  test("global comes before the outer group, then the inner one, then the route's own", async () => {
    const { app, stack } = traced();
    await app.request("/outer/inner");
    expect(stack.slice(0, 6)).toEqual(["first", "second", "outer", "inner", "route", "handler"]);
    expect(stack.slice(6)).toEqual(["/route", "/inner", "/outer", "/second", "/first"]);
  });

  test("middleware of one group does not run for the routes beside it", async () => {
    const { app, stack } = traced();
    await app.request("/plain");
    expect(stack).not.toContain("outer");
  });

  test("one that does not call next short-circuits, and outer ones still finish", async () => {
    const { app, stack } = traced();
    const response = await app.request("/outer/inner/stopped");
    expect([response.status, await response.text()]).toEqual([401, "stopped"]);
    expect(stack).toEqual([
      ...["first", "second", "outer", "inner", "stop"],
      ...["/inner", "/outer", "/second", "/first"],
    ]);
  });

  test("code after next also runs if the handler threw", async () => {
    const { app, stack } = traced();
    expect((await app.request("/throws")).status).toBe(500);
    expect(stack).toEqual(["first", "second", "throws", "/second", "/first"]);
  });

  test("middleware runs for paths without a route", async () => {
    const { app, stack } = traced();
    expect((await app.request("/nowhere")).status).toBe(404);
    expect(stack).toEqual(["first", "second", "/second", "/first"]);
  });

  test("middleware registered after the routes applies to them", async () => {
    const app = createApp((router, application) => {
      router.get("/a", () => text("a"));
      application.use(async (_ctx, next) => {
        const response = await next();
        response.headers.set("x-late", "yes");
        return response;
      });
    });
    expect((await app.request("/a")).headers.get("x-late")).toBe("yes");
  });
});

describe("arguments and names", () => {
  test("text after a colon is passed as arguments", async () => {
    const { app, stack } = traced();
    await app.request("/role");
    expect(stack).toContain("role admin+editor");
  });

  test("an unknown name is reported before the first request", async () => {
    const app = createApp((router) => router.get("/a", () => text(""), { middleware: ["atuh"] }));
    await expect(app.boot()).rejects.toThrow(/atuh/);
  });

  test("a function may be attached to a route without a name", async () => {
    const app = createApp((router) => {
      router.get("/a", () => text("never"), { middleware: [() => text("from the function", 202)] });
    });
    expect((await app.request("/a")).status).toBe(202);
  });
});

describe("next", () => {
  test("returns the response, whose headers can be set", async () => {
    const app = createApp((router, application) => {
      application.use(async (ctx, next) => {
        const response = await next();
        response.headers.set("x-id", String(ctx.params["id"]));
        response.headers.append("set-cookie", "a=1");
        response.headers.append("set-cookie", "b=2");
        return response;
      });
      router.get("/entry/:id", () => text("entry"));
    });
    const { headers } = await app.request("/entry/7");
    expect([headers.get("x-id"), headers.getSetCookie()]).toEqual(["7", ["a=1", "b=2"]]);
  });

  test("the response may be replaced", async () => {
    const app = createApp((router, application) => {
      application.use(async (_ctx, next) => {
        const response = await next();
        return json({ was: await response.text() }, 203);
      });
      router.get("/a", () => text("original"));
    });
    const response = await app.request("/a");
    expect([response.status, await response.json()]).toEqual([203, { was: "original" }]);
  });

  test("calling it twice throws in that middleware", async () => {
    const app = createApp((router, application) => {
      application.use(async (_ctx, next) => {
        await next();
        return next();
      });
      router.get("/a", () => text("a"));
    });
    expect((await app.request("/a")).status).toBe(500);
  });

  test("not returning the response is an error", async () => {
    const app = createApp((router, application) => {
      application.use((async (_ctx: unknown, next: () => Promise<Response>) => {
        await next();
      }) as unknown as MiddlewareFunction);
      router.get("/a", () => text("a"));
    });
    expect((await app.request("/a")).status).toBe(500);
  });

  test("waits for asynchronous work before and after it", async () => {
    const order: string[] = [];
    const app = createApp((router, application) => {
      application.use(async (_ctx, next) => {
        await Promise.resolve();
        order.push("before");
        const response = await next();
        await Promise.resolve();
        order.push("behind");
        return response;
      });
      router.get("/a", async () => {
        await Promise.resolve();
        order.push("handler");
        return text("a");
      });
    });
    await app.request("/a");
    expect(order).toEqual(["before", "handler", "behind"]);
  });
});

describe("state", () => {
  test("values that middleware sets on the context are available to the handler", async () => {
    const app = createApp((router, application) => {
      application.use((ctx, next) => {
        ctx.state["echo"] = "hello";
        return next();
      });
      router.get("/a", (ctx) => json(ctx.state["echo"]));
    });
    expect(await (await app.request("/a")).json()).toBe("hello");
  });

  test("requests do not share state", async () => {
    const app = createApp((router) => {
      router.get("/a", (ctx) => {
        const before = ctx.state["seen"] ?? null;
        ctx.state["seen"] = true;
        return json(before);
      });
    });
    await app.request("/a");
    expect(await (await app.request("/a")).json()).toBe(null);
  });
});

describe("errors", () => {
  test("thrown in middleware, it is rendered and outer middleware sees the response", async () => {
    const statuses: number[] = [];
    const app = createApp((router, application) => {
      application.use(async (_ctx, next) => {
        const response = await next();
        statuses.push(response.status);
        return response;
      });
      application.use(() => {
        throw new HttpError(418, "short and stout");
      });
      router.get("/a", () => text("never"));
    });
    const response = await app.request("/a");
    expect([response.status, statuses]).toEqual([418, [418]]);
  });

  test("thrown after next, it is rendered as well", async () => {
    const app = createApp((router, application) => {
      application.use(async (_ctx, next) => {
        await next();
        throw new Error("too late");
      });
      router.get("/a", () => text("a"));
    });
    expect((await app.request("/a")).status).toBe(500);
  });

  test("middleware can access the inner error", async () => {
    let learned: unknown;
    const app = createApp((router, application) => {
      application.use(async (ctx, next) => {
        const response = await next();
        learned = ctx.error;
        return response;
      });
      router.get("/a", () => {
        throw new HttpError(409, "taken");
      });
    });
    await app.request("/a");
    expect(learned).toBeInstanceOf(HttpError);
  });
});

test("hooks around a controller's handler run in order, and one may respond instead", async () => {
  const order: string[] = [];
  class Hooked extends Controller {
    protected override async beforeHandle(): Promise<Response | undefined> {
      order.push("before");
      return this.context.query["stop"] === undefined ? undefined : this.text("stopped", 403);
    }
    async handle(): Promise<Response> {
      order.push("handle");
      return this.text("handled");
    }
    protected override async afterHandle(response: Response): Promise<Response> {
      order.push("after");
      return response;
    }
  }
  const app = createApp((router) => router.get("/a", Hooked));
  await app.request("/a");
  expect(order).toEqual(["before", "handle", "after"]);
  order.length = 0;
  expect((await app.request("/a?stop")).status).toBe(403);
  expect(order).toEqual(["before"]);
});
