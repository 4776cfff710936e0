/*
 * Behaviour that users of Hono (onError, notFound, HTTPException), Fastify (404s, 500s, reply errors, validation
 * errors), AdonisJS (exception handler) and Laravel (exception handler, abort) expect when something fails.
 */
import { error, HttpError, json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support/app.ts";

const throwing = (thrown: unknown, debug = false) =>
  createApp(
    (router) => {
      router.get("/sync", () => {
        throw thrown;
      });
      router.get("/async", async () => {
        await Promise.resolve();
        throw thrown;
      });
    },
    { debug },
  );

describe("unexpected errors", () => {
  test.each([
    ["an Error", new Error("pw=hunter2")],
    ["a text", "pw=hunter2"],
    ["a number", 404],
    ["a symbol", Symbol("pw")],
    ["false", false],
    ["null", null],
    ["undefined", undefined],
    ["an object with a status", { status: 404, message: "pw=hunter2" }],
  ])("%s thrown by a handler is a 500 without details", async (_name, thrown) => {
    for (const path of ["/sync", "/async"]) {
      const response = await throwing(thrown).request(path);
      const body = await response.text();
      expect([response.status, body.includes("hunter2")]).toEqual([500, false]);
      expect(JSON.parse(body)).toMatchObject({ title: "Internal Server Error", status: 500 });
    }
  });

  test("with debugging, the response shows the message", async () => {
    const response = await throwing(new Error("column is missing"), true).request("/sync");
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining("column is missing"),
    ]);
  });

  test("without debugging the response has no stack", async () => {
    const body = await (await throwing(new Error("x")).request("/sync")).text();
    expect(body).not.toMatch(/stack|\.ts|at /);
  });

  test("a failed request does not affect the next one", async () => {
    const app = createApp((router) => {
      router.get("/fails", () => {
        throw new Error("x");
      });
      router.get("/works", () => text("works"));
    });
    await app.request("/fails");
    expect(await (await app.request("/works")).text()).toBe("works");
  });
});

describe("errors with a status", () => {
  test("the status and the message reach the client", async () => {
    const response = await throwing(new HttpError(401, "Sign in first.")).request("/async");
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ status: 401, title: "Unauthorized", detail: "Sign in first." }),
    ]);
  });

  test("headers of the error are on the response", async () => {
    const thrown = new HttpError(503, "Later.", { headers: { "retry-after": "120" } });
    expect((await throwing(thrown).request("/sync")).headers.get("retry-after")).toBe("120");
  });

  test("its cause is only logged", async () => {
    const thrown = new HttpError(502, "The shop is closed.", { cause: new Error("pw=hunter2") });
    expect(await (await throwing(thrown).request("/sync")).text()).not.toContain("hunter2");
  });

  test("a status below 400 is not an error status", () => {
    expect(() => new HttpError(200, "fine")).toThrow(/200/);
  });

  test("a thrown response is the response", async () => {
    const response = await throwing(text("I am the answer", 202)).request("/sync");
    expect([response.status, await response.text()]).toEqual([202, "I am the answer"]);
  });
});

describe("a custom error handler", () => {
  const app = createApp((router, application) => {
    application.onError((thrown, ctx) => {
      if (ctx.query["broken"] !== undefined) throw new Error("the handler fails itself");
      if (ctx.query["default"] !== undefined) return undefined;
      const status = thrown instanceof HttpError ? thrown.status : 500;
      return json({ custom: status, path: ctx.url.pathname }, status);
    });
    router.get("/fails", () => {
      throw new Error("x");
    });
    router.get("/conflict", () => {
      throw new HttpError(409);
    });
    router.get("/explicit", () => text("not here", 404));
  });

  test("responds in a custom format", async () => {
    const response = await app.request("/fails");
    expect([response.status, await response.json()]).toEqual([
      500,
      { custom: 500, path: "/fails" },
    ]);
  });

  test("receives errors with a status", async () => {
    expect(await (await app.request("/conflict")).json()).toMatchObject({ custom: 409 });
  });

  test("responds to unknown paths", async () => {
    const response = await app.request("/nowhere");
    expect([response.status, await response.json()]).toEqual([
      404,
      { custom: 404, path: "/nowhere" },
    ]);
  });

  test("responds to methods that are not allowed", async () => {
    expect((await app.request("/fails", { method: "POST" })).status).toBe(405);
  });

  test("is not called for a 404 response of a handler", async () => {
    expect(await (await app.request("/explicit")).text()).toBe("not here");
  });

  test("if it throws, the default response to the first error is used", async () => {
    const response = await app.request("/conflict?broken");
    expect([response.status, await response.json()]).toEqual([
      409,
      expect.objectContaining({ title: "Conflict" }),
    ]);
  });

  test("if it returns nothing, the default response is used", async () => {
    expect((await app.request("/conflict?default")).headers.get("content-type")).toBe(
      "application/problem+json",
    );
  });
});

describe("not found", () => {
  const app = createApp((router) => router.get("/a", () => text("")));

  test("is JSON that names method and path", async () => {
    const response = await app.request("/b?c=1");
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ status: 404, detail: expect.stringContaining("GET /b") }),
    ]);
  });

  test("is the same for a form posted to an unknown path", async () => {
    const form = new FormData();
    form.set("a", new File(["x"], "a.txt"));
    expect((await app.request("/b", { method: "POST", body: form })).status).toBe(404);
  });

  test("is the same with an invalid body", async () => {
    const headers = { "content-type": "application/json" };
    const response = await app.request("/b", { method: "POST", headers, body: "{" });
    expect(response.status).toBe(404);
  });
});

test("a handler without a response results in an error instead of an empty page", async () => {
  const app = createApp((router) => {
    router.get("/nothing", (() => undefined) as unknown as () => Response);
  });
  expect((await app.request("/nothing")).status).toBe(500);
});

test("an explicit error envelope keeps its format", async () => {
  const app = createApp((router) => {
    router.get("/a", () => error("The name is taken.", 409, [{ field: "name", message: "taken" }]));
  });
  const response = await app.request("/a");
  expect([response.status, await response.json()]).toEqual([
    409,
    {
      success: false,
      message: "The name is taken.",
      errors: [{ field: "name", message: "taken" }],
    },
  ]);
});
