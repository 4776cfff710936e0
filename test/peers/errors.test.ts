/*
 * What users of Hono (onError, notFound, HTTPException), Fastify (404s, 500s, reply errors, validation
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
  ])("%s that a handler throws is a 500 that tells nothing of it", async (_name, thrown) => {
    for (const path of ["/sync", "/async"]) {
      const response = await throwing(thrown).request(path);
      const body = await response.text();
      expect([response.status, body.includes("hunter2")]).toEqual([500, false]);
      expect(JSON.parse(body)).toMatchObject({ title: "Internal Server Error", status: 500 });
    }
  });

  test("while debugging, the answer shows the message", async () => {
    const response = await throwing(new Error("column is missing"), true).request("/sync");
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining("column is missing"),
    ]);
  });

  test("without debugging there is no stack in the answer", async () => {
    const body = await (await throwing(new Error("x")).request("/sync")).text();
    expect(body).not.toMatch(/stack|\.ts|at /);
  });

  test("one failed request leaves the next one alone", async () => {
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

  test("the cause of one is for the log alone", async () => {
    const thrown = new HttpError(502, "The shop is closed.", { cause: new Error("pw=hunter2") });
    expect(await (await throwing(thrown).request("/sync")).text()).not.toContain("hunter2");
  });

  test("a status below 400 is no error's", () => {
    expect(() => new HttpError(200, "fine")).toThrow(/200/);
  });

  test("a thrown response is the response", async () => {
    const response = await throwing(text("I am the answer", 202)).request("/sync");
    expect([response.status, await response.text()]).toEqual([202, "I am the answer"]);
  });
});

describe("a handler of errors of one's own", () => {
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

  test("answers in its own form", async () => {
    const response = await app.request("/fails");
    expect([response.status, await response.json()]).toEqual([
      500,
      { custom: 500, path: "/fails" },
    ]);
  });

  test("sees errors with a status", async () => {
    expect(await (await app.request("/conflict")).json()).toMatchObject({ custom: 409 });
  });

  test("answers for paths without a route", async () => {
    const response = await app.request("/nowhere");
    expect([response.status, await response.json()]).toEqual([
      404,
      { custom: 404, path: "/nowhere" },
    ]);
  });

  test("answers for a method that is not allowed", async () => {
    expect((await app.request("/fails", { method: "POST" })).status).toBe(405);
  });

  test("is not asked about a 404 that a handler answered itself", async () => {
    expect(await (await app.request("/explicit")).text()).toBe("not here");
  });

  test("one that fails itself leaves the ordinary answer to the first error", async () => {
    const response = await app.request("/conflict?broken");
    expect([response.status, await response.json()]).toEqual([
      409,
      expect.objectContaining({ title: "Conflict" }),
    ]);
  });

  test("one that answers nothing leaves the ordinary answer", async () => {
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

  test("is the same for a form that was posted to nowhere", async () => {
    const form = new FormData();
    form.set("a", new File(["x"], "a.txt"));
    expect((await app.request("/b", { method: "POST", body: form })).status).toBe(404);
  });

  test("is what it is also when the body is broken", async () => {
    const headers = { "content-type": "application/json" };
    const response = await app.request("/b", { method: "POST", headers, body: "{" });
    expect(response.status).toBe(404);
  });
});

test("a handler that gives no response is told as an error, not as an empty page", async () => {
  const app = createApp((router) => {
    router.get("/nothing", (() => undefined) as unknown as () => Response);
  });
  expect((await app.request("/nothing")).status).toBe(500);
});

test("an error envelope of the application's own choice keeps its form", async () => {
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
