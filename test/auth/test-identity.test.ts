import { expect, test } from "vitest";
import { Application } from "../../src/application/application.ts";
import { Auth } from "../../src/auth/auth.ts";
import { findTestIdentity, setTestIdentity } from "../../src/auth/test-identity.ts";
import { json } from "../../src/http/responses.ts";
import { createApiKeyMiddleware } from "../../src/middleware/api-key-authentication.ts";
import {
  createAuthMiddleware,
  createOptionalAuthMiddleware,
} from "../../src/middleware/authentication.ts";
import { createBasicAuthMiddleware } from "../../src/middleware/basic-authentication.ts";
import { exchange, statusOf } from "../support/raw-http.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { bearer } from "./support/app.ts";
import { secret } from "./support/tokens.ts";

const auth = new Auth({ secret });
const asked: unknown[] = [];
const findUser = (...given: unknown[]): null => {
  asked.push(given[0]);
  return null;
};

const app = new Application({ logger: createRecordingLogger() });
app.middleware("auth", createAuthMiddleware(auth));
app.middleware("maybe", createOptionalAuthMiddleware(auth));
app.middleware("key", createApiKeyMiddleware({ findUser }));
app.middleware("basic", createBasicAuthMiddleware({ findUser }));
for (const name of ["auth", "maybe", "key", "basic"]) {
  const answer = (ctx: { user: unknown; state: Record<string, unknown> }): Response =>
    json({ user: ctx.user, claims: ctx.state["claims"] ?? null });
  app.getRouter().get(`/${name}`, answer, { middleware: [name] });
}

function actingRequest(path: string, init?: RequestInit): Request {
  const request = new Request(`http://localhost${path}`, init);
  setTestIdentity(request, { user: { id: "acting" }, claims: { sub: "acting" } });
  return request;
}

test.each(["/auth", "/maybe"])("a request with a test identity passes %s", async (path) => {
  const response = await app.fetch(actingRequest(path));
  expect(await response.json()).toEqual({ user: { id: "acting" }, claims: { sub: "acting" } });
});

test.each(["/key", "/basic"])("and passes %s, without looking up a user", async (path) => {
  const basic = `Basic ${btoa("ada:secret")}`;
  const headers = { "x-api-key": "key_abc", authorization: basic };
  expect(await (await app.fetch(actingRequest(path, { headers }))).json()).toMatchObject({
    user: { id: "acting" },
  });
  expect(asked).toEqual([]);
});

test("the test identity takes precedence over a token, and ends with its request", async () => {
  const token = await auth.generateToken({ id: 7 });
  const acting = await app.fetch(actingRequest("/auth", bearer(token)));
  expect(await acting.json()).toMatchObject({ user: { id: "acting" } });
  const own = await app.request("/auth", bearer(token));
  expect(await own.json()).toMatchObject({ user: { id: 7 } });
  expect((await app.request("/auth")).status).toBe(401);
});

test("headers cannot set the test identity", async () => {
  const request = actingRequest("/auth");
  expect([...request.headers]).toEqual([]);
  expect(findTestIdentity(new Headers(request.headers))).toBeUndefined();
  const { port } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
  const identity = JSON.stringify({ user: { id: "acting" }, claims: { sub: "acting" } });
  const names = [
    "espalier.actingUser",
    "actingUser",
    "x-acting-user",
    "x-test-identity",
    "__proto__",
  ];
  const headers = names.map((name) => `${name}: ${identity}\r\n`).join("");
  for (const path of ["/auth", "/key", "/basic"]) {
    const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`;
    expect(statusOf(await exchange(port, head)), path).toBe(401);
  }
  await app.stop();
});

test("the mark of a test identity is registered and exported nowhere", async () => {
  const marks = Object.getOwnPropertySymbols(actingRequest("/auth").headers).filter(
    ({ description }) => description === "espalier.actingUser",
  );
  expect(marks).toHaveLength(1);
  expect(Symbol.keyFor(marks[0] as symbol)).toBeUndefined();
  const entries = await Promise.all([
    import("espalier"),
    import("espalier/core"),
    import("espalier/middleware"),
    import("espalier/node"),
    import("espalier/testing"),
    import("espalier/websocket"),
  ]);
  const exported = entries.flatMap((entry) => Object.values<unknown>(entry));
  expect(exported.length).toBeGreaterThan(100);
  expect(exported.filter((value) => value === marks[0] || value === setTestIdentity)).toEqual([]);
});
