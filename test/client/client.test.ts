import { Application, json } from "espalier";
import { type Client, createClient, ProblemError } from "espalier/client";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from "vitest";
import { createLibrary } from "./library.ts";
import type { paths } from "./library-api.ts";

const baseUrl = "http://library.example";
const app = createLibrary();
const client = createClient<paths>({ baseUrl, fetch: app.fetch });

async function problemOf(call: Promise<unknown>): Promise<ProblemError> {
  const error = await call.then(
    () => "it was a success",
    (reason: unknown) => reason,
  );
  if (error instanceof ProblemError) return error;
  throw new Error(`no ProblemError: ${String(error)}`);
}

describe("a success", () => {
  test("has its data, typed", async () => {
    const { data, response } = await client.GET("/books/{id}", { params: { path: { id: "7" } } });
    expectTypeOf(data).toEqualTypeOf<{ id: number; title: string }>();
    expect(data).toEqual({ id: 7, title: "Emma" });
    expect(response.status).toBe(200);
  });

  test("of a body that is sent", async () => {
    const { data } = await client.POST("/books", { body: { title: "Persuasion" } });
    expectTypeOf(data.title).toEqualTypeOf<string>();
    expect(data).toEqual({ id: 7, title: "Persuasion" });
  });

  test("of a form, with one file or several", async () => {
    const body = new FormData();
    body.append("photos", new File(["a"], "a.png"));
    const one = await client.POST("/photos", { body });
    expectTypeOf(one.data).toEqualTypeOf<number>();
    expect(one.data).toBe(1);
    body.append("photos", new File(["b"], "b.png"));
    expect((await client.POST("/photos", { body })).data).toBe(2);
  });

  test("of a form where JSON is allowed as well, or no body", async () => {
    const body = new FormData();
    body.append("text", "Emma");
    expect((await client.POST("/notes", { body })).data).toEqual({ text: "Emma" });
    expect((await client.POST("/notes", { body: { text: "Emma" } })).data).toEqual({
      text: "Emma",
    });
    expect((await client.POST("/notes")).data).toEqual({});
  });

  test("without a body", async () => {
    const { data } = await client.DELETE("/books/{id}", { params: { path: { id: "7" } } });
    expectTypeOf(data).toEqualTypeOf<undefined>();
    expect(data).toBeUndefined();
  });

  test("that is not JSON", async () => {
    const { data } = await client.GET("/books.csv", { parseAs: "text" });
    expectTypeOf(data).toEqualTypeOf<string>();
    expect(data).toBe("7,Emma\n");
  });

  test("without a description has unknown data", async () => {
    const { data } = await client.GET("/echo");
    expectTypeOf(data).toEqualTypeOf<unknown>();
    expect(data).toMatchObject({ authorization: null });
  });
});

describe("a problem is thrown", () => {
  test("with what it says", async () => {
    const call = client.GET("/books/{id}", { params: { path: { id: "0" } } });
    const problem = await problemOf(call);
    expect(problem).toMatchObject({
      name: "ProblemError",
      status: 404,
      title: "Not Found",
      detail: "No such book.",
      instance: "http://library.example/books/0",
      errors: [],
      message: "GET /books/{id} responded with 404 Not Found. No such book.",
    });
    expect(problem.type).toMatch(/^https:/);
    expect(problem.traceId).toMatch(/^[0-9a-f-]{36}$/);
    expect(problem.body).toMatchObject({ status: 404 });
    expect(problem.response.headers.get("content-type")).toBe("application/problem+json");
  });

  test("with every field that is wrong", async () => {
    const problem = await problemOf(client.POST("/books", { body: { title: "", pages: 0 } }));
    expect(problem.status).toBe(422);
    expect(problem.errors.map(({ field }) => field)).toEqual(["title", "pages"]);
    expect(problem.message).toContain("\n  - pages: ");
  });

  const answering = (response: Response): Client<paths> =>
    createClient<paths>({ baseUrl, fetch: async () => response });

  test.each([
    [
      "a page of a proxy",
      new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" }),
      "Bad Gateway",
      "<h1>Bad gateway</h1>",
    ],
    ["nothing", new Response(null, { status: 500 }), "No success", ""],
    [
      "JSON of another form",
      Response.json({ title: 7, errors: [null, { field: 1 }, "x"] }, { status: 400 }),
      "No success",
      { title: 7, errors: [null, { field: 1 }, "x"] },
    ],
    ["JSON null", Response.json(null, { status: 400 }), "No success", null],
    [
      "a redirect that is not followed",
      new Response(null, { status: 302, headers: { location: "/" } }),
      "No success",
      "",
    ],
  ])("%s is a problem, too", async (_title, response, title, body) => {
    const problem = await problemOf(answering(response).GET("/echo"));
    expect(problem).toMatchObject({
      status: response.status,
      type: "about:blank",
      title,
      detail: undefined,
      errors: [],
      body,
    });
  });

  test.each([200, 400])("a response with status %i does not change a prototype", async (status) => {
    const before = Reflect.ownKeys(Object.prototype);
    const polluting = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
    const errors = '[{"__proto__":{"field":"a","message":"b"}}]';
    const headers = { "content-type": "application/json" };
    const response = new Response(`${polluting},"errors":${errors}}`, { status, headers });
    const call = answering(response).GET("/echo");
    const read: object = status === 200 ? ((await call).data as object) : await problemOf(call);
    expect("polluted" in read).toBe(false);
    if (read instanceof ProblemError) expect(read.errors).toEqual([]);
    expect([Reflect.ownKeys(Object.prototype), "polluted" in {}]).toEqual([before, false]);
  });

  test("the trace is the response's where the body has none", async () => {
    const response = new Response("", { status: 503, headers: { "x-request-id": "abc" } });
    expect((await problemOf(answering(response).GET("/echo"))).traceId).toBe("abc");
  });

  test("a server that is not there rejects with what fetch says", async () => {
    const fetch = (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));
    const call = createClient<paths>({ baseUrl, fetch }).GET("/echo");
    await expect(call).rejects.toThrow(new TypeError("fetch failed"));
  });
});

describe("what is sent", () => {
  const echo = async (options: object, init = {}): Promise<unknown> =>
    (await createClient<paths>({ baseUrl, fetch: app.fetch, ...options }).GET("/echo", init)).data;

  test.each([
    ["a text", "abc", "Bearer abc"],
    ["a function", () => "abc", "Bearer abc"],
    ["an async function", async () => "abc", "Bearer abc"],
    ["a function without one", () => undefined, null],
  ])("a token that is %s", async (_title, token, authorization) => {
    expect(await echo({ token })).toMatchObject({ authorization });
  });

  test("a function is asked before each call", async () => {
    let count = 0;
    const counting = createClient<paths>({
      baseUrl,
      fetch: app.fetch,
      token: () => `t${++count}`,
    });
    await counting.GET("/echo");
    expect((await counting.GET("/echo")).data).toMatchObject({ authorization: "Bearer t2" });
  });

  test("the call's own authorization comes first", async () => {
    const init = { headers: { authorization: "Basic x" } };
    expect(await echo({ token: "abc" }, init)).toMatchObject({ authorization: "Basic x" });
  });

  test("a token is not sent to another origin", async () => {
    const token = vi.fn(() => "abc");
    for (const other of ["http://other.example", "https://library.example", `${baseUrl}:81`]) {
      expect(await echo({ token }, { baseUrl: other })).toMatchObject({ authorization: null });
    }
    expect(token).not.toHaveBeenCalled();
    expect(await echo({ token, baseUrl: `${baseUrl}/` })).toMatchObject({
      authorization: "Bearer abc",
    });
  });

  test("headers of the client", async () => {
    expect(await echo({ headers: { "x-from": "tests" } })).toMatchObject({ from: "tests" });
  });

  test("nothing becomes the environment of an application in this process", async () => {
    expect(await echo({})).toMatchObject({ env: true });
  });

  test("middleware of openapi-fetch can be added", async () => {
    const seen: string[] = [];
    const own = createClient<paths>({ baseUrl, fetch: app.fetch });
    own.use({ onRequest: ({ request }) => void seen.push(request.url) });
    await own.GET("/books/{id}", { params: { path: { id: "a/b" } } });
    expect(seen).toEqual(["http://library.example/books/a%2Fb"]);
  });
});

describe("over the network", () => {
  const server = new Application();
  server.getRouter().get("/echo", () => json({ over: "network" }));
  let url = "";
  beforeAll(async () => {
    const address = await server.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
    url = address.url;
  });
  afterAll(() => server.stop());

  test("by the global fetch", async () => {
    const { data } = await createClient<paths>({ baseUrl: url }).GET("/echo");
    expect(data).toEqual({ over: "network" });
  });
});

test("wrong use does not compile", () => {
  // Looked at by the compiler alone.
  const never = (): unknown[] => [
    // @ts-expect-error the path is unknown
    client.GET("/bookz"),
    // @ts-expect-error the path has no such method
    client.PUT("/books/{id}", { params: { path: { id: "7" } } }),
    // @ts-expect-error the path needs its parameter
    client.GET("/books/{id}"),
    // @ts-expect-error of another name
    client.GET("/books/{id}", { params: { path: { isbn: "7" } } }),
    // @ts-expect-error a body is needed
    client.POST("/books"),
    // @ts-expect-error with its fields
    client.POST("/books", { body: {} }),
    // @ts-expect-error of their types
    client.POST("/books", { body: { title: "Emma", pages: "many" } }),
    // @ts-expect-error and no others
    client.POST("/books", { body: { title: "Emma", titel: "Emma" } }),
    // @ts-expect-error a form is a FormData
    client.POST("/photos", { body: { photos: ["a"] } }),
    // @ts-expect-error and needed here
    client.POST("/photos"),
    // @ts-expect-error data has the fields that are described
    client.GET("/books/{id}", { params: { path: { id: "7" } } }).then(({ data }) => data.author),
    // @ts-expect-error a client needs to know where the application is
    createClient<paths>({}),
  ];
  expect(never).toBeTypeOf("function");
});

test.each<[unknown, string]>([
  [
    { baseURL: "x" },
    'createClient: unknown option "baseURL". Its options are baseUrl, fetch, token, headers, credentials.',
  ],
  [{}, 'The option "baseUrl" of createClient must be a string, got undefined.'],
  [{ baseUrl: 5 }, 'The option "baseUrl" of createClient must be a string, got number.'],
])("createClient() rejects %j", (options, message) => {
  expect(() => createClient<paths>(options as never)).toThrow(new TypeError(message));
});

test("createClient() accepts a relative base URL", () => {
  expect(() => createClient<paths>({ baseUrl: "" })).not.toThrow();
});
