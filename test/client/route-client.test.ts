import {
  Application,
  Controller,
  created,
  defineRoutes,
  HttpError,
  html,
  json,
  noContent,
  success,
  text,
} from "espalier";
import { createClient, ProblemError } from "espalier/client";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

class ShowBook extends Controller.for({ params: { id: { type: "integer", required: true } } }) {
  async handle() {
    const { id } = this.params;
    if (id === 0) return this.error("No such book.", 404);
    return this.success({ id, addedAt: new Date(0), lent: undefined });
  }
}

class AddBook extends Controller.for({
  body: z.object({ title: z.string(), pages: z.number().default(1) }),
  responses: { 201: { data: { id: { type: "integer", required: true } } } },
}) {
  // The annotation hides what `created` returns: the declared responses count.
  handle(): Response {
    return this.created({ id: this.body.pages });
  }
}

const books = defineRoutes("/books", (r) => [
  r.get("/", (ctx) => json([{ page: ctx.validated.query.page }]), {
    query: { page: { type: "integer", default: 1 }, author: { type: "string" } },
  }),
  r.get("/:id", ShowBook),
  r.post("/", AddBook),
  r.put(
    "/:id(\\d+)",
    (ctx) => {
      const { title } = ctx.validated.body;
      if (ctx.params.id === "9") return created({ title });
      return success({ title, by: ctx.validated.headers["x-by"] });
    },
    {
      body: { title: { type: "string", required: true } },
      headers: { "x-by": { type: "string", required: true } },
    },
  ),
  r.delete("/:id", () => noContent()),
  r.post("/:id/cover", (ctx) => json(ctx.validated.body.cover.name), {
    body: { cover: { type: "file", required: true } },
  }),
]);

const pages = defineRoutes("/", (r) => [
  r.get("/", () => html("<p>Books</p>")),
  r.get("/search", (ctx) => text(ctx.validated.q), {
    validation: { q: { type: "string", required: true } },
  }),
  r.get("/files/*path", (ctx) => new Response(ctx.params.path)),
  r.get("/tags/:tag?", (ctx) => json(ctx.params.tag ?? "all")),
  r.get("/teapot", () => {
    throw new HttpError(418, "It is a teapot.");
  }),
]);

const app = new Application();
app.getRouter().include(books).include(pages);
const client = createClient<typeof books | typeof pages>({
  baseUrl: "http://library.example",
  fetch: app.fetch,
});

test("a controller's response is inferred from what it returns, after JSON", async () => {
  const { status, data, response } = await client.GET("/books/{id}", {
    params: { path: { id: 7 } },
  });
  expectTypeOf(status).toEqualTypeOf<200>();
  expectTypeOf(data.data.id).toEqualTypeOf<number>();
  expectTypeOf(data.data.addedAt).toEqualTypeOf<string>();
  expect(status).toBe(200);
  expect(response.status).toBe(200);
  expect(data).toEqual({ success: true, data: { id: 7, addedAt: "1970-01-01T00:00:00.000Z" } });
});

test("declared responses count where the return type is Response; defaults need not be sent", async () => {
  const { status, data } = await client.POST("/books", { body: { title: "Emma" } });
  expectTypeOf(status).toEqualTypeOf<201>();
  expectTypeOf(data.data.id).toEqualTypeOf<number>();
  expect(data.data.id).toBe(1);
});

test("a query with defaults may be omitted", async () => {
  const { data } = await client.GET("/books");
  expectTypeOf(data).toEqualTypeOf<{ page: number }[]>();
  expect(data).toEqual([{ page: 1 }]);
  const second = await client.GET("/books", { params: { query: { page: 2 } } });
  expect(second.data).toEqual([{ page: 2 }]);
});

test("the status tells several responses apart", async () => {
  const put = (id: string) =>
    client.PUT("/books/{id}", {
      params: { path: { id }, header: { "x-by": "Jane" } },
      body: { title: "Emma" },
    });
  const answer = await put("7");
  if (answer.status === 200) expectTypeOf(answer.data.data.by).toEqualTypeOf<string>();
  else expectTypeOf(answer.data).not.toHaveProperty("by");
  expect(answer.data).toEqual({ success: true, data: { title: "Emma", by: "Jane" } });
  expect((await put("9")).status).toBe(201);
});

test("a response without a body, and a form", async () => {
  const { data } = await client.DELETE("/books/{id}", { params: { path: { id: 7 } } });
  expectTypeOf(data).toEqualTypeOf<undefined>();
  expect(data).toBeUndefined();
  const body = new FormData();
  body.append("cover", new File(["a"], "a.png"));
  const sent = await client.POST("/books/{id}/cover", { params: { path: { id: 7 } }, body });
  expect(sent.data).toBe("a.png");
});

test("text needs parseAs; flat rules of GET are the query; a wildcard is a parameter", async () => {
  expect((await client.GET("/", { parseAs: "text" })).data).toBe("<p>Books</p>");
  const params = { query: { q: "Emma" } };
  const { data } = await client.GET("/search", { params, parseAs: "text" });
  expectTypeOf(data).toEqualTypeOf<string>();
  expect(data).toBe("Emma");
  const path = { path: "a.txt" };
  const file = await client.GET("/files/{path}", { params: { path }, parseAs: "text" });
  expect(file.data).toBe("a.txt");
});

test("a pattern with an optional segment has two paths", async () => {
  expect((await client.GET("/tags")).data).toBe("all");
  expect((await client.GET("/tags/{tag}", { params: { path: { tag: "new" } } })).data).toBe("new");
});

test("rules of a group replace those of a controller, and rules of a route both", async () => {
  class ListLoans extends Controller.for({
    query: {
      page: { type: "string", required: true },
      size: { type: "string", required: true },
      sort: { type: "string", required: true },
    },
  }) {
    handle() {
      return this.json(this.context.validated);
    }
  }
  const validation = {
    query: {
      page: { type: "boolean", required: true },
      size: { type: "integer", required: true },
    },
  } as const;
  const loans = defineRoutes("/loans", { validation }, (r) => [
    r.get("/", ListLoans, { query: { page: { type: "integer", required: true } } }),
  ]);
  const lending = new Application();
  lending.getRouter().include(loans);
  const { GET } = createClient<typeof loans>({
    baseUrl: "http://library.example",
    fetch: lending.fetch,
  });
  const { data } = await GET("/loans", { params: { query: { page: 1, size: 2, sort: "due" } } });
  expect(data).toEqual({ query: { page: 1, size: 2, sort: "due" } });
  const mistakes = (): unknown[] => [
    // @ts-expect-error the route's rule counts
    GET("/loans", { params: { query: { page: true, size: 2, sort: "due" } } }),
    // @ts-expect-error the group's rule counts
    GET("/loans", { params: { query: { page: 1, size: "2", sort: "due" } } }),
    // @ts-expect-error the controller's rule counts
    GET("/loans", { params: { query: { page: 1, size: 2, sort: 3 } } }),
  ];
  expect(mistakes).toBeTypeOf("function");
});

test("an unsuccessful response is thrown", async () => {
  const params = { path: { id: 0 } };
  await expect(client.GET("/books/{id}", { params })).rejects.toMatchObject({ status: 404 });
  const error = await client.GET("/teapot").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({ status: 418, detail: "It is a teapot." });
});

test("mistakes do not compile", () => {
  const calls = (): unknown[] => [
    // @ts-expect-error an unknown path
    client.GET("/boks"),
    // @ts-expect-error a path of another method
    client.DELETE("/books"),
    // @ts-expect-error the options are missing
    client.GET("/books/{id}"),
    // @ts-expect-error the parameter is a number
    client.GET("/books/{id}", { params: { path: { id: "x" } } }),
    // @ts-expect-error an unknown query parameter
    client.GET("/books", { params: { query: { pag: 1 } } }),
    // @ts-expect-error the title is missing
    client.POST("/books", { body: { pages: 1 } }),
    // @ts-expect-error the route reads no body
    client.DELETE("/books/{id}", { params: { path: { id: 7 } }, body: {} }),
    // @ts-expect-error text is not JSON
    client.GET("/"),
    // @ts-expect-error the form has a file
    client.POST("/books/{id}/cover", { params: { path: { id: 7 } }, body: { cover: "" } }),
  ];
  expect(calls).toBeTypeOf("function");
});
