import { describe, expect, test } from "vitest";
import { HttpError, ValidationError } from "../../src/http/http-error.ts";

describe("HttpError", () => {
  test.each([400, 404, 418, 499, 500, 599])("accepts the status %d", (status) => {
    expect(new HttpError(status).status).toBe(status);
  });

  test.each([200, 399, 600, 404.5, Number.NaN, Number.POSITIVE_INFINITY, -404])(
    "rejects the status %d with a code and a fix",
    (status) => {
      expect(() => new HttpError(status)).toThrow(
        expect.objectContaining({
          code: "ERR_HTTP_BAD_STATUS",
          message: `The status of an HttpError must be an integer from 400 to 599, got ${status}. The order is: status, detail.`,
        }),
      );
    },
  );

  test("its message is the detail, else the title, else the reason phrase", () => {
    expect(new HttpError(404, "No such book.", { title: "Gone away" }).message).toBe(
      "No such book.",
    );
    expect(new HttpError(404, undefined, { title: "Gone away" }).message).toBe("Gone away");
    expect(new HttpError(404).message).toBe("Not Found");
  });

  test("stores the members of its response, and the cause", () => {
    const cause = new Error("inner");
    const errors = [{ field: "a", message: "a is required" }];
    const error = new HttpError(503, "Busy.", {
      headers: { "Retry-After": "5" },
      errors,
      type: "https://example.com/busy",
      title: "Busy",
      cause,
    });
    expect(error).toMatchObject({
      name: "HttpError",
      status: 503,
      detail: "Busy.",
      errors,
      type: "https://example.com/busy",
      title: "Busy",
      cause,
    });
    expect(error.headers?.get("retry-after")).toBe("5");
    expect(error).toBeInstanceOf(Error);
  });

  test("a cause that is undefined is still a cause", () => {
    expect("cause" in new HttpError(500, "x", { cause: undefined })).toBe(true);
    expect("cause" in new HttpError(500, "x")).toBe(false);
  });

  test("a header with a line break throws in the constructor", () => {
    expect(
      () => new HttpError(503, "x", { headers: { "retry-after": "1\r\nset-cookie: a=b" } }),
    ).toThrow(TypeError);
  });

  test("ValidationError is the 422 of the specification", () => {
    const errors = [{ field: "name", message: "name is required" }];
    const error = new ValidationError(errors);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      name: "ValidationError",
      status: 422,
      title: "Validation Failed",
      detail: "One or more validation errors occurred.",
      type: "https://www.rfc-editor.org/rfc/rfc9457",
      errors,
    });
  });
});
