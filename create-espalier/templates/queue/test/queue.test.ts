import type { Application } from "espalier";
import { expect, test } from "vitest";
import { createApp } from "../src/app.ts";
// @if auth
import { adminToken } from "./support/sign-in.ts";

// @end

/** Requests a greeting by email. */
async function sendGreeting(app: Application, body: object): Promise<Response> {
  const headers = new Headers({ "content-type": "application/json" });
  // @if auth
  headers.set("authorization", `Bearer ${await adminToken(app)}`);
  // @end
  return app.request("/greetings", { method: "POST", headers, body: JSON.stringify(body) });
}

test("a job sends the greeting", async () => {
  const app = createApp();
  app.useInMemoryQueue();
  const completed = new Promise((resolve) => app.once("queue.completed", resolve));
  const response = await sendGreeting(app, { name: "Ada", email: "ada@example.org" });
  expect(response.status).toBe(202);
  const { data } = (await response.json()) as { data: { job: string } };
  expect(await completed).toMatchObject({ id: data.job, name: "greeting.send", attempt: 1 });
});

test("a greeting without an address is rejected", async () => {
  const response = await sendGreeting(createApp(), { name: "Ada" });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ field: "email" }] });
});
