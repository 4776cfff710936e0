import { createTestClient, type TestResponse } from "espalier/testing";
import { describe, expect, test } from "vitest";
import { createSampleApplication } from "./application.ts";

const { app, auth } = createSampleApplication();
const client = createTestClient(app);

/** Returns the message of a failing assertion; throws if it passes. */
function complaint(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    expect((error as Error).name).toBe("AssertionError");
    return (error as Error).message;
  }
  throw new Error("the assertion let it pass");
}

describe("requests", () => {
  test("path parameters and query are filled in and encoded", async () => {
    const response = await client.get("/books/:id", {
      params: { id: "a/b c" },
      query: { tag: ["x y", "z&"], none: undefined },
      headers: { "x-agent": "test" },
    });
    response.assertJson({ id: "a/b c", tags: ["x y", "z&"], agent: "test" });
  });

  test("a path without parameters is sent unchanged", async () => {
    (await client.get("/books/12:30?tag=a", { query: { tag: "b" } })).assertJson({
      id: "12:30",
      tags: ["a", "b"],
    });
  });

  test("names of parameters are checked by the compiler", async () => {
    // @ts-expect-error: not a parameter of the path
    const wrong = client.get("/books/:id", { params: { isbn: 1 } });
    await expect(wrong).rejects.toThrow(
      '/books/:id requires a value for the parameter "id". Add it to params.',
    );
  });

  test.each([
    ["json", { json: { a: [1] } }, "application/json", { a: [1] }],
    ["form", { form: { a: 1, b: true } }, /urlencoded/, { a: "1", b: "true" }],
    ["multipart", { form: { a: 1, file: new Blob(["x"]) } }, /^multipart\/form-data/, { a: "1" }],
    ["body", { body: "plain" }, /^text\/plain/, undefined],
  ])("a body as %s", async (_title, options, type, body) => {
    const response = await client.post("/body", options);
    const sent = response.json<{ type: string; body?: unknown }>();
    expect(sent.type).toMatch(type);
    if (body === undefined) expect(sent.body).toBeUndefined();
    else response.assertJson({ body });
  });

  test("two bodies are an error", async () => {
    await expect(client.post("/body", { json: 1, form: {} })).rejects.toMatchObject({
      code: "ERR_TESTING_BAD_OPTION",
      message: "client.post() got both json and form; a request has one body. Leave one out.",
    });
  });

  test("env, headers and base URL of the client apply to each request", async () => {
    const own = createTestClient(app, {
      env: { GREETING: "hello" },
      headers: { "x-agent": "one" },
      baseUrl: "https://books.example",
    });
    (await own.post("/welcome")).assertJson({ GREETING: "hello" });
    (await own.get("/books/1")).assertJson({ agent: "one" });
    (await own.withHeaders({ "x-agent": "two" }).get("/books/1")).assertJson({ agent: "two" });
  });

  test("other methods, and an unread stream", async () => {
    (await client.options("/text")).assertStatus(204);
    expect((await client.head("/text")).assertOk().text).toBe("");
    (await client.put("/text")).assertProblem(405);
    const response = await client.stream("/text");
    expect(await response.text()).toBe("good morning");
  });

  test("a worker can be tested as well", async () => {
    (await createTestClient(app.worker()).get("/text")).assertOk();
  });
});

describe("acting as a user", () => {
  test.each(["auth", "optional", "basic", "api-key"])("passes the middleware %s", async (guard) => {
    const path = `/me/${guard}`;
    const ada = client.actingAs({ id: "7", name: "Ada" }, { scope: "all" });
    (await ada.get(path)).assertOk().assertJson({ user: { id: "7", name: "Ada" } });
    // Also if the body was read and the request recreated.
    (await ada.post(path, { json: { a: 1 } })).assertJson({ user: { id: "7" } });
    if (guard === "optional") (await client.get(path)).assertJson({ user: null });
    else (await client.get(path)).assertStatus(401);
  });

  test("policies still decide", async () => {
    (await client.actingAs({ role: "reader" }).post("/librarians")).assertStatus(403);
    (await client.actingAs({ role: "librarian" }).post("/librarians")).assertOk();
  });

  test("claims are available", async () => {
    const ada = client.actingAs({ id: "7" }, { scope: "all" });
    (await ada.get("/me/auth")).assertJson({ claims: { scope: "all" } });
  });

  test("it cannot be done over the network", async () => {
    const names = ["espalier.actingUser", "actingUser", "acting-user", "x-acting-user", "user"];
    for (const name of names) {
      for (const value of ['{"user":{"id":"7"}}', "Symbol(espalier.actingUser)", "7"]) {
        const headers = { [name]: value, cookie: `${name}=${encodeURIComponent(value)}` };
        const response = await client.post(`/me/auth?${name}=7`, {
          headers,
          json: { [name]: { user: { id: "7" } }, __proto__: { [name]: 1 } },
        });
        response.assertStatus(401);
      }
    }
    // Symbols with the same description, also registered ones, are different.
    const request = new Request("http://localhost/me/auth");
    for (const symbol of [Symbol("espalier.actingUser"), Symbol.for("espalier.actingUser")]) {
      Object.assign(request.headers, { [symbol]: { user: { id: "7" }, claims: {} } });
    }
    expect((await app.fetch(request)).status).toBe(401);
  });

  test("a copy of a request does not have the identity", async () => {
    const seen: Request[] = [];
    const spy = {
      fetch(request: Request): Promise<Response> {
        seen.push(request);
        return app.fetch(new Request(request));
      },
    };
    (await createTestClient(spy).actingAs({ id: "7" }).get("/me/auth")).assertStatus(401);
    expect([...(seen[0]?.headers ?? [])]).toEqual([]);
  });

  test("a token is sent", async () => {
    const token = await auth.generateToken({ id: "9" });
    (await client.withToken(token).get("/me/auth")).assertJson({ user: { id: "9" } });
    (await client.withToken("wrong").get("/me/auth")).assertStatus(401);
  });
});

describe("cookies", () => {
  test("are stored between requests, per client", async () => {
    const browser = createTestClient(app);
    (await browser.get("/visits")).assertJson({ visits: 1 });
    (await browser.withHeaders({ "x-agent": "a" }).get("/visits")).assertJson({ visits: 2 });
    (await browser.actingAs({ id: "1" }).get("/visits")).assertJson({ visits: 1 });
    (await createTestClient(app).get("/visits")).assertJson({ visits: 1 });
    browser.cookies.clear();
    (await browser.get("/visits")).assertJson({ visits: 1 });
  });
});

describe("failing assertions show the actual value", () => {
  const created = (): Promise<TestResponse> =>
    client.post("/books", { json: { title: "Emma", pages: 3 } });
  const invalid = (): Promise<TestResponse> => client.post("/books", { json: { pages: "x" } });

  test("passing ones can be chained", async () => {
    (await created())
      .assertStatus(201)
      .assertOk()
      .assertHeader("content-type")
      .assertHeader("content-type", "application/json")
      .assertHeader("content-type", /json/)
      .assertNoHeader("location")
      .assertText("Emma")
      .assertJson({ data: { title: "Emma" } });
    (await invalid())
      .assertProblem(422, { title: "Validation Failed" })
      .assertValidationError("title", "pages");
    (await client.get("/old")).assertRedirect().assertRedirect("/new");
    expect((await client.get("/text")).bytes).toHaveLength(12);
  });

  test("status", async () => {
    const response = await created();
    expect(complaint(() => response.assertStatus(200))).toBe(
      "POST /books: the status is 201, not 200.\n" +
        '201 {"success":true,"data":{"id":1,"title":"Emma","pages":3}}',
    );
    const missing = await client.get("/nowhere");
    expect(complaint(() => missing.assertOk())).toMatch(/^GET \/nowhere: the status is 404, not 2/);
    expect(complaint(() => response.assertRedirect())).toContain("not a redirect");
  });

  test.each([
    [{ data: { title: "Persuasion" } }, 'of the body, data.title is "Emma", not "Persuasion".'],
    [{ data: { author: "Austen" } }, 'of the body, data.author is undefined, not "Austen".'],
    [{ data: { toString: null } }, "of the body, data.toString is undefined, not null."],
    [{ data: [1] }, "of the body, data is {"],
    [{ success: { a: 1 } }, "of the body, success is true, not an object."],
  ])("json %j", async (expected, message) => {
    const response = await created();
    expect(complaint(() => response.assertJson(expected))).toContain(message);
  });

  test("lists are compared as a whole", async () => {
    const response = await client.get("/books/1?tag=a&tag=b");
    response.assertJson({ tags: ["a", "b"] });
    expect(complaint(() => response.assertJson({ tags: ["a"] }))).toContain(
      "tags has 2 items, not 1",
    );
    expect(complaint(() => response.assertJson({ tags: ["a", "c"] }))).toContain(
      'tags[1] is "b", not "c"',
    );
  });

  test("headers, text, and invalid JSON", async () => {
    const response = await client.get("/text");
    expect(complaint(() => response.assertHeader("etag"))).toContain("the header etag is missing");
    expect(complaint(() => response.assertHeader("content-type", "text/html"))).toContain(
      'the header content-type is "text/plain; charset=utf-8", not text/html',
    );
    expect(complaint(() => response.assertNoHeader("content-type"))).toContain("is there");
    expect(complaint(() => response.assertText("evening"))).toContain(
      'the body does not contain "evening".\n200 good morning',
    );
    expect(complaint(() => response.json())).toContain("the body is not JSON");
  });

  test("problems and failed validations", async () => {
    const response = await invalid();
    expect(complaint(() => response.assertProblem(404))).toContain("the status is 422, not 404");
    expect(complaint(() => response.assertValidationError("author"))).toContain(
      'no error is about "author", only about ["title","pages"]',
    );
    const fine = await created();
    expect(complaint(() => fine.assertProblem(201))).toContain("content-type");
  });
});
