/*
 * Behaviour that users of Hono (context, streaming, secure headers, timeout), Fastify (replies, web streams, content
 * types, request ids), AdonisJS (response) and Laravel (responses) expect of answers and of what a request
 * reports about itself.
 */
import {
  created,
  file,
  HttpError,
  html,
  json,
  noContent,
  SecureHeadersMiddleware,
  sse,
  stream,
  success,
  TimeoutMiddleware,
  text,
} from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support/app.ts";

async function answering(handler: () => Response | Promise<Response>): Promise<Response> {
  const app = createApp((router) => router.get("/", handler));
  return app.request("/");
}

describe("content types", () => {
  test.each([
    ["text", () => text("ü"), "text/plain; charset=utf-8"],
    ["JSON", () => json({ a: 1 }), "application/json"],
    ["HTML", () => html("<p>"), "text/html; charset=utf-8"],
    ["a stream", () => stream(letters()), "application/octet-stream"],
    ["events", () => sse(["a"]), "text/event-stream"],
  ])("%s says what it is", async (_name, handler, type) => {
    expect((await answering(handler)).headers.get("content-type")).toBe(type);
  });

  test("browsers must not sniff another type", async () => {
    expect((await answering(() => text("x"))).headers.get("x-content-type-options")).toBe(
      "nosniff",
    );
  });
});

async function* letters(): AsyncGenerator<string> {
  yield "a";
  yield "b";
}

describe("bodies", () => {
  test.each([
    [null, "null"],
    [0, "0"],
    ["", '""'],
    [false, "false"],
    [[], "[]"],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [{ a: undefined, b: 1 }, '{"b":1}'],
  ])("the value %j becomes JSON", async (value, body) => {
    expect(await (await answering(() => json(value))).text()).toBe(body);
  });

  test("a value that JSON cannot represent is an error, not an invalid response", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    expect((await answering(() => json(cyclic))).status).toBe(500);
    expect((await answering(() => json(1n))).status).toBe(500);
  });

  test("another status is the second argument", async () => {
    expect((await answering(() => json({}, 202))).status).toBe(202);
    expect((await answering(() => text("", 418))).status).toBe(418);
  });

  test("204 and 304 have neither body nor type, whatever was given", async () => {
    for (const handler of [noContent, () => json({ a: 1 }, 204), () => text("x", 304)]) {
      const response = await answering(handler);
      expect([await response.text(), response.headers.get("content-type")]).toEqual(["", null]);
    }
  });

  test("a created resource has a Location", async () => {
    const response = await answering(() => created({ id: 1 }, "/posts/1"));
    expect([response.status, response.headers.get("location")]).toEqual([201, "/posts/1"]);
  });

  test("a native Response is returned unchanged", async () => {
    const response = await answering(
      () => new Response("raw", { status: 203, headers: { "x-own": "1" } }),
    );
    expect([response.status, response.headers.get("x-own"), await response.text()]).toEqual([
      203,
      "1",
      "raw",
    ]);
  });

  test("bytes are sent unchanged", async () => {
    const bytes = new Uint8Array([0, 255, 128, 10, 13]);
    expect(await (await answering(() => file(bytes))).bytes()).toEqual(bytes);
  });

  test("an asynchronous handler is waited for", async () => {
    const handler = async (): Promise<Response> => {
      await Promise.resolve();
      return success({ a: 1 });
    };
    expect(await (await answering(handler)).json()).toEqual({ success: true, data: { a: 1 } });
  });
});

describe("streams", () => {
  test("arrive completely and in order", async () => {
    expect(await (await answering(() => stream(letters()))).text()).toBe("ab");
  });

  test("that fail midway fail for the reader, after the status was sent", async () => {
    async function* failing(): AsyncGenerator<string> {
      yield "a";
      throw new Error("x");
    }
    const response = await answering(() => stream(failing()));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test("are closed when the client disconnects", async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield "tick";
      } finally {
        closed = true;
      }
    }
    const response = await answering(() => stream(endless()));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(closed).toBe(true);
  });

  test("of events are framed, with each line of data separately", async () => {
    const events = [{ event: "tick", id: "7", data: "one\ntwo" }, "plain"];
    expect(await (await answering(() => sse(events))).text()).toBe(
      "event: tick\nid: 7\ndata: one\ndata: two\n\ndata: plain\n\n",
    );
  });
});

describe("downloads", () => {
  test("have a file name", async () => {
    const response = await answering(() => file("a,b", { name: "report.csv", type: "text/csv" }));
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="report.csv"');
    expect(response.headers.get("content-type")).toBe("text/csv");
  });

  test("may be shown inline", async () => {
    const response = await answering(() => file("x", { name: "a.pdf", inline: true }));
    expect(response.headers.get("content-disposition")).toMatch(/^inline/);
  });

  test("may have names in any alphabet", async () => {
    const { headers } = await answering(() => file("x", { name: "報告 №1.pdf" }));
    expect(headers.get("content-disposition")).toContain(
      "filename*=UTF-8''%E5%A0%B1%E5%91%8A%20%E2%84%961.pdf",
    );
  });

  test("escape names that would break the header", async () => {
    const { headers } = await answering(() => file("x", { name: 'a";\r\nx: y.txt' }));
    expect(headers.get("x")).toBeNull();
    expect(headers.get("content-disposition")).not.toMatch(/[\r\n]/);
  });
});

describe("request information", () => {
  const echo = createApp((router) => {
    router.get("/id", (ctx) => text(ctx.id));
    router.get("/header", (ctx) => json(ctx.request.headers.get("X-Own")));
  });

  test("a valid request id is accepted", async () => {
    const headers = { "x-request-id": "abc-123" };
    expect(await (await echo.request("/id", { headers })).text()).toBe("abc-123");
  });

  test("without one, a unique id is generated", async () => {
    const first = await (await echo.request("/id")).text();
    const second = await (await echo.request("/id")).text();
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(first).not.toBe(second);
  });

  test("headers are case-insensitive, and an empty one is kept", async () => {
    const headers = { "x-own": "" };
    expect(await (await echo.request("/header", { headers })).json()).toBe("");
    expect(await (await echo.request("/header")).json()).toBeNull();
  });
});

describe("time", () => {
  const app = createApp((router) => {
    router.get("/slow", () => new Promise<Response>(() => {}), {
      middleware: [new TimeoutMiddleware({ ms: 20 })],
    });
    router.get("/fast", () => text("fast"), { middleware: [new TimeoutMiddleware({ ms: 5_000 })] });
    router.get("/gateway", () => new Promise<Response>(() => {}), {
      middleware: [new TimeoutMiddleware({ ms: 20, status: 504 })],
    });
  });

  test("a handler that takes too long gets a timeout response", async () => {
    expect((await app.request("/slow")).status).toBe(503);
    expect((await app.request("/gateway")).status).toBe(504);
  });

  test("a fast one does not", async () => {
    expect(await (await app.request("/fast")).text()).toBe("fast");
  });
});

describe("secure headers", () => {
  test("are strict without any option", async () => {
    const app = createApp((router, application) => {
      application.use(new SecureHeadersMiddleware());
      router.get("/", () => text("x"));
      router.get("/fails", () => {
        throw new HttpError(500);
      });
    });
    for (const path of ["/", "/fails", "/nowhere"]) {
      const { headers } = await app.request(path);
      expect([
        headers.get("x-frame-options"),
        headers.get("x-content-type-options"),
        headers.get("referrer-policy"),
        headers.get("strict-transport-security"),
        headers.get("x-xss-protection"),
        headers.get("x-powered-by"),
      ]).toEqual([
        "SAMEORIGIN",
        "nosniff",
        "same-origin",
        "max-age=31536000; includeSubDomains",
        "0",
        null,
      ]);
    }
  });

  test("can each be changed or omitted", async () => {
    const app = createApp((router, application) => {
      const options = { xFrameOptions: "DENY", strictTransportSecurity: false } as const;
      application.use(new SecureHeadersMiddleware(options));
      router.get("/", () => text("x"));
    });
    const { headers } = await app.request("/");
    expect([headers.get("x-frame-options"), headers.get("strict-transport-security")]).toEqual([
      "DENY",
      null,
    ]);
  });

  test("a policy is built from directives", async () => {
    const app = createApp((router, application) => {
      const contentSecurityPolicy = { defaultSrc: ["'self'"], imgSrc: ["'self'", "data:"] };
      application.use(new SecureHeadersMiddleware({ contentSecurityPolicy }));
      router.get("/", () => text("x"));
    });
    expect((await app.request("/")).headers.get("content-security-policy")).toBe(
      "default-src 'self'; img-src 'self' data:",
    );
  });
});
