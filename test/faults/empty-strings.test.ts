import { Application, json, type RuleMap } from "espalier";
import { describe, expect, test } from "vitest";

/** Sends a body as JSON or as a form to a route with these rules. */
async function send(rules: RuleMap, fields: Record<string, string>, as: "json" | "form") {
  const app = new Application();
  app.getRouter().post("/", (ctx) => json(ctx.validated), { validation: rules });
  const init =
    as === "form"
      ? { body: new URLSearchParams(fields) }
      : { body: JSON.stringify(fields), headers: { "content-type": "application/json" } };
  const response = await app.request("/", { method: "POST", ...init });
  return [response.status, await response.json()] as const;
}

describe("an empty string", () => {
  test("in JSON is kept in optional and nullable fields", async () => {
    const rules: RuleMap = {
      note: { type: "string", nullable: true },
      n: { type: "string", default: "x" },
    };
    expect(await send(rules, { note: "", n: "" }, "json")).toEqual([200, { note: "", n: "" }]);
  });

  test("in a form is null in a nullable field, and missing elsewhere", async () => {
    const rules: RuleMap = { note: { type: "string", nullable: true }, n: { type: "string" } };
    expect(await send(rules, { note: "", n: "" }, "form")).toEqual([200, { note: null }]);
  });

  test("in JSON is not a number", async () => {
    const [status, problem] = await send({ age: { type: "number" } }, { age: "" }, "json");
    expect([status, problem]).toMatchObject([
      422,
      { errors: [{ field: "age", message: "age must be a number" }] },
    ]);
  });

  test.each(["json", "form"] as const)("is refused in a required field: %s", async (as) => {
    const [status, problem] = await send({ v: { required: true } }, { v: "" }, as);
    expect([status, problem]).toMatchObject([422, { errors: [{ message: "v is required" }] }]);
  });

  test.each(["json", "form"] as const)("is accepted with allowEmpty: %s", async (as) => {
    const rules: RuleMap = {
      v: { required: true, type: "string", allowEmpty: true },
      w: { type: "string", allowEmpty: true, nullable: true, default: "x" },
    };
    expect(await send(rules, { v: "", w: "" }, as)).toEqual([200, { v: "", w: "" }]);
  });

  test("clears a URL with allowEmpty, and anything else must be one", async () => {
    const rules: RuleMap = { v: { type: "url", allowEmpty: true, min: 12 } };
    expect(await send(rules, { v: "" }, "json")).toEqual([200, { v: "" }]);
    expect((await send(rules, { v: "x" }, "json"))[0]).toBe(422);
    expect((await send(rules, { v: "http://a.b" }, "json"))[0]).toBe(422);
  });
});

test("allowEmpty of a type that is no string fails at boot", async () => {
  const app = new Application();
  const rules: RuleMap = { v: { type: "number", allowEmpty: true } };
  app.getRouter().post("/", () => json(1), { validation: rules });
  await expect(app.boot()).rejects.toThrow('its "allowEmpty" does not apply to the type "number"');
});

test("the OpenAPI document allows an empty string where the rules do", async () => {
  const app = new Application();
  app.exposeOpenApi("/openapi.json", { info: { title: "t", version: "1" } });
  app.getRouter().post("/", () => json(1), {
    validation: {
      a: { required: true, type: "string" },
      b: { required: true, type: "string", allowEmpty: true },
      c: { type: "url", allowEmpty: true },
    },
  });
  const document = await (await app.request("/openapi.json")).json();
  const { schema } = document.paths["/"].post.requestBody.content["application/json"];
  expect(schema.properties).toEqual({
    a: { type: "string", minLength: 1 },
    b: { type: "string" },
    c: {
      anyOf: [
        { type: "string", format: "uri" },
        { type: "string", maxLength: 0 },
      ],
    },
  });
});
