import { createProblemDetailsResponse, HttpError } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp, jsonOf, withJson } from "./support.ts";

const uuid = /^[\da-f-]{36}$/;

/** The problem of a request that no route answers. */
async function notFound(): Promise<Record<string, unknown>> {
  return jsonOf(await createApp().request("/x?y=1"));
}

describe("createProblemDetailsResponse", () => {
  test("Problem Details, createProblemDetailsResponse: builds one for any status code", async () => {
    for (const status of [200, 400, 404, 409, 418, 422, 500, 503, 599]) {
      const response = createProblemDetailsResponse({ status, title: "A title", detail: "Why." });
      expect([response.status, response.headers.get("content-type")]).toEqual([
        status,
        "application/problem+json",
      ]);
      expect(await jsonOf(response)).toMatchObject({ status, title: "A title", detail: "Why." });
    }
  });

  test("Problem Details, createProblemDetailsResponse: contains only the given members", async () => {
    const response = createProblemDetailsResponse({
      status: 404,
      title: "No book",
      detail: "There is no book 7.",
      instance: "http://localhost/books/7",
      traceId: "r1",
    });
    expect(await jsonOf(response)).toEqual({
      type: "https://httpwg.org/specs/rfc9110.html#status.404",
      title: "No book",
      status: 404,
      detail: "There is no book 7.",
      instance: "http://localhost/books/7",
      traceId: "r1",
    });
    expect(Object.keys(await jsonOf(createProblemDetailsResponse({ status: 409 })))).toEqual([
      "type",
      "title",
      "status",
    ]);
  });
});

describe("its members", () => {
  test("Problem Details, type: the status's definition, about:blank without one", async () => {
    const typeOf = async (status: number) =>
      (await jsonOf(createProblemDetailsResponse({ status })))["type"];
    expect(await typeOf(404)).toBe("https://httpwg.org/specs/rfc9110.html#status.404");
    expect(await typeOf(500)).toBe("https://httpwg.org/specs/rfc9110.html#status.500");
    expect(await typeOf(418)).toBe("about:blank");
    expect(await typeOf(429)).toBe("about:blank");
    expect(await typeOf(599)).toBe("about:blank");
  });

  test("Problem Details, title: a short summary, the reason phrase by default", async () => {
    expect((await notFound())["title"]).toBe("Not Found");
    expect(await jsonOf(createProblemDetailsResponse({ status: 413 }))).toMatchObject({
      title: "Content Too Large",
    });
  });

  test("Problem Details, status: the HTTP status", async () => {
    expect((await notFound())["status"]).toBe(404);
  });

  test("Problem Details, detail: an explanation", async () => {
    expect((await notFound())["detail"]).toBe("No route matches GET /x.");
  });

  test("Problem Details, instance: the request URL", async () => {
    expect((await notFound())["instance"]).toBe("http://localhost/x?y=1");
  });

  test("Problem Details, traceId: the request's correlation ID", async () => {
    expect((await notFound())["traceId"]).toMatch(uuid);
    const given = await createApp().request("/", { headers: { "x-request-id": "r1" } });
    expect((await jsonOf(given))["traceId"]).toBe("r1");
  });

  test("Problem Details, errors: field and message, only for validation failures", async () => {
    expect(await notFound()).not.toHaveProperty("errors");
    const app = createApp();
    app.getRouter().post("/", () => new Response(), { validation: { a: { required: true } } });
    expect((await jsonOf(await app.request("/", withJson({}))))["errors"]).toEqual([
      { field: "a", message: "a is required" },
    ]);
  });

  test("Problem Details, HttpError: a thrown one becomes its Problem Details", async () => {
    const app = createApp();
    app.getRouter().get("/", () => {
      throw new HttpError(429, "Too fast.", {
        headers: { "retry-after": "7" },
        type: "https://example.com/too-fast",
        title: "Slow down",
        errors: [{ field: "a", message: "b" }],
        cause: new Error("a secret"),
      });
    });
    const response = await app.request("/", { headers: { "x-request-id": "r1" } });
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(await response.json()).toEqual({
      type: "https://example.com/too-fast",
      title: "Slow down",
      status: 429,
      detail: "Too fast.",
      instance: "http://localhost/",
      traceId: "r1",
      errors: [{ field: "a", message: "b" }],
    });
  });
});
