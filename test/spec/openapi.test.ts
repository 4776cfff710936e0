import {
  type Application,
  Auth,
  Controller,
  createAuthMiddleware,
  type OpenApiDocument,
  RateLimitMiddleware,
  text,
} from "espalier";
import { expect, test } from "vitest";
import { createApp } from "./support.ts";

/** The parts of an operation that are looked at here. */
interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly security?: unknown;
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { content: Record<string, { schema: object }> };
  readonly responses: Record<string, unknown>;
}
type Described = Omit<OpenApiDocument, "paths"> & {
  readonly paths: Record<string, Record<string, Operation>>;
};

async function descriptionOf(app: Application, path = "/openapi.json"): Promise<Described> {
  return (await (await app.request(path)).json()) as Described;
}

/** The description of an application with these routes. */
async function describing(register: (app: Application) => void): Promise<Described> {
  const app = createApp();
  register(app);
  app.exposeOpenApi("/openapi.json");
  return descriptionOf(app);
}

const hello = () => text("hello");
const parametersOf = (operation: Operation | undefined) =>
  operation?.parameters?.map((parameter) => [parameter.in, parameter.name, parameter.required]);

test("OpenAPI, exposeOpenApi: OpenAPI 3.1.0 as JSON at the given path", async () => {
  const app = createApp();
  app.getRouter().get("/books", hello);
  expect((await app.request("/api/description")).status).toBe(404);
  app.exposeOpenApi("/api/description");
  const response = await app.request("/api/description");
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/json",
  ]);
  expect(await response.json()).toMatchObject({ openapi: "3.1.0", info: { title: "API" } });
});

test("OpenAPI, routes: every route once, also later ones; without itself and health", async () => {
  const app = createApp();
  app.exposeOpenApi("/openapi.json", { ui: "/docs" }).enableHealthEndpoints();
  const router = app.getRouter();
  router.get("/books", hello).post("/books", hello).delete("/books/:id", hello);
  const operationsOf = (document: Described) =>
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
  const first = ["get /books", "post /books", "delete /books/{id}"];
  expect(operationsOf(await descriptionOf(app)).toSorted()).toEqual(first.toSorted());
  router.get("/late", hello);
  expect(operationsOf(await descriptionOf(app)).toSorted()).toEqual(
    [...first, "get /late"].toSorted(),
  );
});

test("OpenAPI, paths: parameters are in braces; an optional segment gives two paths", async () => {
  const { paths } = await describing((app) => {
    app.getRouter().get("/authors/:author/books/:id?", hello);
  });
  const [without, whole] = ["/authors/{author}/books", "/authors/{author}/books/{id}"] as const;
  expect(Object.keys(paths).toSorted()).toEqual([without, whole]);
  expect(parametersOf(paths[without]?.["get"])).toEqual([["path", "author", true]]);
  expect(parametersOf(paths[whole]?.["get"])).toEqual([
    ["path", "author", true],
    ["path", "id", true],
  ]);
});

test("OpenAPI, validation: the schemas of controller and route are parameters and bodies", async () => {
  class Create extends Controller {
    protected override schema = {
      title: { required: true, type: "string", min: 2, max: 80 },
      pages: { type: "number", min: 1 },
    };
    async handle(): Promise<Response> {
      return this.text("x");
    }
  }
  const { paths } = await describing((app) => {
    const router = app.getRouter();
    router.get("/books", hello, { validation: { page: { type: "number", required: true } } });
    router.post("/books", Create, { validation: { pages: { type: "number", max: 9000 } } });
  });
  const { get, post } = paths["/books"] ?? {};
  expect(parametersOf(get)).toEqual([["query", "page", true]]);
  expect(get?.parameters?.[0]?.schema).toMatchObject({ type: "number" });
  expect(post?.requestBody?.content["application/json"]?.schema).toMatchObject({
    type: "object",
    required: ["title"],
    properties: {
      title: { type: "string", minLength: 2, maxLength: 80 },
      pages: { type: "number", maximum: 9000 },
    },
  });
  expect(post?.requestBody?.content["application/json"]?.schema).not.toHaveProperty(
    "properties.pages.minimum",
  );
});

test("OpenAPI, responses: 422 only for validated routes", async () => {
  const { paths } = await describing((app) => {
    app.getRouter().get("/plain", hello);
    app.getRouter().get("/ruled", hello, { validation: { page: { type: "number" } } });
  });
  expect(Object.keys(paths["/ruled"]?.["get"]?.responses ?? {})).toContain("422");
  expect(Object.keys(paths["/plain"]?.["get"]?.responses ?? {})).not.toContain("422");
});

test("OpenAPI, responses: 401, 403 and 429 if the middleware can cause them", async () => {
  const { paths, components } = await describing((app) => {
    const auth = new Auth({ secret: "a secret of thirty-two bytes or more" });
    app.middleware("auth", createAuthMiddleware(auth));
    app.middleware("limit", new RateLimitMiddleware());
    app.definePolicy("edit", async () => true);
    const router = app.getRouter();
    router.get("/open", hello);
    router.group("/members", { middleware: ["auth"] }, (members) => {
      members.get("/", hello);
      members.put("/:id", hello, { middleware: ["limit", "can:edit"] });
    });
  });
  const statuses = (operation: Operation | undefined) =>
    Object.keys(operation?.responses ?? {}).filter((status) => /^4(01|03|29)$/.test(status));
  expect(statuses(paths["/open"]?.["get"])).toEqual([]);
  expect(statuses(paths["/members"]?.["get"])).toEqual(["401"]);
  expect(statuses(paths["/members/{id}"]?.["put"])).toEqual(["401", "403", "429"]);
  expect(paths["/open"]?.["get"]?.security).toEqual([]);
  expect(paths["/members"]?.["get"]?.security).toEqual([{ bearerAuth: [] }]);
  expect(components.securitySchemes).toMatchObject({
    bearerAuth: { type: "http", scheme: "bearer" },
  });
});

test("OpenAPI, tags: the first segment, or the group's name", async () => {
  const { paths } = await describing((app) => {
    app.getRouter().get("/books/:id", hello);
    app.getRouter().group("/v1", { name: "catalogue" }, (group) => group.get("/authors", hello));
  });
  expect(paths["/books/{id}"]?.["get"]?.tags).toEqual(["books"]);
  expect(paths["/v1/authors"]?.["get"]?.tags).toEqual(["catalogue"]);
});

test("OpenAPI, operationIds: unique in the document", async () => {
  const { paths } = await describing((app) => {
    const router = app.getRouter();
    router.get("/a/b", hello).get("/a-b", hello).get("/:a/:b?", hello).post("/a/b", hello);
    router.all("/every", hello);
  });
  const ids = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .map(({ operationId }) => operationId);
  expect(ids.length).toBeGreaterThan(8);
  expect(new Set(ids).size).toBe(ids.length);
});

test("OpenAPI, options: info, servers, and the documentation page at ui", async () => {
  const app = createApp();
  app.getRouter().get("/books/:id", hello);
  app.exposeOpenApi("/openapi.json", {
    info: { title: "Library <1>", version: "2.0.0" },
    servers: [{ url: "https://library.example" }],
    ui: "/docs",
  });
  expect(await descriptionOf(app)).toMatchObject({
    info: { title: "Library <1>", version: "2.0.0" },
    servers: [{ url: "https://library.example" }],
  });
  const page = await app.request("/docs");
  const content = await page.text();
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect(content).toContain("/books/{id}");
  expect(content).toContain("Library &lt;1&gt;");
});

test("OpenAPI, endpoint: global middleware runs for it", async () => {
  const app = createApp();
  app.use(() => text("closed", 403));
  app.exposeOpenApi("/openapi.json");
  expect((await app.request("/openapi.json")).status).toBe(403);
});
