import { Auth } from "espalier";
import { expect, test } from "vitest";
import { createApp } from "../src/app.ts";
import { adminToken, signIn } from "./support/sign-in.ts";

test("a token says who is signed in", async () => {
  const app = createApp();
  const response = await app.request("/me", {
    headers: { authorization: `Bearer ${await adminToken(app)}` },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ id: "admin", roles: ["admin"] });
});

test("a wrong password gives no token", async () => {
  const response = await signIn(createApp(), "not the password");
  expect(response.status).toBe(401);
});

test("without a token nobody is signed in", async () => {
  const response = await createApp().request("/me");
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe('Bearer realm="api"');
});

test("a token that somebody else signed is refused", async () => {
  const stranger = new Auth({
    secret: "the secret of somebody else, who signs for us",
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

test("only an administrator may send greetings", async () => {
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
