import { Validator } from "@seriousme/openapi-schema-validator";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  Auth,
  Controller,
  createApiKeyMiddleware,
  createAuthMiddleware,
  createOptionalAuthMiddleware,
  json,
  type Middleware,
  type MiddlewareDocumentation,
  type OpenApiOptions,
  type RouteOptions,
  text,
} from "../../src/index.ts";
import { isDate } from "../../src/validation/formats.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { type Described, type DescribedOperation, exposed } from "./support/expose.ts";
import { plantOrchard } from "./support/orchard.ts";

const answer = (): Response => text("ok");

const validator = new Validator();

/** Returns the operation of one route. */
async function described(
  path: string,
  options: RouteOptions = {},
  { method = "GET", ...rest }: OpenApiOptions & { method?: string } = {},
): Promise<Described> {
  const { app, document } = exposed(rest);
  app.getRouter().match([method], path, answer, options);
  const description = await document();
  expect(await validator.validate(structuredClone(description))).toEqual({ valid: true });
  return description;
}

async function operationOf(
  path: string,
  options: RouteOptions = {},
  settings: OpenApiOptions & { method?: string } = {},
): Promise<DescribedOperation> {
  const { paths } = await described(path, options, settings);
  const [operation] = Object.values(paths).flatMap((item) => Object.values(item));
  if (operation === undefined) throw new Error("The operation does not exist.");
  return operation;
}

async function bodySchemaOf(
  validation: RouteOptions["validation"],
  settings: OpenApiOptions = {},
): Promise<Record<string, unknown>> {
  const options = validation === undefined ? {} : { validation };
  const operation = await operationOf("/a", options, { method: "POST", ...settings });
  const [media] = Object.values(operation.requestBody?.content ?? {});
  return media?.schema as Record<string, unknown>;
}

describe("the document", () => {
  test("of a whole application is valid, and has every route once", async () => {
    for (const exact of [false, true]) {
      const { app, document } = exposed({ exact, servers: [{ url: "https://a.example/v1" }] });
      plantOrchard(app);
      const description = await document();
      expect(await validator.validate(structuredClone(description))).toEqual({ valid: true });
      const operations = Object.entries(description.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method} ${path}`),
      );
      expect(operations).toEqual([
        "get /trees",
        "post /trees",
        "get /trees/{id}",
        "put /trees/{id}",
        "delete /trees/{id}",
        "get /rows/{row}/{place}",
        "get /maps/{name}.{kind}",
        "get /files/{path}",
        "post /branches",
        "post /baskets",
        "get /search",
        "post /photos",
        "post /letters",
        "get /rows/{row}",
      ]);
      const ids = Object.values(description.paths).flatMap((item) =>
        Object.values(item).map(({ operationId }) => operationId),
      );
      expect(new Set(ids).size).toBe(operations.length);
    }
  });

  test("has info, servers and tags as given, and neither itself nor internal routes", async () => {
    const { app, document } = exposed({
      info: { title: "Trees", description: "All of them." },
      servers: [{ url: "/v1" }],
      tags: [{ name: "b", description: "Second." }],
      ui: "/docs",
    });
    app
      .getRouter()
      .get("/a", answer)
      .get("/b", answer)
      .get("/internal", answer, { internal: true });
    const description = await document();
    expect(description).toMatchObject({
      openapi: "3.1.0",
      info: { title: "Trees", version: "1.0.0", description: "All of them." },
      servers: [{ url: "/v1" }],
      tags: [{ name: "b", description: "Second." }, { name: "a" }],
    });
    expect(Object.keys(description.paths)).toEqual(["/a", "/b"]);
  });

  test("is generated again only after changes of routes or middleware", async () => {
    const { app, document } = exposed();
    const router = app.getRouter();
    router.get("/a", answer);
    const first = await app.request("/openapi.json");
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w+/]{22}"$/);
    const same = await app.request("/openapi.json", {
      headers: { "if-none-match": `W/"x", ${tag}` },
    });
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", tag]);
    router.get("/later", answer);
    expect(Object.keys((await document()).paths)).toEqual(["/a", "/later"]);
    const changed = await app.request("/openapi.json", { headers: { "if-none-match": tag } });
    expect(changed.status).toBe(200);
    const head = await app.request("/openapi.json", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test.each(["", "docs", "/a/:id", "/a/*", undefined, 7])("rejects %j as its path", (path) => {
    const expected = expect.objectContaining({ code: "ERR_OPENAPI_BAD_OPTION" });
    expect(() => exposed({ ui: (path ?? "x") as string })).toThrow(expected);
  });
});

describe("paths", () => {
  test.each([
    ["/", ["/"]],
    ["/a/:id", ["/a/{id}"]],
    ["/a/:id(\\d+)", ["/a/{id}"]],
    ["/a/:x?/:y?", ["/a/{x}/{y}", "/a/{x}", "/a"]],
    ["/:lang?", ["/{lang}", "/"]],
    ["/f/:name.:ext", ["/f/{name}.{ext}"]],
    ["/f/v:major-:minor(\\d)", ["/f/v{major}-{minor}"]],
    ["/f/*", ["/f/{rest}"]],
    ["/f/:rest/*", ["/f/{rest}/{restOfPath}"]],
    ["/f/*path", ["/f/{path}"]],
    ["/caf\u00e9/a\\:b", ["/caf%C3%A9/a:b"]],
    ["/%7Bx%7D", ["/%7Bx%7D"]],
  ])("%s", async (pattern, paths) => {
    expect(Object.keys((await described(pattern)).paths)).toEqual(paths);
  });

  test("parameters describe their constraints", async () => {
    const { parameters } = await operationOf("/a/:id(\\d{2,3}|[\\w-]+)/:name.:ext/*", {
      fields: { id: "Its number." },
    });
    expect(parameters).toEqual([
      {
        name: "id",
        in: "path",
        required: true,
        description: "Its number.",
        schema: { type: "string", minLength: 1, pattern: "^(?:[0-9]{2,3}|[A-Za-z0-9_-]+)$" },
      },
      { name: "name", in: "path", required: true, schema: { type: "string", minLength: 1 } },
      { name: "ext", in: "path", required: true, schema: { type: "string", minLength: 1 } },
      {
        name: "rest",
        in: "path",
        required: true,
        description: "The rest of the path; it may contain slashes.",
        schema: { type: "string" },
      },
    ]);
  });

  test("paths of the same shape are merged, named by the first; constraints separate them", async () => {
    const { app, document } = exposed();
    app
      .getRouter()
      .get("/b/:id", answer, { validation: { id: { type: "uuid", required: true } } })
      .put("/b/:isbn", answer, { validation: { isbn: { type: "integer", required: true } } })
      .get("/b/:id(\\d+)", answer)
      .get("/b/:slug([a-z]+)", answer)
      .post("/b/:slug([a-z]+)", answer);
    const { paths } = await document();
    const shown = Object.entries(paths).map(([path, item]) => [path, Object.keys(item)]);
    expect(shown).toEqual([
      ["/b/{id}", ["get", "put"]],
      ["/b/{id2}", ["get"]],
      ["/b/{slug}", ["get", "post"]],
    ]);
    expect(paths["/b/{id}"]?.["put"]?.parameters).toEqual([
      { name: "id", in: "path", required: true, schema: { type: "integer" } },
    ]);
  });

  test("responses of another route are not described twice", async () => {
    const { app, document } = exposed();
    app
      .getRouter()
      .get("/a/:b?", answer, { name: "optional" })
      .get("/a", answer, { name: "exact" })
      .all("/a", answer, { name: "rest" });
    const { paths } = await document();
    const ids = Object.entries(paths["/a"] ?? {}).map(([method, { operationId }]) => [
      method,
      operationId,
    ]);
    expect(ids).toEqual([
      ["get", "exact"],
      ["post", "rest"],
      ["put", "rest.put"],
      ["patch", "rest.patch"],
      ["delete", "rest.delete"],
    ]);
  });

  test("methods unknown to OpenAPI are in an extension", async () => {
    const { paths } = await described("/a", {}, { method: "PROPFIND" });
    expect(paths["/a"]).toEqual({
      "x-additionalOperations": { PROPFIND: expect.objectContaining({ operationId: "propfindA" }) },
    });
  });
});

describe("operations", () => {
  test("use the options of the route", async () => {
    const options = {
      summary: "Shows a tree",
      description: "With its branches.",
      deprecated: true,
      tags: ["trees", "old"],
      operationId: "showTree",
    };
    expect(await operationOf("/trees/:id", options)).toMatchObject(options);
  });

  test("have the tag of the group's name, or of the first segment", async () => {
    const { app, document } = exposed();
    const router = app.getRouter();
    router.group("/v1", { name: "trees" }, (group) => {
      group.get("/trees", answer);
      group.group("/leaves", { name: "leaves" }, (inner) => void inner.get("/", answer));
    });
    router.get("/users/:id", answer).get("/:lang", answer).get("/", answer);
    const { paths } = await document();
    const tags = Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, item["get"]?.["tags"]]),
    );
    expect(tags).toEqual({
      "/v1/trees": ["trees"],
      "/v1/leaves": ["trees.leaves"],
      "/users/{id}": ["users"],
      "/{lang}": undefined,
      "/": undefined,
    });
  });

  test("have unique ids from the name, or from method and path", async () => {
    const { app, document } = exposed();
    const router = app.getRouter();
    router.match(["PUT", "PATCH"], "/trees/:id", answer, { name: "trees.update" });
    router.get("/trees/:id/:leaf?", answer).get("/", answer).get("/a-b/:c(x|y)", answer);
    router
      .get("/one", answer, { operationId: "same" })
      .get("/two", answer, { operationId: "same" });
    const { paths } = await document();
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids.sort()).toEqual(
      [
        "trees.update",
        "trees.update.patch",
        "getTreesByIdByLeaf",
        "getTreesByIdByLeaf.get",
        "getRoot",
        "getABByC",
        "same",
        "same.get",
      ].sort(),
    );
  });

  test("describe responses and security schemes of middleware", async () => {
    const middleware = (documentation: MiddlewareDocumentation): Middleware =>
      Object.assign(((_ctx, next) => next()) satisfies Middleware, { documentation });
    const { app, document } = exposed();
    app.use(middleware({ responses: { 429: "Too fast." } }));
    app.middleware(
      "auth",
      middleware({
        responses: { 401: "Sign in." },
        security: { bearer: { type: "http", scheme: "bearer" } },
      }),
    );
    app.middleware("can", middleware({ responses: { 403: "Forbidden.", 401: "No user." } }));
    app.getRouter().group("/g", { middleware: ["auth"] }, (group) => {
      group.get("/in", answer, { middleware: ["can:edit"] });
    });
    app.getRouter().get("/open", answer);
    const description = await document();
    const guarded = description.paths["/g/in"]?.["get"];
    const problem = {
      "application/problem+json": { schema: { $ref: "#/components/schemas/ProblemDetails" } },
    };
    expect(guarded?.responses).toMatchObject({
      401: { description: "Sign in. No user.", content: problem },
      403: { description: "Forbidden.", content: problem },
      429: { description: "Too fast.", content: problem },
    });
    expect(guarded?.["security"]).toEqual([{ bearer: [] }]);
    expect(description.components["securitySchemes"]).toEqual({
      bearer: { type: "http", scheme: "bearer" },
    });
    const open = description.paths["/open"]?.["get"];
    expect(Object.keys(open?.responses ?? {})).toEqual(["200", "400", "429", "default"]);
    expect(open?.["security"]).toEqual([]);
  });

  test("an optional scheme is an alternative to no scheme", async () => {
    const { app, document } = exposed();
    const auth = new Auth({ secret: "0123456789abcdef0123456789abcdef" });
    const findUser = (): null => null;
    app.middleware("key", createApiKeyMiddleware({ findUser }));
    app.middleware("maybe", createOptionalAuthMiddleware(auth));
    app.middleware("auth", createAuthMiddleware(auth));
    const router = app.getRouter();
    router.get("/maybe", answer, { middleware: ["maybe"] });
    router.get("/both", answer, { middleware: ["key", "maybe"] });
    router.get("/surely", answer, { middleware: ["maybe", "auth"] });
    const { paths, components } = await document();
    const securityOf = (path: string): unknown => paths[path]?.["get"]?.["security"];
    expect(securityOf("/maybe")).toEqual([{ bearerAuth: [] }, {}]);
    expect(securityOf("/both")).toEqual([{ apiKeyAuth: [], bearerAuth: [] }, { apiKeyAuth: [] }]);
    expect(securityOf("/surely")).toEqual([{ bearerAuth: [] }]);
    expect(Object.keys(components["securitySchemes"] ?? {})).toEqual(["bearerAuth", "apiKeyAuth"]);
  });

  test("describe responses of the framework before the handler", async () => {
    const statusesOf = async (path: string, options: RouteOptions, method = "POST") =>
      Object.keys((await operationOf(path, options, { method })).responses);
    expect(await statusesOf("/a", {}, "GET")).toEqual(["200", "400", "default"]);
    expect(await statusesOf("/a/:id", {}, "GET")).toEqual(["200", "400", "default"]);
    expect(await statusesOf("/a/:id(\\d+)", {}, "GET")).toEqual(["200", "400", "404", "default"]);
    const validation = { title: { required: true } } as const;
    expect(await statusesOf("/a", { validation })).toEqual([
      "200",
      "400",
      "413",
      "415",
      "422",
      "default",
    ]);
    expect(await statusesOf("/a", { validation, responses: { 201: "Made." } })).toEqual([
      "201",
      "400",
      "413",
      "415",
      "422",
    ]);
  });

  test("have the declared responses of the route", async () => {
    const { responses } = await operationOf("/a", {
      responses: {
        200: { schema: { type: "object" }, example: { id: 1 } },
        202: { schema: z.object({ id: z.int() }) },
        204: "Nothing to say.",
        404: "Not found.",
        409: { type: "text/plain" },
      },
    });
    expect(responses).toMatchObject({
      200: { description: "OK", content: { "application/json": { example: { id: 1 } } } },
      202: {
        description: "Accepted",
        content: { "application/json": { schema: { type: "object", required: ["id"] } } },
      },
      204: { description: "Nothing to say." },
      404: { content: { "application/problem+json": expect.anything() } },
      409: { description: "Conflict", content: { "text/plain": {} } },
    });
    expect(responses["204"]).not.toHaveProperty("content");
  });

  test("may have the handler's format as well as the framework's", async () => {
    const validation = { title: { required: true } } as const;
    const typesOf = async (options: RouteOptions, exact: boolean) => {
      const operation = await operationOf(
        "/a",
        { validation, ...options },
        { method: "POST", exact },
      );
      return Object.keys(operation.responses["415"]?.content ?? {});
    };
    const said = { responses: { 415: { type: "application/json" } } };
    expect(await typesOf(said, false)).toEqual(["application/problem+json", "application/json"]);
    expect(await typesOf({}, false)).toEqual(["application/problem+json"]);
    expect(await typesOf({}, true)).toEqual(["*/*", "application/problem+json"]);
  });
});

describe("rules", () => {
  test.each([
    [
      { type: "string", required: true, min: 2, max: 50 },
      { type: "string", minLength: 2, maxLength: 50 },
    ],
    [
      { type: "string", required: true },
      { type: "string", minLength: 1 },
    ],
    [{ type: "string" }, { type: "string" }],
    [
      { type: "string", minLength: 3, pattern: /^a\d$/u },
      { type: "string", minLength: 3, pattern: "^a\\d$" },
    ],
    [{ type: "string", pattern: /a/i }, { type: "string" }],
    [
      { type: "number", min: 0.5, max: 2 },
      { type: "number", minimum: 0.5, maximum: 2 },
    ],
    [
      { type: "integer", default: 1 },
      { type: "integer", default: 1 },
    ],
    [{ type: "boolean" }, { type: "boolean" }],
    [{ type: "email" }, { type: "string", format: "email" }],
    [{ type: "url" }, { type: "string", format: "uri" }],
    [{ type: "uuid" }, { type: "string", format: "uuid" }],
    [{ type: "date" }, { type: "string", anyOf: [{ format: "date" }, { format: "date-time" }] }],
    [
      { type: "date", pattern: /^.{10}$/g },
      { type: "string", format: "date", pattern: "^.{10}$" },
    ],
    [
      { type: "date", pattern: /T/ },
      { type: "string", format: "date-time", pattern: "T" },
    ],
    [{ type: "string", nullable: true }, { type: ["string", "null"] }],
    [{ enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
    [{ enum: ["a", 1, null] }, { enum: ["a", 1, null] }],
    [{ enum: ["a"], nullable: true }, { enum: ["a", null] }],
    [
      { type: "array", min: 1, items: { type: "integer" } },
      { type: "array", minItems: 1, items: { type: "integer" } },
    ],
    [
      { min: 1, max: 2 },
      { minLength: 1, maxLength: 2, minItems: 1, maxItems: 2, minimum: 1, maximum: 2 },
    ],
    [
      { type: "object", schema: { city: { type: "string", required: true } } },
      {
        type: "object",
        properties: { city: { type: "string", minLength: 1 } },
        required: ["city"],
      },
    ],
    [{}, {}],
  ] as const)("%j", async (rule, schema) => {
    const { properties } = await bodySchemaOf({ field: rule });
    expect((properties as Record<string, unknown>)["field"]).toEqual(schema);
  });

  test("dotted names are nested, and require intermediate objects", async () => {
    expect(
      await bodySchemaOf({
        "address.city": { type: "string", required: true },
        "address.zip": { type: "string" },
        "items.*.id": { type: "integer", required: true },
        "tags.*": { type: "string" },
      }),
    ).toEqual({
      type: "object",
      properties: {
        address: {
          type: "object",
          properties: { city: { type: "string", minLength: 1 }, zip: { type: "string" } },
          required: ["city"],
        },
        items: {
          type: "array",
          items: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
        },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["address"],
    });
  });

  test("a body without a required field is optional", async () => {
    const bodyOf = async (validation: NonNullable<RouteOptions["validation"]>) =>
      (await operationOf("/a", { validation }, { method: "POST" })).requestBody;
    expect((await bodyOf({ a: { type: "string" } }))?.required).toBe(false);
    expect((await bodyOf({ a: { required: true } }))?.required).toBe(true);
    expect((await bodyOf({ a: { required: true, default: 1 } }))?.required).toBe(false);
    expect((await bodyOf(z.object({ a: z.string() })))?.required).toBe(true);
  });

  test("fields are in path, query, headers and body as in validation", async () => {
    const validation = {
      params: { id: { type: "uuid", required: true } },
      query: { "filter.name": { type: "string" }, tags: { type: "array" } },
      headers: {
        "x-tenant": { type: "string", required: true },
        authorization: { type: "string" },
      },
      body: { title: { type: "string", required: true } },
    } as const;
    const operation = await operationOf("/a/:id", { validation }, { method: "PUT" });
    expect(
      operation.parameters?.map(({ name, in: place, required }) => [name, place, required]),
    ).toEqual([
      ["id", "path", true],
      ["filter.name", "query", false],
      ["tags", "query", false],
      ["x-tenant", "header", true],
    ]);
    expect(Object.keys(operation.requestBody?.content ?? {})).toEqual(["application/json"]);
  });

  test("a file makes it multipart; the route can name other types", async () => {
    const typesOf = async (options: RouteOptions) =>
      Object.keys(
        (await operationOf("/a", options, { method: "POST" })).requestBody?.content ?? {},
      );
    const file = { photo: { type: "file" } } as const;
    expect(await typesOf({ validation: file })).toEqual(["multipart/form-data"]);
    expect(await typesOf({ validation: z.object({ f: z.file() }) })).toEqual([
      "multipart/form-data",
    ]);
    expect(await typesOf({ bodyTypes: ["text/csv"], bodyParser: false })).toEqual(["text/csv"]);
  });

  test("route, group and controller are merged as in validation", async () => {
    class Plain extends Controller {
      protected override readonly schema = { a: { type: "string" }, b: { type: "string", max: 9 } };
      handle(): Response {
        return this.success();
      }
    }
    class Typed extends Controller.for({ body: { a: { type: "integer", required: true } } }) {
      handle(): Response {
        return this.success();
      }
    }
    const { app, document } = exposed();
    app.getRouter().group("/g", { validation: { c: { type: "boolean" } } }, (group) => {
      group.post("/plain", Plain, { validation: { b: { type: "email" } } });
      group.post("/typed", Typed, { validation: { body: { b: { type: "email" } } } });
    });
    const { paths } = await document();
    const propertiesAt = (path: string): unknown => {
      const content = paths[path]?.["post"]?.requestBody?.content ?? {};
      return Reflect.get(content["application/json"]?.schema ?? {}, "properties");
    };
    expect(propertiesAt("/g/plain")).toEqual({
      a: { type: "string" },
      b: { type: "string", format: "email" },
      c: { type: "boolean" },
    });
    expect(propertiesAt("/g/typed")).toEqual({
      a: { type: "integer" },
      b: { type: "string", format: "email" },
      c: { type: "boolean" },
    });
  });

  test("a controller's field is read with its services; a controller that cannot be created is reported", async () => {
    class Needs extends Controller {
      static readonly inject = ["limit"];
      protected override readonly schema: { a: { type: string; max: number } };
      constructor(limit: number) {
        super();
        this.schema = { a: { type: "string", max: limit } };
      }
      handle(): Response {
        return this.success();
      }
    }
    class Breaks extends Controller {
      constructor() {
        super();
        throw new Error("not today");
      }
      handle(): Response {
        return this.success();
      }
    }
    const { app, document, lines } = exposed();
    app.instance("limit", 7);
    app.getRouter().post("/needs", Needs).post("/breaks", Breaks);
    const { paths } = await document();
    expect(paths["/needs"]?.["post"]?.requestBody?.content["application/json"]?.schema).toEqual({
      type: "object",
      properties: { a: { type: "string", maxLength: 7 } },
    });
    expect(paths["/breaks"]?.["post"]).toBeDefined();
    expect(lines.map((line) => [line.level, line["controller"]])).toEqual([["warn", "Breaks"]]);
  });

  test("exact describes lenient input", async () => {
    const schema = await bodySchemaOf(
      { a: { type: "string", max: 3, default: "x" }, n: { type: "integer" } },
      { exact: true },
    );
    expect(schema).toEqual({
      properties: {
        a: { anyOf: [{ type: "string", maxLength: 3 }, { enum: [null] }], default: "x" },
        n: {
          anyOf: [
            { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
            { enum: [null] },
          ],
        },
      },
    });
  });

  test("exact describes all dates that the rule accepts", async () => {
    const rules = { at: { type: "date", required: true, pattern: /^2024/ } } as const;
    const { properties } = (await bodySchemaOf(rules, { exact: true })) as {
      properties: { at: { pattern: string; anyOf: { format?: string; pattern?: string }[] } };
    };
    const [date, dateTime, other] = properties.at.anyOf;
    expect([date, dateTime]).toEqual([{ format: "date" }, { format: "date-time" }]);
    const pattern = new RegExp(other?.pattern ?? "", "u");
    for (const time of ["10:00", "10:00:59", "10:00:00.5", "23:59Z", "10:00+02:00"]) {
      expect([isDate(`2024-02-29T${time}`), pattern.test(`2024-02-29T${time}`)]).toEqual([
        true,
        true,
      ]);
    }
    for (const text of [
      "2024-13-01T10:00",
      "2024-02-30T10:00",
      "2024-04-31T10:00",
      "2024-02-29T24:00",
      "2024-02-29T10",
      "2024-02-29T",
    ]) {
      expect([isDate(text), pattern.test(text)]).toEqual([false, false]);
    }
  });

  test.each([
    [/^\d{4}-\d{2}-\d{2}$/, { format: "date" }],
    [/Z$/, { anyOf: [{ format: "date-time" }, { pattern: expect.any(String) }] }],
    [/^2025/, {}],
  ])("exact describes the dates that a pattern accepts: %s", async (pattern, formats) => {
    const rules = { at: { type: "date", required: true, pattern } } as const;
    const { properties } = (await bodySchemaOf(rules, { exact: true })) as { properties: object };
    expect(properties).toEqual({ at: { type: "string", pattern: pattern.source, ...formats } });
  });

  test("field names are plain data", async () => {
    const { properties } = await bodySchemaOf(
      JSON.parse('{"__proto__":{"type":"string"},"toString":{"type":"integer"}}'),
    );
    expect(Object.entries(properties as object)).toEqual([
      ["__proto__", { type: "string" }],
      ["toString", { type: "integer" }],
    ]);
  });
});

describe("Standard Schemas", () => {
  const expected = {
    type: "object",
    properties: { name: { type: "string", minLength: 2 } },
    required: ["name"],
  };
  test.each([
    ["Zod", z.object({ name: z.string().min(2) })],
    ["ArkType", type({ name: "string >= 2" })],
    ["Valibot", toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.minLength(2)) }))],
  ])("%s by its own export", async (_library, schema) => {
    expect(await bodySchemaOf(schema as never)).toEqual(expected);
  });

  test("the input of a schema is described, not its output", async () => {
    const schema = z.object({ n: z.string().transform(Number), d: z.string().default("x") });
    expect(await bodySchemaOf(schema)).toEqual({
      type: "object",
      properties: { n: { type: "string" }, d: { type: "string", default: "x" } },
      required: ["n"],
    });
  });

  test("types without JSON are unconstrained", async () => {
    expect(await bodySchemaOf(z.object({ d: z.date(), s: z.string() }))).toMatchObject({
      properties: { d: {}, s: { type: "string" } },
    });
  });

  test("a schema without an export is unconstrained, or converted by the application", async () => {
    const plain = v.object({ name: v.string() });
    expect(await bodySchemaOf(plain)).toEqual({
      description: "Validated by a valibot schema that has no JSON Schema.",
    });
    const converted = { type: "object", properties: { name: {} } };
    expect(await bodySchemaOf(plain, { toJsonSchema: () => converted })).toEqual(converted);
  });

  test("a recursive one is a component", async () => {
    const Node = z.object({
      name: z.string(),
      get children() {
        return z.array(Node);
      },
    });
    const { components } = await described(
      "/nodes",
      { name: "nodes.add", validation: Node },
      { method: "POST" },
    );
    expect(components["schemas"]?.["nodes.add"]).toMatchObject({
      properties: { children: { items: { $ref: "#/components/schemas/nodes.add" } } },
    });
  });

  test("in the query each property is a parameter; a union is one exploded parameter", async () => {
    const parametersOf = async (validation: NonNullable<RouteOptions["validation"]>) =>
      (await operationOf("/a", { validation })).parameters;
    expect(
      await parametersOf(z.object({ q: z.string(), n: z.coerce.number().optional() })),
    ).toEqual([
      { name: "q", in: "query", required: true, schema: { type: "string" } },
      { name: "n", in: "query", required: false, schema: { type: "number" } },
    ]);
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(await parametersOf(union)).toMatchObject([
      { name: "query", in: "query", style: "form", explode: true },
    ]);
  });

  test("rules beside a schema are combined", async () => {
    const { app, document } = exposed();
    app
      .getRouter()
      .group("/g", { validation: { a: { type: "string", required: true } } }, (group) => {
        group.post("/", answer, { validation: z.object({ b: z.int() }) });
      });
    const { requestBody } = (await document()).paths["/g"]?.["post"] ?? {};
    expect(requestBody).toMatchObject({
      required: true,
      content: {
        "application/json": { schema: { allOf: [{ required: ["a"] }, { required: ["b"] }] } },
      },
    });
  });
});

test("1,000 routes are described in at most ten times the processor time of 250", async () => {
  const describeRoutes = async (count: number): Promise<void> => {
    const { app, document } = exposed();
    for (let number = 0; number < count; number += 1) {
      app.getRouter().get(`/r${number}/:id`, () => json(number), {
        validation: { id: { type: "integer", required: true }, q: { type: "string" } },
      });
    }
    expect(Object.keys((await document()).paths)).toHaveLength(count);
  };
  const ratio = await costRatio(
    () => describeRoutes(1_000),
    () => describeRoutes(250),
    2,
  );
  expect(ratio).toBeLessThan(10);
});
