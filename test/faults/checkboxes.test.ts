import { Application, json } from "espalier";
import { describe, expect, test } from "vitest";

const rules = { news: { type: "boolean", required: true } } as const;

function createApp(): Application {
  const app = new Application();
  const validated = (ctx: { validated: unknown }): Response => json(ctx.validated);
  app.getRouter().post("/body", validated, { validation: rules });
  app.getRouter().get("/query", validated, { validation: rules });
  return app;
}

const form = (value: string): FormData => {
  const data = new FormData();
  data.set("news", value);
  return data;
};

describe.each([
  ["on", true],
  ["off", false],
])("a checkbox that is %s", (value, expected) => {
  test.each([
    ["an urlencoded form", "/body", { method: "POST", body: new URLSearchParams({ news: value }) }],
    ["a multipart form", "/body", { method: "POST", body: form(value) }],
    ["a query", `/query?news=${value}`, {}],
  ])(`is ${expected} in %s`, async (_, path, init) => {
    const response = await createApp().request(path, init);
    expect([response.status, await response.json()]).toEqual([200, { news: expected }]);
  });

  test("is not a boolean in JSON", async () => {
    const response = await createApp().request("/body", {
      method: "POST",
      body: JSON.stringify({ news: value }),
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      errors: [{ field: "news", message: "news must be a boolean" }],
    });
  });
});

test.each(["ON", "yes", "checked", "on "])(
  "the string %j is not a boolean in a form",
  async (value) => {
    const body = new URLSearchParams({ news: value });
    const response = await createApp().request("/body", { method: "POST", body });
    expect(response.status).toBe(422);
  },
);
