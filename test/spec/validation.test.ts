import { Controller, json, type RouteValidation } from "espalier";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createApp, jsonOf, withForm, withJson } from "./support.ts";

/** Returns the errors of a POST with this body, or null if it is valid. */
async function errorsOf(validation: RouteValidation, init: RequestInit): Promise<unknown> {
  const app = createApp();
  app.getRouter().post("/", () => json(null), { validation });
  const answer = (await (await app.request("/", init)).json()) as { errors?: unknown } | null;
  return answer === null ? null : answer.errors;
}

/** Returns the message about the field `value`; null if it is valid. */
async function messageOf(rule: object, value: unknown): Promise<string | null> {
  const errors = (await errorsOf({ value: rule }, withJson({ value }))) as
    | { message: string }[]
    | null;
  return errors?.[0]?.message ?? null;
}

describe("required", () => {
  test("Validation, required: the field must be present", async () => {
    for (const body of [{}, { name: null }, { name: "" }]) {
      expect(await errorsOf({ name: { required: true } }, withJson(body))).toEqual([
        { field: "name", message: "name is required" },
      ]);
    }
    for (const name of ["x", 0, false, [], {}]) {
      expect(await errorsOf({ name: { required: true } }, withJson({ name }))).toBeNull();
    }
  });

  test("Validation, required: an optional field may be absent; its other rules are then skipped", async () => {
    expect(await errorsOf({ name: { type: "string", min: 5 } }, withJson({}))).toBeNull();
    expect(
      await errorsOf({ name: { required: false, min: 5 } }, withJson({ name: null })),
    ).toBeNull();
  });
});

describe("type", () => {
  test.each([
    ["string", "x", [1, true, [], {}], "a string"],
    ["number", 1.5, ["1", true, [1], {}], "a number"],
    ["boolean", false, ["true", 0, 1, [], {}], "a boolean"],
    ["array", [], ["x", 1, { length: 0 }], "an array"],
    ["integer", 7, [1.5, "7"], "an integer"],
    ["object", {}, [[], "x"], "an object"],
    ["email", "ada@example.com", ["ada", "ada@", 1], "a valid email"],
    ["url", "https://example.com/a", ["example", 1], "a valid URL"],
    ["uuid", "7f3c7b0e-5d8f-4b7e-9a55-0e2f3c1b2a10", ["7f3c7b0e", 1], "a valid UUID"],
    ["date", "2024-02-29", ["2023-02-29", "x"], "a valid date"],
  ])("Validation, type: %s", async (type, right, wrong, name) => {
    expect(await messageOf({ type }, right)).toBeNull();
    for (const value of wrong)
      expect(await messageOf({ type }, value)).toBe(`value must be ${name}`);
  });

  test("Validation, type: file", async () => {
    const form = new FormData();
    form.set("cover", new File(["x"], "x.png"));
    form.set("title", "x");
    const init = { method: "POST", body: form };
    expect(await errorsOf({ cover: { type: "file" } }, init)).toBeNull();
    expect(await errorsOf({ title: { type: "file" } }, { ...init })).toEqual([
      { field: "title", message: "title must be a file" },
    ]);
  });

  test("Validation, type: converts strings of path, query and form, but not JSON", async () => {
    const app = createApp();
    const rules = {
      validation: { n: { type: "number" }, b: { type: "boolean" }, a: { type: "array" } },
    } as const;
    app.getRouter().get("/q/:n", (ctx) => json(ctx.validated), rules);
    app.getRouter().post("/", (ctx) => json(ctx.validated), rules);
    const expected = { n: 1.5, b: true, a: ["x"] };
    expect(await (await app.request("/q/1.5?b=1&a=x")).json()).toEqual(expected);
    expect(await (await app.request("/", withForm("n=1.5&b=true&a=x"))).json()).toEqual(expected);
    const asText = await app.request("/", withJson({ n: "1.5", b: "true", a: "x" }));
    expect((await jsonOf(asText))["errors"]).toHaveLength(3);
    for (const text of ["", " 1", "1 ", "0x10", "1e", "Infinity", "१"]) {
      const response = await app.request(`/q/${encodeURIComponent(text || "x")}`);
      expect(response.status).toBe(422);
    }
  });
});

describe("min and max", () => {
  test("Validation, min: lower bound of a number, of a string's characters, of an array's items", async () => {
    expect(await messageOf({ type: "number", min: 2 }, 2)).toBeNull();
    expect(await messageOf({ type: "number", min: 2 }, 1)).toBe("value must be at least 2");
    expect(await messageOf({ type: "string", min: 2 }, "ab")).toBeNull();
    expect(await messageOf({ type: "string", min: 2 }, "🌳")).toBe(
      "value must be at least 2 characters",
    );
    expect(await messageOf({ type: "array", min: 2 }, [1, 2])).toBeNull();
    expect(await messageOf({ type: "array", min: 2 }, [1])).toBe(
      "value must contain at least 2 items",
    );
  });

  test("Validation, max: upper bound of a number, of a string's characters, of an array's items", async () => {
    expect(await messageOf({ type: "number", max: 65535 }, 65535)).toBeNull();
    expect(await messageOf({ type: "number", max: 65535 }, 65536)).toBe(
      "value must be at most 65535",
    );
    expect(await messageOf({ type: "string", max: 2 }, "🌳🌳")).toBeNull();
    expect(await messageOf({ type: "string", max: 2 }, "abc")).toBe(
      "value must be at most 2 characters",
    );
    expect(await messageOf({ type: "array", max: 2 }, [1, 2])).toBeNull();
    expect(await messageOf({ type: "array", max: 2 }, [1, 2, 3])).toBe(
      "value must contain at most 2 items",
    );
    expect(await messageOf({ type: "array", max: 0 }, [])).toBeNull();
    expect(await messageOf({ type: "array", max: 0 }, [1])).toBe(
      "value must contain at most 0 items",
    );
  });
});

describe("the further keys of a rule", () => {
  test.each([
    ["minLength", { minLength: 2 }, "ab", "a", "value must be at least 2 characters"],
    ["maxLength", { maxLength: 2 }, "ab", "abc", "value must be at most 2 characters"],
    ["pattern", { pattern: /^[a-z]+$/ }, "abc", "a1", "value format is invalid"],
    ["enum", { enum: ["a", "b"] }, "b", "c", "value must be one of: a, b"],
    ["message", { type: "number", message: "no number" }, 1, "x", "no number"],
    ["custom", { custom: (n: unknown) => n === 7 || "value must be 7" }, 7, 8, "value must be 7"],
    ["nullable", { required: true, nullable: true, type: "string" }, null, "", "value is required"],
  ])("Validation, %s: is applied", async (_key, rule, right, wrong, message) => {
    expect(await messageOf(rule, right)).toBeNull();
    expect(await messageOf(rule, wrong)).toBe(message);
  });

  test("Validation, default: replaces a missing field", async () => {
    const app = createApp();
    app.getRouter().get("/", (ctx) => json(ctx.validated), {
      validation: { page: { type: "integer", default: 1 } },
    });
    expect(await (await app.request("/")).json()).toEqual({ page: 1 });
    expect(await (await app.request("/?page=2")).json()).toEqual({ page: 2 });
  });

  test("Validation, items and schema: apply to lists and objects, as dotted names do", async () => {
    const body = { items: [{ id: 1 }, {}], address: { city: "" } };
    const expected = [
      { field: "items.1.id", message: "items.1.id is required" },
      { field: "address.city", message: "address.city is required" },
    ];
    const nested = {
      items: { type: "array", items: { schema: { id: { required: true } } } },
      address: { type: "object", schema: { city: { required: true } } },
    } as const;
    expect(await errorsOf(nested, withJson(body))).toEqual(expected);
    const dotted = { "items.*.id": { required: true }, "address.city": { required: true } };
    expect(await errorsOf(dotted, withJson(body))).toEqual(expected);
  });

  test("Validation, custom: may be async and receives the context", async () => {
    const app = createApp();
    app.getRouter().post("/", () => json(null), {
      validation: {
        name: { custom: async (name, ctx) => name === ctx.query["expect"] || "name is taken" },
      },
    });
    expect((await app.request("/?expect=Ada", withJson({ name: "Ada" }))).status).toBe(200);
    const refused = await app.request("/?expect=Bob", withJson({ name: "Ada" }));
    expect((await jsonOf(refused))["errors"]).toEqual([
      { field: "name", message: "name is taken" },
    ]);
  });
});

describe("all rules together", () => {
  test("Validation, errors: every failing field once, with its first failure, in the schema's order", async () => {
    const rules = {
      b: { required: true, type: "string", min: 3 },
      a: { type: "number", min: 5, max: 9 },
      fine: { type: "string" },
      c: { required: true },
    } as const;
    expect(await errorsOf(rules, withJson({ a: 3, b: 1, fine: "x" }))).toEqual([
      { field: "b", message: "b must be a string" },
      { field: "a", message: "a must be at least 5" },
      { field: "c", message: "c is required" },
    ]);
  });

  test("Validation, errors: a message never contains the value", async () => {
    const secret = "hunter2-canary";
    const rules = {
      a: { type: "number" },
      b: { max: 1 },
      c: { pattern: /^x$/ },
      d: { enum: ["x"] },
      e: { type: "email" },
    } as const;
    const body = Object.fromEntries(Object.keys(rules).map((field) => [field, secret]));
    const errors = await errorsOf(rules, withJson(body));
    expect(errors).toHaveLength(5);
    expect(JSON.stringify(errors)).not.toContain(secret);
  });
});

describe("where values come from", () => {
  test("Validation, source: the path if the pattern names the field", async () => {
    const app = createApp();
    app.getRouter().put("/:id", (ctx) => json(ctx.validated), {
      validation: { id: { type: "integer", required: true }, name: { required: true } },
    });
    const response = await app.request("/7?name=query", withJson({ id: "x", name: "body" }, "PUT"));
    expect(await response.json()).toEqual({ id: 7, name: "body" });
  });

  test("Validation, source: the query for GET, HEAD and a DELETE without a body, else the body", async () => {
    const app = createApp();
    const rules = { validation: { a: { required: true } } };
    app.getRouter().match(["GET", "DELETE", "POST"], "/", (ctx) => json(ctx.validated), rules);
    expect(await (await app.request("/?a=1")).json()).toEqual({ a: "1" });
    expect((await app.request("/", { method: "HEAD" })).status).toBe(422);
    expect((await app.request("/?a=1", { method: "HEAD" })).status).toBe(200);
    expect((await app.request("/?a=1", { method: "DELETE" })).status).toBe(200);
    expect((await app.request("/?a=1", withJson({}, "DELETE"))).status).toBe(422);
    expect((await app.request("/?a=1", withJson({}))).status).toBe(422);
  });

  test("Validation, source: params, query, body and headers can be named", async () => {
    const app = createApp();
    app.getRouter().post("/:id", (ctx) => json(ctx.validated), {
      validation: {
        params: { id: { type: "integer" } },
        query: { page: { type: "integer", default: 1 } },
        body: { id: { type: "string", required: true } },
        headers: { "x-tenant": { required: true } },
      },
    });
    const init = withJson({ id: "of the body" });
    const headers = { "content-type": "application/json", "x-tenant": "t1" };
    expect(await (await app.request("/7", { ...init, headers })).json()).toEqual({
      params: { id: 7 },
      query: { page: 1 },
      body: { id: "of the body" },
      headers: { "x-tenant": "t1" },
    });
    expect((await jsonOf(await app.request("/7", init)))["errors"]).toEqual([
      { field: "x-tenant", message: "x-tenant is required" },
    ]);
  });

  test("Validation, source: fields named body or query are fields", async () => {
    const rules = { body: { required: true, type: "string" }, query: { type: "string" } } as const;
    expect(await errorsOf(rules, withJson({ query: 1 }))).toEqual([
      { field: "body", message: "body is required" },
      { field: "query", message: "query must be a string" },
    ]);
  });

  test("Validation, source: a body that is not an object is validated as an empty one", async () => {
    for (const body of [[], "text", 7, null]) {
      expect(await errorsOf({ a: { required: true } }, withJson(body))).toEqual([
        { field: "a", message: "a is required" },
      ]);
    }
  });
});

describe("Standard Schema", () => {
  test.each([
    ["Zod", z.object({ tags: z.array(z.object({ id: z.number() })) })],
    ["Valibot", v.object({ tags: v.array(v.object({ id: v.number() })) })],
  ])("Validation, Standard Schema: %s is accepted in place of rules", async (_name, schema) => {
    class Create extends Controller.for({ body: schema }) {
      async handle(): Promise<Response> {
        return this.json(this.body);
      }
    }
    const app = createApp();
    app.getRouter().post("/controller", Create);
    app.getRouter().post("/route", (ctx) => json(ctx.validated), { validation: schema });
    for (const path of ["/controller", "/route"]) {
      const accepted = await app.request(path, withJson({ tags: [{ id: 1 }] }));
      expect(await accepted.json()).toEqual({ tags: [{ id: 1 }] });
      const refused = await jsonOf(await app.request(path, withJson({ tags: [{ id: "x" }] })));
      expect(refused["errors"]).toEqual([{ field: "tags.0.id", message: expect.any(String) }]);
    }
  });
});

test("Validation, rules: an invalid one fails at boot, with its field and route", async () => {
  class Create extends Controller {
    async handle(): Promise<Response> {
      return this.text("never");
    }
  }
  const app = createApp();
  // @ts-expect-error the compiler refuses it as well
  app.getRouter().post("/a", () => json(null), { validation: { age: { typ: "number" } } });
  app.getRouter().post("/b", Create, { validation: { size: { min: 2, max: 1 } } });
  await expect(app.boot()).rejects.toThrow(/POST \/a: .*age.*typ.*POST \/b: .*size/s);
});
