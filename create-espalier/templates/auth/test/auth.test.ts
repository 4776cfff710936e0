import { Auth } from "espalier";
import { expect, test } from "vitest";
import { createApp } from "../src/app.ts";
import { adminToken, signIn } from "./support/sign-in.ts";

test("a token identifies the user", async () => {
  const app = createApp();
  const response = await app.request("/me", {
    headers: { authorization: `Bearer ${await adminToken(app)}` },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ id: "admin", roles: ["admin"] });
});

test("a wrong password is rejected", async () => {
  const response = await signIn(createApp(), "not the password");
  expect(response.status).toBe(401);
});

test("a missing token is rejected", async () => {
  const response = await createApp().request("/me");
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe('Bearer realm="api"');
});

test("a token signed with another secret is rejected", async () => {
  const stranger = new Auth({
    secret: "another secret, of at least 32 characters",
    issuer: "{{name}}",
    audience: "{{name}}",
  });
  const token = await stranger.generateToken({ id: "admin", roles: ["admin"] });
  const response = await createApp().request("/me", {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(401);
});
// @if queue

test("only administrators can send greetings", async () => {
  const app = createApp();
  await app.boot();
  const reader = await app.resolve("auth").generateToken({ id: "reader", roles: [] });
  const response = await app.request("/greetings", {
    method: "POST",
    headers: { authorization: `Bearer ${reader}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", email: "ada@example.org" }),
  });
  expect(response.status).toBe(403);
});
// @end
