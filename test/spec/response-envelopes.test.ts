import {
  Controller,
  created,
  error,
  file,
  html,
  json,
  noContent,
  redirect,
  sse,
  stream,
  success,
  text,
  validationError,
} from "espalier";
import { describe, expect, test } from "vitest";
import { answerOf, createApp, jsonOf } from "./support.ts";

/** Response of a route with this handler. */
async function answerWith(handler: () => Response): Promise<Response> {
  const app = createApp();
  app.getRouter().get("/", handler);
  return app.request("/", { headers: { "x-request-id": "r1" } });
}

describe("the helpers of the specification", () => {
  test("Responses, success: the data in an envelope; status 200 by default", async () => {
    const response = await answerWith(() => success({ id: 1 }));
    expect(response.headers.get("content-type")).toBe("application/json");
    expect([response.status, await response.json()]).toEqual([
      200,
      { success: true, data: { id: 1 } },
    ]);
    expect((await answerWith(() => success([], 201))).status).toBe(201);
    expect(await (await answerWith(() => success(null))).json()).toEqual({
      success: true,
      data: null,
    });
  });

  test("Responses, json: the data without an envelope; status 200 by default", async () => {
    const response = await answerWith(() => json([1, { a: null }]));
    expect([response.status, await response.json()]).toEqual([200, [1, { a: null }]]);
    expect((await answerWith(() => json({}, 202))).status).toBe(202);
  });

  test("Responses, error: the message in an envelope; status 400 by default", async () => {
    expect(await answerOf(await answerWith(() => error("No such book.")))).toEqual([
      400,
      '{"success":false,"message":"No such book."}',
    ]);
    const errors = [{ field: "isbn", message: "isbn is taken" }];
    const response = await answerWith(() => error("Refused.", 409, errors));
    expect([response.status, await response.json()]).toEqual([
      409,
      { success: false, message: "Refused.", errors },
    ]);
  });

  test("Responses, validationError: the Problem Details of a failed validation, 422", async () => {
    class Refuses extends Controller {
      async handle(): Promise<Response> {
        return this.validationError([{ field: "isbn", message: "isbn is taken" }]);
      }
    }
    const app = createApp();
    app.getRouter().get("/", Refuses);
    const response = await app.request("/", { headers: { "x-request-id": "r1" } });
    expect([response.status, await response.json()]).toEqual([
      422,
      {
        type: "https://www.rfc-editor.org/rfc/rfc9457",
        title: "Validation Failed",
        status: 422,
        detail: "One or more validation errors occurred.",
        instance: "http://localhost/",
        traceId: "r1",
        errors: [{ field: "isbn", message: "isbn is taken" }],
      },
    ]);
    const ofFunction = await answerWith(() => validationError([{ field: "a", message: "b" }]));
    expect(await jsonOf(ofFunction)).toMatchObject({ status: 422, title: "Validation Failed" });
  });

  test("Responses, text: plain text; status 200 by default", async () => {
    const response = await answerWith(() => text("ünï <b>"));
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await answerOf(response)).toEqual([200, "ünï <b>"]);
    expect((await answerWith(() => text("x", 418))).status).toBe(418);
  });

  test("Responses, redirect: status 302 by default; a relative URL stays relative", async () => {
    const response = await answerWith(() => redirect("/there?a=1"));
    expect([response.status, response.headers.get("location"), await response.text()]).toEqual([
      302,
      "/there?a=1",
      "",
    ]);
    for (const status of [301, 303, 307, 308]) {
      expect((await answerWith(() => redirect("https://example.com/", status))).status).toBe(
        status,
      );
    }
  });

  test("Responses, redirect: rejects other statuses, schemes and control characters", async () => {
    for (const status of [200, 300, 304, 305]) {
      expect(() => redirect("/", status)).toThrow(`cannot have the status ${status}`);
    }
    for (const url of [
      "javascript:alert(1)",
      "/a\r\nset-cookie: a=b",
      "//evil.example",
      "/\\evil",
    ]) {
      expect(() => redirect(url)).toThrow("Cannot redirect to");
      expect((await answerWith(() => redirect(url))).status).toBe(500);
    }
  });

  test("Responses, helpers: are members of the controller as well", async () => {
    class All extends Controller {
      async handle(): Promise<Response> {
        const made = {
          success: this.success(1),
          json: this.json(1),
          error: this.error("x"),
          text: this.text("x"),
          html: this.html("x"),
          redirect: this.redirect("/"),
          created: this.created(1),
          noContent: this.noContent(),
          validationError: this.validationError([]),
          stream: this.stream(new ReadableStream()),
          file: this.file("x"),
        };
        const statuses = Object.entries(made).map(([name, { status }]) => [name, status]);
        return this.json(Object.fromEntries(statuses));
      }
    }
    const app = createApp();
    app.getRouter().get("/", All);
    expect(await (await app.request("/")).json()).toEqual({
      success: 200,
      json: 200,
      error: 400,
      text: 200,
      html: 200,
      redirect: 302,
      created: 201,
      noContent: 204,
      validationError: 422,
      stream: 200,
      file: 200,
    });
  });
});

describe("what is added", () => {
  test("Responses, statuses without a body: remove it, with its content type", async () => {
    for (const make of [
      () => success({}, 204),
      () => json({ a: 1 }, 304),
      () => text("x", 205),
      () => error("gone", 204),
    ]) {
      const response = await answerWith(make);
      expect([response.headers.get("content-type"), await response.text()]).toEqual([null, ""]);
      expect([204, 205, 304]).toContain(response.status);
    }
  });

  test("Responses, created and noContent: 201 with a Location, 204 without a body", async () => {
    const response = await answerWith(() => created({ id: 7 }, "/books/7"));
    expect([response.status, response.headers.get("location"), await response.json()]).toEqual([
      201,
      "/books/7",
      { success: true, data: { id: 7 } },
    ]);
    expect(await answerOf(await answerWith(() => noContent()))).toEqual([204, ""]);
  });

  test("Responses, html: sets its type and charset", async () => {
    const response = await answerWith(() => html("<p>x</p>", 203));
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await answerOf(response)).toEqual([203, "<p>x</p>"]);
  });

  test("Responses, stream: a body that is sent while it is produced", async () => {
    async function* rows() {
      yield "a,b\n";
      yield "1,2\n";
    }
    const response = await answerWith(() => stream(rows(), { type: "text/csv", status: 201 }));
    expect(response.headers.get("content-type")).toBe("text/csv");
    expect(await answerOf(response)).toEqual([201, "a,b\n1,2\n"]);
  });

  test("Responses, sse: events as the browser's EventSource reads them", async () => {
    async function* ticks() {
      yield { event: "tick", data: 1, id: "7" };
      yield "two\nlines";
    }
    const response = await answerWith(() => sse(ticks(), { retryMs: 2000 }));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const body = await response.text();
    expect(body).toContain("retry: 2000\n");
    expect(body).toContain("event: tick\n");
    expect(body).toContain("id: 7\n");
    expect(body.endsWith("data: two\ndata: lines\n\n")).toBe(true);
  });

  test("Responses, file: a download with its name, or shown inline", async () => {
    const saved = await answerWith(() =>
      file("x", { name: "report ü.pdf", type: "application/pdf" }),
    );
    expect(saved.headers.get("content-disposition")).toMatch(
      /^attachment;.*filename\*=UTF-8''report%20%C3%BC\.pdf/,
    );
    expect(saved.headers.get("content-type")).toBe("application/pdf");
    const shown = await answerWith(() =>
      file(new Blob(["x"], { type: "text/css" }), { inline: true }),
    );
    expect(shown.headers.get("content-disposition")).toMatch(/^inline/);
    expect(shown.headers.get("content-type")).toBe("text/css");
  });
});
