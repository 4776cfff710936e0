import { expect, test } from "vitest";
import { createApp } from "../src/app.ts";

test("the OpenAPI document has the routes", async () => {
  const response = await createApp().request("/openapi.json");
  const { openapi, paths } = (await response.json()) as {
    openapi: string;
    paths: Record<string, unknown>;
  };
  expect(openapi).toBe("3.1.0");
  expect(paths).toHaveProperty(["/greetings/{name}", "get", "summary"], "Get a greeting");
});

test("the documentation page is at /docs", async () => {
  const response = await createApp().request("/docs");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/html");
});
