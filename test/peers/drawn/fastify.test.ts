/*
 * Tests of Fastify, drawn at random and restated: titles.json has the judgement on each.
 */
import { type Application, HttpError, json, noContent, stream, text } from "espalier";
import { expect } from "vitest";
import { createRecordingLogger } from "../../support/recording-logger.ts";
import { createApp, send, sendJson } from "../support/app.ts";
import { testDrawn } from "./support.ts";

/** Serves an application on a free port for the time of a test. */
async function served(app: Application, run: (url: string) => Promise<void>): Promise<void> {
  const { url } = await app.listen(0, "localhost");
  try {
    await run(url);
  } finally {
    await app.stop();
  }
}

async function nested(): Promise<void> {
  const app = createApp((router, application) => {
    application.registerPlugin(async () => {
      await Promise.resolve();
      router.group("/parent", (parent) => {
        parent.group("/child1", (child) => child.get("/", () => text("I am child 1")));
        parent.group("/child2", (child) => child.get("/", () => text("I am child 2")));
      });
    });
  });
  expect(await (await app.request("/parent/child1")).text()).toBe("I am child 1");
  expect(await (await app.request("/parent/child2")).text()).toBe("I am child 2");
}

async function badQuery(method: "GET" | "DELETE"): Promise<void> {
  const app = createApp((router) => {
    const validation = { query: { hello: { type: "integer" } } } as const;
    router.match(["GET", "DELETE"], "/query", () => text(""), { validation });
  });
  const response = await app.request("/query?hello=world", { method });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    errors: [{ field: "hello", message: "hello must be an integer" }],
  });
}

testDrawn("Fastify", {
  "request with body - mkcalendar": async () => {
    const app = createApp((router) => {
      router.match(["MKCALENDAR"], "/test", async (ctx) => text(await ctx.request.text(), 207));
    });
    const body = '<?xml version="1.0"?><C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav"/>';
    const response = await app.request("/test", send("text/plain", body, "MKCALENDAR"));
    expect([response.status, await response.text()]).toEqual([207, body]);
  },

  "The request id header key can be customized": async () => {
    const app = createApp((router) => router.get("/", (ctx) => text(ctx.id)));
    const ask = async (name: string) =>
      (await app.request("/", { headers: { [name]: "42" } })).text();
    expect(await ask("x-request-id")).toBe("42");
    expect(await ask("my-custom-request-id")).not.toBe("42");
  },

  "move test": async () => {
    const app = createApp((router) => {
      router.match(["MOVE"], "/*file", (ctx) => {
        const response = text("", 201);
        response.headers.set("location", ctx.headers.get("destination") ?? "");
        return response;
      });
    });
    const headers = { destination: "/new.txt", overwrite: "T" };
    const response = await app.request("/old.txt", { method: "MOVE", headers });
    expect([response.status, response.headers.get("location")]).toEqual([201, "/new.txt"]);
  },

  "invalid url attribute - non string URL": () => {
    const pattern = /^\/(donations|skills|blogs)/ as unknown as string;
    expect(() => createApp((router) => router.get(pattern, () => text("")))).toThrow("a string");
  },

  "unsupported route 3": async () => {
    const app = createApp((router, application) => {
      application.onError((_error, ctx) =>
        ctx.url.pathname.startsWith("/test3/") ? text("this was not found 4", 404) : undefined,
      );
      router.get("/test3", () => text(""));
    });
    const response = await app.request("/test3/notSupported");
    expect([response.status, await response.text()]).toEqual([404, "this was not found 4"]);
  },

  "trust proxy does not trust x-forwarded-host/proto when socket is null": async () => {
    const headers = { "x-forwarded-host": "spoofed.test", "x-forwarded-proto": "https" };
    const app = createApp((router) => router.get("/", (ctx) => text(ctx.url.origin)), {
      trustProxy: ["10.0.0.0/8"],
    });
    expect(await (await app.request("http://real.test/", { headers })).text()).toBe(
      "http://real.test",
    );
  },

  "content-type fail when parameters not match - regexp": async () => {
    const app = createApp((router) => router.post("/", (ctx) => json(ctx.body ?? null)));
    const types = ["application/json; charset=utf8", "application/json; charset=utf8; foo=bar"];
    for (const type of types) {
      expect((await app.request("/", send(type, ""))).status).toBe(200);
      expect(await (await app.request("/", send(type, '{"a":1}'))).json()).toEqual({ a: 1 });
    }
  },

  "should respond with a stream": async () => {
    const app = createApp((router) => {
      router.get("/", () => stream(new Blob(["streamed"]).stream()));
      router.get("/untyped", () => new Response(new Blob(["streamed"]).stream()));
    });
    const response = await app.request("/");
    expect([response.status, await response.text()]).toEqual([200, "streamed"]);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect((await app.request("/untyped")).headers.get("content-type")).toBeNull();
  },

  "inject async await": async () => {
    const app = createApp((router) => router.get("/", () => json({ hello: "world" })));
    expect(await (await app.request("/")).json()).toEqual({ hello: "world" });
  },

  "throws when route with empty url in shorthand declaration": () => {
    expect(() => createApp((router) => router.get("" as "/", () => text("")))).toThrow(
      'must begin with "/"',
    );
  },

  "onRequest, preHandler, and onResponse hooks that resolve to a value do not cause an error":
    async () => {
      for (const value of [1, true, "a", {}, false]) {
        const before = (async () => value) as unknown as () => undefined;
        const app = createApp((router, application) => {
          application.use({ before });
          router.get("/", () => text("hello"));
        });
        expect([value, (await app.request("/")).status]).toEqual([value, 500]);
      }
      const app = createApp((router, application) => {
        application.use({ before: async () => null, after: async () => undefined });
        router.get("/", () => text("hello"));
      });
      expect(await (await app.request("/")).text()).toBe("hello");
    },

  "Custom genReqId function gets raw request as argument": async () => {
    const app = createApp((router) => router.get("/", (ctx) => text(ctx.id)));
    const response = await app.request("/", { headers: { "x-request-id": "REQ-1234" } });
    expect(await response.text()).toBe("REQ-1234");
  },

  "framework-unsupported method": async () => {
    const response = await createApp((router) => router.get("/", () => text(""))).request("/", {
      method: "PROPFIND",
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  },

  "shorthand - request get querystring schema error": () => badQuery("GET"),
  "shorthand - request delete querystring schema error": () => badQuery("DELETE"),

  "Add Multiple methods per route mixed uppercase and lowercase": async () => {
    const add = (methods: string[]) => createApp((r) => r.match(methods, "/", () => text("hello")));
    expect(() => add(["GET", "delete"])).toThrow('write "DELETE"');
    const app = add(["GET", "DELETE"]);
    for (const method of ["GET", "DELETE"]) {
      expect(await (await app.request("/", { method })).text()).toBe("hello");
    }
  },

  "constructor-poisoning error": async () => {
    const app = createApp((router) => {
      router.post("/", (ctx) => json([Object.keys(ctx.body as object), ctx.validated]), {
        validation: { foo: { type: "string" } },
      });
    });
    const body = '{ "constructor": { "prototype": { "foo": "bar" } } }';
    const response = await app.request("/", send("application/json", body));
    expect(await response.json()).toEqual([["constructor"], {}]);
    expect(({} as { foo?: string }).foo).toBeUndefined();
  },

  "reports the canonical route url for hidden prefix trailing slash route": async () => {
    const app = createApp(
      (router) => {
        router.group("/prefix", (group) => {
          group.get("/", (ctx) => text(ctx.route?.pattern ?? ""));
          group.get("/bar/", (ctx) => text(ctx.route?.pattern ?? ""));
        });
      },
      { trailingSlash: "strict" },
    );
    expect(await (await app.request("/prefix")).text()).toBe("/prefix");
    expect(await (await app.request("/prefix/bar/")).text()).toBe("/prefix/bar/");
    expect((await app.request("/prefix/")).status).toBe(404);
  },

  "listen on localhost binds IPv4 and IPv6 - promise interface": async () => {
    const app = createApp((router) => router.get("/", () => text("hello localhost")));
    await served(app, async (url) => {
      expect(await (await fetch(url)).text()).toBe("hello localhost");
    });
  },

  "inject promisify - when the server is up": async () => {
    const app = createApp((router) => router.get("/", () => json({ hello: "world" })));
    await served(app, async (url) => {
      expect((await app.request("/")).status).toBe(200);
      expect((await fetch(url)).status).toBe(200);
    });
  },

  "close callback": async () => {
    const stopped: unknown[] = [];
    const app = createApp((_router, application) => {
      application.registerPlugin({
        name: "closing",
        register() {},
        shutdown: (given: unknown) => {
          stopped.push(given);
        },
      });
    });
    await served(app, async () => {
      expect(stopped).toEqual([]);
    });
    expect(stopped).toEqual([app]);
    await app.stop();
    expect(stopped).toHaveLength(1);
  },

  "nested plugins": nested,
  "nested plugins awaited": nested,

  "run non-encapsulated plugin hooks on default 404": async () => {
    const seen: string[] = [];
    const app = createApp((router, application) => {
      application.use({
        before: () => {
          seen.push("before");
        },
        after: (_ctx, response) => {
          seen.push(`after ${response.status}`);
        },
      });
      router.get("/", () => text(""));
    });
    expect((await app.request("/missing", sendJson({}))).status).toBe(404);
    expect(seen).toEqual(["before", "after 404"]);
  },

  "Nullable body with 204": async () => {
    const app = createApp((router) => {
      router.post("/", (ctx) => (ctx.body === undefined ? noContent() : text("a body")), {
        validation: { hello: { type: "email" } },
      });
    });
    const response = await app.request("/", { method: "POST" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
  },

  "reply.notFound invoked the notFound handler": async () => {
    const app = createApp((router, application) => {
      application.onError((error) =>
        error instanceof HttpError && error.status === 404 ? text("kaboom", 404) : undefined,
      );
      router.get("/", () => {
        throw new HttpError(404);
      });
    });
    for (const path of ["/", "/nowhere"]) {
      const response = await app.request(path);
      expect([response.status, await response.text()]).toEqual([404, "kaboom"]);
    }
  },

  "reply.send should throw if undefined error is thrown": async () => {
    const logger = createRecordingLogger();
    const app = createApp(
      (router, application) => {
        application.use(() => Promise.reject());
        router.get("/", () => text("hello"));
      },
      { logger },
    );
    const response = await app.request("/");
    expect([response.status, ((await response.json()) as { title: string }).title]).toEqual([
      500,
      "Internal Server Error",
    ]);
    expect(logger.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  },

  "missing schema - head": async () => {
    const app = createApp((router) => router.head("/missing", () => text("a")));
    const response = await app.request("/missing", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  },

  "listen after Promise.resolve()": async () => {
    const app = createApp((router) => router.get("/", () => text("")));
    await Promise.resolve();
    const { url, port } = await app.listen(0);
    expect(url).toBe(`http://localhost:${port}/`);
    await app.stop();
  },

  "Register an hook after a plugin inside a plugin": async () => {
    const order: number[] = [];
    const note = (number: number) => ({
      before: () => {
        order.push(number);
      },
    });
    const app = createApp((router, application) => {
      application.registerPlugin({
        name: "outer",
        register(host: Application) {
          host.use(note(1));
          host.getRouter().get("/", () => text("hello"));
          host.use(note(2));
          host.use(note(3));
        },
      });
      router.get("/other", () => text(""));
    });
    expect(await (await app.request("/")).text()).toBe("hello");
    expect(order).toEqual([1, 2, 3]);
  },

  "trust proxy IP addresses": async () => {
    const app = createApp((router) => router.get("/", (ctx) => text(ctx.ip ?? "none")), {
      trustProxy: ["127.0.0.1", "::1", "2.2.2.2"],
    });
    await served(app, async (url) => {
      const ask = async (chain: string) =>
        (await fetch(url, { headers: { "x-forwarded-for": chain } })).text();
      expect(await ask("3.3.3.3, 2.2.2.2, 1.1.1.1")).toBe("1.1.1.1");
      expect(await ask("3.3.3.3, 1.1.1.1, 2.2.2.2")).toBe("1.1.1.1");
    });
  },

  "Should return 431 if request header fields are too large": async () => {
    const app = createApp((router) => router.get("/", () => text("")));
    const { url } = await app.listen({ port: 0, host: "localhost", maxHeaderBytes: 4096 });
    const response = await fetch(url, { headers: { "large-header": "a".repeat(4096) } });
    expect(response.status).toBe(431);
    await app.stop();
  },
});
