import { Application, Controller, HttpError, json, rules, success, text } from "espalier";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkResponses } from "../../src/application/boot/response-check.ts";
import type { RouteRecord } from "../../src/routing/route.ts";
import { compileValueCheck } from "../../src/validation/value-check.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const Book = rules({
  id: { type: "integer", required: true },
  title: { type: "string", required: true },
  addedAt: { type: "date" },
  author: { schema: { name: { type: "string", required: true } } },
});

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly responses: Readonly<Record<string, ResponseObject>> } }
    >
  >;
}

interface ResponseObject {
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Check {
  readonly status: number;
  /** Code and message of the logged error. */
  readonly code: string | undefined;
  readonly message: string | undefined;
}

type Responses =
  NonNullable<Parameters<ReturnType<Application["getRouter"]>["get"]>[2]> extends {
    readonly responses?: infer Declared;
  }
    ? Declared
    : never;

/** Requests a route whose handler returns `response`. */
async function check(
  responses: Responses,
  response: () => Response | Promise<Response>,
  validateResponses = true,
): Promise<Check> {
  const logger = createRecordingLogger();
  const app = new Application({ logger, validateResponses });
  app.getRouter().get("/books/:id", response, { responses: responses ?? {} });
  const { status } = await app.request("/books/7");
  const line = logger.lines.find(({ level }) => level === "error");
  const error = line?.["error"] as { code?: string; message: string } | undefined;
  return { status, code: error?.code, message: error?.message };
}

const prefix = "The response 200 of GET /books/:id differs from its responses: ";
const suffix = ". Correct the handler or the declaration.";

/** Returns a book as JSON with a Content-Type. */
function typed(contentType: string): Response {
  const headers = { "content-type": contentType };
  return new Response(JSON.stringify({ id: 7, title: "Emma" }), { headers });
}

describe("a response that its route declares is sent", () => {
  const accepted: readonly [string, Responses, () => Response][] = [
    ["rules", { 200: { data: Book } }, () => success({ id: 7, title: "Emma" })],
    [
      "a date",
      { 200: { data: Book } },
      () => success({ id: 7, title: "Emma", addedAt: new Date(0) }),
    ],
    ["an empty string", { 200: { data: Book } }, () => success({ id: 7, title: "" })],
    ["a list", { 200: { data: [Book] } }, () => success([{ id: 7, title: "Emma" }])],
    ["an empty list", { 200: { data: [Book] } }, () => success([])],
    ["a whole body", { 200: { body: Book } }, () => json({ id: 7, title: "Emma" })],
    ["a schema", { 200: { data: z.object({ id: z.number() }) } }, () => success({ id: 7 })],
    ["a description", { 200: "A book." }, () => text("Emma")],
    ["an undeclared failure", { 200: { data: Book } }, () => json({}, 404)],
    ["no declaration", {}, () => json(1, 404)],
    ["the first status of failures", { 200: { data: Book } }, () => json({}, 400)],
    ["a description in an object", { 200: { description: "A book." } }, () => text("Emma")],
    ["a JSON Schema, which only documents", { 200: { schema: { type: "object" } } }, () => json(1)],
    ["JSON of a vendor", { 200: { body: Book } }, () => typed("application/vnd.x-1.book+json")],
    ["JSON in capital letters", { 200: { body: Book } }, () => typed("Application/JSON; x=1")],
  ];

  test.each(accepted)("%s", async (_name, responses, respond) => {
    expect(await check(responses, respond)).toMatchObject({ message: undefined });
  });

  test("and its body can still be read", async () => {
    const app = new Application({ logger: createRecordingLogger(), validateResponses: true });
    app.getRouter().get("/", () => success({ id: 7, title: "Emma" }), {
      responses: { 200: { data: Book } },
    });
    expect(await (await app.request("/")).json()).toEqual({
      success: true,
      data: { id: 7, title: "Emma" },
    });
  });
});

describe("a response that differs is a 500, and the log names the differences", () => {
  const refused: readonly [string, Responses, () => Response, string][] = [
    [
      "fields of another type, missing and additional ones",
      { 200: { data: Book } },
      () => success({ id: "7", secret: 1 }),
      "data.id: id must be an integer; data.title: title is required",
    ],
    [
      "an additional field",
      { 200: { data: Book } },
      () => success({ id: 7, title: "Emma", secret: 1 }),
      "data.secret: is not declared",
    ],
    [
      "an additional nested field",
      { 200: { data: Book } },
      () => success({ id: 7, title: "Emma", author: { name: "Jane", email: "a@example.org" } }),
      "data.author.email: is not declared",
    ],
    [
      "null for an optional field",
      { 200: { data: Book } },
      () => success({ id: 7, title: "Emma", addedAt: null }),
      "data.addedAt: must not be null",
    ],
    [
      "an element",
      { 200: { data: [Book] } },
      () => success([{ id: 7, title: "Emma" }, { id: 8 }]),
      "data.1.title: title is required",
    ],
    ["no list", { 200: { data: [Book] } }, () => success({}), "data: must be an array"],
    ["no object", { 200: { body: Book } }, () => json([1]), "body: must be an object"],
    [
      "a schema",
      { 200: { schema: z.object({ author: z.object({ name: z.string() }) }) } },
      () => json({ author: { name: 1 } }),
      "body.author.name: Invalid input: expected string, received number",
    ],
    [
      "no envelope",
      { 200: { data: Book } },
      () => json({ id: 7, title: "Emma" }),
      "the body must be the envelope of success()",
    ],
    [
      "no JSON",
      { 200: { data: Book } },
      () => text("Emma"),
      "the Content-Type must be JSON, got text/plain; charset=utf-8",
    ],
    [
      "another type whose name ends like JSON",
      { 200: { body: Book } },
      () => typed("x-application/json"),
      "the Content-Type must be JSON, got x-application/json",
    ],
    [
      "a Content-Type that only begins with the word",
      { 200: { body: Book } },
      () => typed("application/jsonl"),
      "the Content-Type must be JSON, got application/jsonl",
    ],
    [
      "no Content-Type",
      { 200: { data: Book } },
      () => new Response(null),
      "the Content-Type must be JSON, got none",
    ],
    [
      "null in the place of the envelope",
      { 200: { data: Book } },
      () => json(null),
      "the body must be the envelope of success()",
    ],
    [
      "more than ten fields: ten are listed",
      { 200: { data: rules({}) } },
      () => success(Object.fromEntries([..."abcdefghijkl"].map((name) => [name, 1]))),
      [..."abcdefghij"].map((name) => `data.${name}: is not declared`).join("; "),
    ],
    [
      "an undeclared status",
      { 201: { data: Book }, 404: "None." },
      () => success({ id: 7, title: "Emma" }),
      "the status is not declared, only 201, 404",
    ],
  ];

  test.each(refused)("%s", async (_name, responses, respond, differences) => {
    expect(await check(responses, respond)).toEqual({
      status: 500,
      code: "ERR_HTTP_RESPONSE_MISMATCH",
      message: `${prefix}${differences}${suffix}`,
    });
  });

  test("only with validateResponses", async () => {
    const result = await check({ 200: { data: Book } }, () => success({}), false);
    expect(result).toMatchObject({ status: 200, message: undefined });
  });
});

test("an upgrade of the connection needs no declaration", async () => {
  const upgraded = { status: 101 } as Response;
  const record = { documentation: { responses: { 200: "A page." } } } as unknown as RouteRecord;
  const handler = checkResponses(() => upgraded, record, compileValueCheck);
  expect(await handler({} as never)).toBe(upgraded);
});

test("errors that a handler throws are not checked", async () => {
  const result = await check({ 200: { data: Book } }, () => {
    throw new HttpError(409, "Lent.");
  });
  expect(result).toMatchObject({ status: 409, message: undefined });
});

test("the responses of a contract are checked, and those of the route override them", async () => {
  class ShowBook extends Controller.for({ responses: { 200: { data: Book } } }) {
    handle(): Response {
      return Response.json({ id: 7 });
    }
  }
  const app = new Application({ logger: createRecordingLogger(), validateResponses: true });
  const router = app.getRouter();
  router.get("/checked", ShowBook);
  router.get("/overridden", ShowBook, { responses: { 200: "Any." } });
  expect((await app.request("/checked")).status).toBe(500);
  expect((await app.request("/overridden")).status).toBe(200);
});

test("rules that do not compile fail at boot", async () => {
  const app = new Application({ logger: createRecordingLogger(), validateResponses: true });
  const broken = { id: { type: "intger" } } as object as typeof Book;
  app.getRouter().get("/", () => success({}), { responses: { 200: { data: broken } } });
  await expect(app.boot()).rejects.toThrow('GET /: The validation rule of "id"');
});

test("the option must be a boolean", () => {
  const options = { validateResponses: "yes" } as object;
  expect(() => new Application(options)).toThrow(
    'The option "validateResponses" of Application must be a boolean, got "yes".',
  );
});

test("data and body are in the OpenAPI document", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  class ListBooks extends Controller.for({
    responses: { 200: { data: [Book], description: "All books." } },
  }) {
    handle(): Response {
      return this.success([]);
    }
  }
  app.getRouter().get("/books", ListBooks);
  app.getRouter().get("/count", () => json({ count: 1 }), {
    responses: { 200: { body: { count: { type: "integer", required: true } } } },
  });
  const { paths } = (await app.createOpenApiDocument()) as unknown as Document;
  const book = {
    type: "object",
    properties: {
      id: { type: "integer" },
      title: { type: "string" },
      addedAt: expect.objectContaining({ type: "string" }),
      author: {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
      },
    },
    required: ["id", "title"],
  };
  expect(paths["/books"]?.get.responses["200"]).toMatchObject({
    description: "All books.",
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: { success: { const: true }, data: { type: "array", items: book } },
          required: ["success", "data"],
        },
      },
    },
  });
  expect(paths["/count"]?.get.responses["200"]?.content?.["application/json"]).toMatchObject({
    schema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
  });
});
