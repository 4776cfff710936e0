import { expect, test } from "vitest";
import { createApp } from "../src/app.ts";

test("greets in English", async () => {
  const response = await createApp().request("/greetings/Ada");
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ success: true, data: { greeting: "Hello, Ada!" } });
});

test("greets in the requested language", async () => {
  const response = await createApp().request("/greetings/Ada?language=fr");
  expect(await response.json()).toMatchObject({ data: { greeting: "Bonjour, Ada!" } });
});

test("rejects an unknown language", async () => {
  const response = await createApp().request("/greetings/Ada?language=tlh");
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ field: "language" }] });
});

test("responds with 404 to an unknown path", async () => {
  const response = await createApp().request("/nothing-here");
  expect(response.status).toBe(404);
});

test("is healthy", async () => {
  const response = await createApp().request("/health");
  expect(await response.json()).toMatchObject({ status: "pass" });
});
