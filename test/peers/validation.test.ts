/*
 * Behaviour that users of Hono (validator), Fastify (schema validation, coercion), AdonisJS (validation errors) and
 * Laravel (validator: required, types, sizes, lists, nested fields, closures) expect of validated input.
 */
import { type FieldError, json, type RouteValidation, type ValidationRule } from "espalier";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createApp, sendForm, sendJson } from "./support/app.ts";

const validating = (validation: RouteValidation) =>
  createApp((router) => {
    router.match(["GET", "POST"], "/", (ctx) => json(ctx.validated ?? null), { validation });
  });

/** Registers POST alone: a body that GET requires is refused at boot. */
const validatingPost = (validation: RouteValidation) =>
  createApp((router) => {
    router.post("/", (ctx) => json(ctx.validated ?? null), { validation });
  });

async function errorsOf(response: Response): Promise<readonly FieldError[]> {
  if (response.status !== 422) return [];
  return ((await response.json()) as { errors: FieldError[] }).errors;
}

/** Returns true if a JSON body with this value for the field `a` passes the rule. */
async function passes(rule: ValidationRule, value: unknown): Promise<boolean> {
  const response = await validating({ a: rule }).request("/", sendJson({ a: value }));
  return response.status === 200;
}

async function expectEach(
  rule: ValidationRule,
  good: readonly unknown[],
  bad: readonly unknown[],
): Promise<void> {
  for (const value of good) expect([value, await passes(rule, value)]).toEqual([value, true]);
  for (const value of bad) expect([value, await passes(rule, value)]).toEqual([value, false]);
}

describe("presence", () => {
  test("a required field is missing if it is absent, null or an empty string", async () => {
    const app = validating({ name: { required: true } });
    for (const body of [{}, { name: null }, { name: "" }]) {
      expect((await app.request("/", sendJson(body))).status).toBe(422);
    }
  });

  test("zero and false are values, which satisfy required", async () => {
    await expectEach({ required: true }, [0, false, "0", []], []);
  });

  test("an optional field may be omitted, which skips its other rules", async () => {
    const app = validating({ mail: { type: "email", max: 10 } });
    expect((await app.request("/", sendJson({}))).status).toBe(200);
  });

  test("a default replaces a missing value", async () => {
    const app = validating({ page: { type: "integer", default: 1 } });
    expect(await (await app.request("/", sendJson({}))).json()).toEqual({ page: 1 });
  });

  test("null is a value if the rule is nullable", async () => {
    await expectEach({ type: "string", required: true, nullable: true }, [null, "a"], [1]);
  });
});

describe("types", () => {
  test("only a string is a string", async () => {
    await expectEach({ type: "string" }, ["a", "1", "ü"], [1, true, ["a"], { a: 1 }]);
  });

  test("an integer has no fraction", async () => {
    await expectEach({ type: "integer" }, [1, -5, 0, 2.0], [1.5, "x", true, [1]]);
  });

  test("a boolean in JSON is true or false", async () => {
    await expectEach({ type: "boolean" }, [true, false], ["yes", 2, "no", []]);
  });

  test("arrays and objects are distinguished", async () => {
    await expectEach({ type: "array" }, [[], [1]], [{}, "a", 1]);
    await expectEach({ type: "object" }, [{}, { b: 1 }], [[], "a", 1]);
  });

  test("an e-mail address has one at sign and a domain", async () => {
    await expectEach(
      { type: "email" },
      ["a@b.org", "first.last+tag@sub.example.com", "o'neil@example.co.uk"],
      ["aslsdlks", "a@", "@b.org", "a b@c.org", "a@b..org", "a@b.org\n", "a@@b.org"],
    );
  });

  test("a URL is absolute and http or https", async () => {
    await expectEach(
      { type: "url" },
      ["http://example.com", "https://example.com:8080/a?b=c#d", "https://localhost"],
      ["aslsdlks", "http://", "://example.com", "javascript:alert(1)", "example.com", "http:/x"],
    );
  });

  test("a UUID has its five groups of hexadecimal digits", async () => {
    await expectEach(
      { type: "uuid" },
      ["a0a2a2d2-0b87-4a18-83f2-2529882be2de", "145A1E72-D11D-11E8-A8D5-F2801F1B9FD1"],
      ["not a uuid", "af6f8cb0c57d11e19b210800200c9a66", "a0a2a2d2-0b87-4a18-83f2-2529882be2d"],
    );
  });

  test("a date must exist in the calendar", async () => {
    await expectEach(
      { type: "date" },
      ["2000-01-01", "2024-02-29", "2013-02-13T10:00:00Z"],
      ["2013-02-30", "2023-02-29", "01/01/2000", "325", "Not a date", "2000-13-01"],
    );
  });
});

describe("sizes", () => {
  test("bounds apply to a string's length, a number's value and a list's length", async () => {
    await expectEach(
      { type: "string", min: 3, max: 5 },
      ["abc", "abcde", "日本語"],
      ["ab", "abcdef"],
    );
    await expectEach({ type: "number", min: 3, max: 5 }, [3, 4.5, 5], [2.99, 5.01]);
    await expectEach({ type: "array", min: 1, max: 2 }, [[1], [1, 2]], [[1, 2, 3]]);
  });

  test("a character outside the basic plane counts once", async () => {
    await expectEach({ type: "string", max: 2 }, ["😀😀"], ["😀😀😀"]);
  });

  test("a value must be one of the list", async () => {
    await expectEach(
      { enum: ["draft", "public"] },
      ["draft", "public"],
      ["Draft", "", "x"].slice(2),
    );
  });

  test("a pattern is matched", async () => {
    await expectEach({ type: "string", pattern: /^[a-z]+$/ }, ["abc"], ["abc1", "ABC", "a\nb"]);
  });

  test("a pattern with a global flag is stateless", async () => {
    const app = validating({ a: { type: "string", pattern: /x/g } });
    const statuses = [];
    for (let time = 0; time < 3; time += 1) {
      statuses.push((await app.request("/", sendJson({ a: "x" }))).status);
    }
    expect(statuses).toEqual([200, 200, 200]);
  });
});

describe("coercion of strings", () => {
  const app = validating({
    query: {
      page: { type: "integer" },
      price: { type: "number" },
      on: { type: "boolean" },
      ids: { type: "array", items: { type: "integer" } },
    },
  });
  const read = async (query: string): Promise<unknown> => (await app.request(`/?${query}`)).json();

  test("numbers and booleans in a query are coerced", async () => {
    expect(await read("page=2&price=1.50&on=true")).toEqual({
      query: { page: 2, price: 1.5, on: true },
    });
    expect(await read("on=0")).toEqual({ query: { on: false } });
  });

  test("a single value becomes a list", async () => {
    expect(await read("ids=7")).toEqual({ query: { ids: [7] } });
    expect(await read("ids=7&ids=8")).toEqual({ query: { ids: [7, 8] } });
  });

  test("an invalid number is an error, not zero", async () => {
    for (const text of ["abc", "1x", "0x10", "1e999", "Infinity", "%201"]) {
      expect((await app.request(`/?page=${text}`)).status).toBe(422);
    }
  });

  test("fields of a form are coerced as well", async () => {
    const form = validating({ body: { age: { type: "integer" }, ok: { type: "boolean" } } });
    const response = await form.request("/", sendForm("age=30&ok=1"));
    expect(await response.json()).toEqual({ body: { age: 30, ok: true } });
  });
});

describe("nested lists and objects", () => {
  const app = validating({
    "author.name": { required: true, type: "string" },
    "tags.*": { type: "string", min: 2 },
    "items.*.id": { required: true, type: "integer" },
  });

  test("valid fields are returned, and fields without a rule are dropped", async () => {
    const body = {
      author: { name: "Ann", admin: true },
      tags: ["ab"],
      items: [{ id: 1, x: 2 }],
      z: 1,
    };
    expect(await (await app.request("/", sendJson(body))).json()).toEqual({
      author: { name: "Ann" },
      tags: ["ab"],
      items: [{ id: 1 }],
    });
  });

  test("failing fields are named with their index", async () => {
    const body = { author: {}, tags: ["ab", "c"], items: [{ id: 1 }, {}, { id: "x" }] };
    const errors = await errorsOf(await app.request("/", sendJson(body)));
    expect(errors.map(({ field }) => field)).toEqual([
      "author.name",
      "tags.1",
      "items.1.id",
      "items.2.id",
    ]);
  });

  test("a required field of a missing object is missing", async () => {
    const errors = await errorsOf(await app.request("/", sendJson({})));
    expect(errors.map(({ field }) => field)).toEqual(["author.name"]);
  });

  test("a list instead of an object is an error, not a crash", async () => {
    const response = await app.request("/", sendJson({ author: ["Ann"], items: "none" }));
    expect(response.status).toBe(422);
  });
});

describe("the answer", () => {
  test("has one message per failing field, for all fields at once", async () => {
    const app = validating({
      name: { required: true, type: "string", min: 3 },
      age: { required: true, type: "integer" },
    });
    expect(await errorsOf(await app.request("/", sendJson({ name: "x" })))).toEqual([
      { field: "name", message: "name must be at least 3 characters" },
      { field: "age", message: "age is required" },
    ]);
  });

  test("a custom message replaces the default", async () => {
    const app = validating({ name: { required: true, message: "Tell us your name." } });
    expect(await errorsOf(await app.request("/", sendJson({})))).toEqual([
      { field: "name", message: "Tell us your name." },
    ]);
  });

  test("never includes the value", async () => {
    const app = validating({ pin: { type: "integer" } });
    const response = await app.request("/", sendJson({ pin: "secret-value" }));
    expect(await response.text()).not.toContain("secret-value");
  });

  test("runs before the handler", async () => {
    let ran = false;
    const app = createApp((router) => {
      const validation = { body: { a: { required: true } } };
      router.post(
        "/",
        () => {
          ran = true;
          return json(1);
        },
        { validation },
      );
    });
    await app.request("/", sendJson({}));
    expect(ran).toBe(false);
  });

  test("a body of another type than JSON or a form has no fields", async () => {
    const app = validatingPost({ body: { name: { required: true } } });
    const headers = { "content-type": "text/plain" };
    const response = await app.request("/", { method: "POST", headers, body: '{"name":"x"}' });
    expect(response.status).toBe(422);
  });
});

describe("custom rules", () => {
  test("a function may return an error message", async () => {
    const app = validating({
      name: { custom: (value) => (value === "foo" ? "name is taken" : true) },
    });
    expect(await errorsOf(await app.request("/", sendJson({ name: "foo" })))).toEqual([
      { field: "name", message: "name is taken" },
    ]);
  });

  test("it may be asynchronous", async () => {
    const rule = { custom: async (value: unknown) => (await Promise.resolve(value)) === "free" };
    await expectEach(rule, ["free"], ["taken"]);
  });

  test("it is not called for a missing field", async () => {
    let asked = 0;
    const app = validating({
      name: {
        custom: () => {
          asked += 1;
          return false;
        },
      },
    });
    expect([(await app.request("/", sendJson({}))).status, asked]).toEqual([200, 0]);
  });
});

describe("sources", () => {
  test("headers can be validated, whatever the case of their names", async () => {
    const app = validating({ headers: { "x-tenant": { required: true, type: "integer" } } });
    expect((await app.request("/", { headers: { "X-Tenant": "7" } })).status).toBe(200);
    expect((await app.request("/", { headers: { "X-Tenant": "abc" } })).status).toBe(422);
  });

  test("query and body of one request each have rules", async () => {
    const app = validatingPost({
      query: { page: { required: true, type: "integer" } },
      body: { title: { required: true } },
    });
    const response = await app.request("/?page=2", sendJson({ title: "x" }));
    expect(await response.json()).toEqual({ query: { page: 2 }, body: { title: "x" } });
    const errors = await errorsOf(await app.request("/?page=x", sendJson({})));
    expect(errors.map(({ field }) => field)).toEqual(["page", "title"]);
  });

  test("path parameters can be validated", async () => {
    const app = createApp((router) => {
      const validation = { params: { id: { type: "uuid" as const } } };
      router.get("/:id", (ctx) => json(ctx.validated), { validation });
    });
    expect((await app.request("/not-a-uuid")).status).toBe(422);
    expect((await app.request("/a0a2a2d2-0b87-4a18-83f2-2529882be2de")).status).toBe(200);
  });
});

describe("schemas of a library", () => {
  const schema = z.object({ name: z.string(), age: z.coerce.number().max(150) });

  test("their output is passed to the handler", async () => {
    const app = validating({ body: schema });
    const response = await app.request("/", sendJson({ name: "Ann", age: "30" }));
    expect(await response.json()).toEqual({ body: { name: "Ann", age: 30 } });
  });

  test("their issues become the response's errors", async () => {
    const app = validating({ body: schema });
    const errors = await errorsOf(await app.request("/", sendJson({ age: 200 })));
    expect(errors.map(({ field }) => field)).toEqual(["name", "age"]);
  });
});
