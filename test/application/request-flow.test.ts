import { Application, Controller, json, type MiddlewareFunction, redirect, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** A middleware that records entering and leaving in `trace`. */
function tracing(trace: string[], name: string): MiddlewareFunction {
  return async (_ctx, next) => {
    trace.push(name);
    const response = await next();
    trace.push(`/${name}`);
    return response;
  };
}

function createApp(): Application {
  return new Application({ logger: createRecordingLogger() });
}

describe("middleware order", () => {
  test("global, group outer first, route in listed order, and back", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.use(tracing(trace, "G"));
    for (const name of ["O", "I", "R1", "R2"]) app.middleware(name, tracing(trace, name));
    app.getRouter().group("/outer", { middleware: ["O"] }, (outer) => {
      outer.group("/inner", { middleware: ["I"] }, (inner) => {
        inner.get("/", () => text(String(trace.push("handler"))), { middleware: ["R1", "R2"] });
      });
    });
    const response = await app.request("/outer/inner");
    expect(response.status).toBe(200);
    expect(trace.join(" ")).toBe("G O I R1 R2 handler /R2 /R1 /I /O /G");
  });

  test("after a short-circuit only outer middleware runs", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.use(tracing(trace, "G"));
    app.middleware("O", tracing(trace, "O"));
    app.middleware("stop", () => text("stopped", 403));
    app.middleware("R", tracing(trace, "R"));
    app.getRouter().group("/a", { middleware: ["O", "stop"] }, (group) => {
      group.get("/", () => text("never"), { middleware: ["R"] });
    });
    const response = await app.request("/a");
    expect([response.status, await response.text()]).toEqual([403, "stopped"]);
    expect(trace.join(" ")).toBe("G O /O /G");
  });

  test("global middleware applies to routes registered before and after it, and to 404", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.use(tracing(trace, "G"));
    app.getRouter().get("/a", () => text("a"));
    app.use(tracing(trace, "H"));
    await app.request("/a");
    await app.request("/nowhere");
    expect(trace.join(" ")).toBe("G H /H /G G H /H /G");
  });

  test("group middleware runs once on the group's prefix and below it", async () => {
    const seen: string[] = [];
    const app = createApp();
    app.middleware("M", (ctx, next) => {
      seen.push(`${ctx.params["id"]} ${ctx.route?.pattern}`);
      return next();
    });
    app.getRouter().group("/users/:id", { middleware: ["M"] }, (group) => {
      group.get("/", () => text("root"));
      group.get("/inbox", () => text("inbox"));
    });
    await app.request("/users/7");
    await app.request("/users/8/inbox");
    expect(seen).toEqual(["7 /users/:id", "8 /users/:id/inbox"]);
  });

  test("the middleware of a group does not leak into another with the same prefix", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.middleware("A", tracing(trace, "A"));
    app.middleware("B", tracing(trace, "B"));
    app.getRouter().group("/", { middleware: ["A"] }, (group) => group.get("/a", () => text("a")));
    app.getRouter().group("/", { middleware: ["B"] }, (group) => group.get("/b", () => text("b")));
    await app.request("/b");
    expect(trace.join(" ")).toBe("B /B");
  });
});

describe("forms of middleware", () => {
  test("a function receives the arguments after the colon", async () => {
    const app = createApp();
    app.middleware("role", (_ctx, _next, ...roles) => json(roles));
    app.getRouter().get("/", () => text("never"), { middleware: ["role:admin,editor"] });
    expect(await (await app.request("/")).json()).toEqual(["admin", "editor"]);
  });

  test("an object with handle keeps its `this`", async () => {
    class Greeting {
      readonly #word: string;
      constructor(word: string) {
        this.#word = word;
      }
      handle(): Response {
        return text(this.#word);
      }
    }
    const app = createApp().use(new Greeting("hello"));
    expect(await (await app.request("/")).text()).toBe("hello");
  });

  test("before may respond, after may replace the response", async () => {
    const app = createApp();
    app.use({
      before: (ctx) => (ctx.query["early"] === "yes" ? text("early") : undefined),
      after: (_ctx, response) => text(`after ${response.status}`, 202),
    });
    app.getRouter().get("/", () => text("handler"));
    expect(await (await app.request("/?early=yes")).text()).toBe("early");
    const late = await app.request("/");
    expect([late.status, await late.text()]).toEqual([202, "after 200"]);
  });

  test("a class instead of an instance is rejected where it is registered", () => {
    class Cors {
      handle(): Response {
        return text("");
      }
    }
    // @ts-expect-error a class is not a middleware
    expect(() => createApp().use(Cors)).toThrow("use() got the class Cors. Pass an instance");
  });

  test("other values are rejected with the expected forms", () => {
    // @ts-expect-error a string is not a middleware
    expect(() => createApp().middleware("x", "y")).toThrow(
      'middleware("x") got a string. A middleware must be a function (ctx, next)',
    );
  });
});

describe("next", () => {
  test("resolves to the rendered response of an error, and ctx.error holds it", async () => {
    const app = createApp();
    const failure = new Error("broken");
    let seen: unknown;
    app.use(async (ctx, next) => {
      const response = await next(ctx);
      seen = ctx.error;
      response.headers.set("x-seen", String(response.status));
      return response;
    });
    app.getRouter().get("/", () => {
      throw failure;
    });
    const response = await app.request("/");
    expect([response.status, response.headers.get("x-seen"), seen]).toEqual([500, "500", failure]);
  });

  test("a second call throws an error that names the middleware", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.middleware("twice", async (_ctx, next) => {
      await next();
      return next();
    });
    let runs = 0;
    app.getRouter().get("/", () => text(String(++runs)), { middleware: ["twice"] });
    expect((await app.request("/")).status).toBe(500);
    expect(runs).toBe(1);
    expect(JSON.stringify(logger.lines)).toContain("ERR_PIPELINE_NEXT_TWICE");
    expect(JSON.stringify(logger.lines)).toContain('\\"twice\\" called next() twice');
  });

  test("ctx.response is available after the handler", async () => {
    const app = createApp();
    const seen: (number | undefined)[] = [];
    app.use(async (ctx, next) => {
      seen.push(ctx.response?.status);
      const response = await next();
      seen.push(ctx.response?.status);
      return response;
    });
    app.getRouter().get("/", () => text("", 201));
    await app.request("/");
    expect(seen).toEqual([undefined, 201]);
  });
});

describe("any response may be decorated", () => {
  const stamp: MiddlewareFunction = async (_ctx, next) => {
    const response = await next();
    response.headers.set("x-stamp", "1");
    return response;
  };

  test("a redirect keeps its relative location", async () => {
    const app = createApp().use(stamp);
    app.getRouter().get("/", () => redirect("/x"));
    const response = await app.request("/");
    expect([
      response.status,
      response.headers.get("location"),
      response.headers.get("x-stamp"),
    ]).toEqual([302, "/x", "1"]);
  });

  test("Response.redirect is immutable, but can be decorated", async () => {
    const app = createApp().use(stamp);
    app.getRouter().get("/", () => Response.redirect("http://localhost/y", 301));
    const response = await app.request("/");
    expect([response.status, response.headers.get("x-stamp")]).toEqual([301, "1"]);
  });

  test("every Set-Cookie stays, in order and unfolded", async () => {
    class TwoCookies extends Controller {
      async handle(): Promise<Response> {
        const response = this.text("x");
        response.headers.append("set-cookie", "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT");
        response.headers.append("set-cookie", "b=2");
        return response;
      }
      protected override async afterHandle(response: Response): Promise<Response> {
        response.headers.append("set-cookie", "c=3");
        return response;
      }
    }
    const app = createApp();
    app.use(async (_ctx, next) => {
      const response = await next();
      response.headers.append("set-cookie", "d=4");
      return response;
    });
    app.getRouter().get("/", TwoCookies);
    expect((await app.request("/")).headers.getSetCookie()).toEqual([
      "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT",
      "b=2",
      "c=3",
      "d=4",
    ]);
  });

  test("a header appended after construction is kept", async () => {
    const app = createApp().use(stamp);
    app.getRouter().get("/", () => {
      const response = new Response("x");
      response.headers.append("x-late", "1");
      return response;
    });
    const response = await app.request("/");
    expect([response.headers.get("x-late"), await response.text()]).toEqual(["1", "x"]);
  });
});

describe("methods", () => {
  test("HEAD runs GET's route with its middleware and drops the body", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.middleware("M", tracing(trace, "M"));
    app.getRouter().get("/a", () => json({ a: 1 }), { middleware: ["M"] });
    const [get, head] = [await app.request("/a"), await app.request("/a", { method: "HEAD" })];
    expect(head.status).toBe(get.status);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(await head.text()).toBe("");
    expect(trace.join(" ")).toBe("M /M M /M");
    const missing = await app.request("/nope", { method: "HEAD" });
    expect([missing.status, await missing.text()]).toEqual([404, ""]);
  });

  test("a path with other methods is 405 with Allow", async () => {
    const app = createApp();
    app.getRouter().get("/a", () => text("get"));
    app.getRouter().put("/a", () => text("put"));
    const response = await app.request("/a", { method: "DELETE" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")?.split(", ").sort()).toEqual([
      "GET",
      "HEAD",
      "OPTIONS",
      "PUT",
    ]);
    expect(await response.json()).toMatchObject({
      title: "Method Not Allowed",
      detail: "DELETE is not allowed for /a.",
    });
  });

  test("methodNotAllowed: false makes it 404", async () => {
    const app = new Application({ methodNotAllowed: false, logger: createRecordingLogger() });
    app.getRouter().get("/a", () => text("get"));
    expect((await app.request("/a", { method: "DELETE" })).status).toBe(404);
    expect((await app.request("/a", { method: "OPTIONS" })).status).toBe(204);
  });

  test("OPTIONS on a path with routes is 204 with Allow and runs no handler", async () => {
    const app = createApp();
    app.getRouter().post("/a", () => text("never"));
    const response = await app.request("/a", { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
    expect((await app.request("/b", { method: "OPTIONS" })).status).toBe(404);
  });

  test("a custom OPTIONS route is used", async () => {
    const app = createApp();
    app.getRouter().options("/a", () => text("mine"));
    expect(await (await app.request("/a", { method: "OPTIONS" })).text()).toBe("mine");
  });

  test("an unknown method is 405 on a known path, 404 elsewhere", async () => {
    const app = createApp();
    app.getRouter().get("/a", () => text("get"));
    expect((await app.request("/a", { method: "FOO" })).status).toBe(405);
    expect((await app.request("/b", { method: "FOO" })).status).toBe(404);
  });
});

describe("trailing slash", () => {
  test("is ignored by default, for routes and groups alike", async () => {
    const app = createApp();
    app.getRouter().group("/users", (group) => group.get("/", () => text("users")));
    for (const path of ["/users", "/users/", "/users/?x=/"]) {
      expect((await app.request(path)).status).toBe(200);
    }
    expect((await app.request("/users//")).status).toBe(404);
  });

  test("is a different path with strict", async () => {
    const app = new Application({ trailingSlash: "strict", logger: createRecordingLogger() });
    app.getRouter().get("/users", () => text("users"));
    expect((await app.request("/users")).status).toBe(200);
    expect((await app.request("/users/")).status).toBe(404);
  });
});

describe("registration after boot", () => {
  test("routes and middleware apply from the next request", async () => {
    const app = createApp();
    app.getRouter().get("/a", () => text("a"));
    expect((await app.request("/a")).status).toBe(200);
    app.getRouter().get("/b", () => text("b"));
    app.use(async (_ctx, next) => {
      const response = await next();
      response.headers.set("x-late", "1");
      return response;
    });
    const response = await app.request("/b");
    expect([response.status, response.headers.get("x-late")]).toEqual([200, "1"]);
  });

  test("a name registered again together with a new route uses the new middleware", async () => {
    const app = createApp();
    app.middleware("gate", () => text("closed", 403));
    app.getRouter().get("/a", () => text("a"), { middleware: ["gate"] });
    expect((await app.request("/a")).status).toBe(403);
    app.getRouter().get("/b", () => text("b"));
    app.middleware("gate", (_ctx, next) => next());
    expect((await app.request("/a")).status).toBe(200);
  });
});
