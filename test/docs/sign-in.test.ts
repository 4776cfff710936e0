import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Application } from "espalier";
import { createTestClient } from "espalier/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { namedBlocks } from "./import-blocks.ts";

interface Provider {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly userUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUrl: string;
}

// In the repository, where arctic is found.
const folder = mkdtempSync(join(root, "test/docs/.sign-in-"));
const secret = "0123456789abcdef0123456789abcdef";
const redirectUrl = "https://shop.example/sign-in/callback";
/** Codes that were issued, with their challenges: each can be exchanged once. */
const challenges = new Map<string, string>();
const provider = createServer(async (request, response) => {
  const [status, body] = await answer(request);
  response.writeHead(status, {
    "content-type": "application/json",
    location: body["location"] ?? "",
  });
  response.end(JSON.stringify(body));
});
let base = "";

/** An OAuth 2.0 server: authorization, token and user endpoint, as strict as RFC 6749 and 7636 demand. */
async function answer(request: IncomingMessage): Promise<[number, Record<string, string>]> {
  const url = new URL(request.url ?? "", base);
  const { searchParams: query } = url;
  if (url.pathname === "/authorize") {
    if (query.get("client_id") !== "client" || query.get("redirect_uri") !== redirectUrl)
      return [400, {}];
    if (query.get("code_challenge_method") !== "S256" || !query.has("state")) return [400, {}];
    const code = crypto.randomUUID();
    challenges.set(code, query.get("code_challenge") ?? "");
    const location = `${redirectUrl}?code=${code}&state=${query.get("state")}`;
    return [302, { location }];
  }
  if (url.pathname === "/token") {
    const form = new URLSearchParams(await text(request));
    const challenge = challenges.get(form.get("code") ?? "");
    challenges.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const isAuthorised = request.headers.authorization === `Basic ${btoa("client:secret")}`;
    const isProven = createHash("sha256").update(verifier).digest("base64url") === challenge;
    if (!isAuthorised) return [401, { error: "invalid_client" }];
    if (!isProven || form.get("redirect_uri") !== redirectUrl)
      return [400, { error: "invalid_grant" }];
    return [200, { access_token: "access", token_type: "Bearer" }];
  }
  if (request.headers.authorization !== "Bearer access") return [401, {}];
  return [200, { id: "7", email: "ada@example.org" }];
}

let createApp: (provider: Provider, secret: string) => Application;

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const files = namedBlocks(codeBlocks("docs/guide/sign-in.md").filter(isChecked));
  for (const [name, { text: code }] of files) writeFileSync(join(folder, name), code);
  ({ createApp } = await import(join(folder, "app.ts")));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => provider.close(resolve));
});

function start(changes: Partial<Provider> = {}) {
  const app = createApp(
    {
      authorizationUrl: `${base}/authorize`,
      tokenUrl: `${base}/token`,
      userUrl: `${base}/user`,
      clientId: "client",
      clientSecret: "secret",
      redirectUrl,
      ...changes,
    },
    secret,
  );
  return createTestClient(app, { baseUrl: "https://shop.example" });
}

/** Goes to the provider, and returns the path of the callback that it redirects to. */
async function authorise(client: ReturnType<typeof start>): Promise<string> {
  const begun = await client.get("/sign-in");
  expect(begun.status).toBe(302);
  const authorised = await fetch(begun.headers.get("location") ?? "", { redirect: "manual" });
  const { pathname, search } = new URL(authorised.headers.get("location") ?? "");
  return pathname + search;
}

test("a user signs in, and out", async () => {
  const client = start();
  expect((await client.get("/account")).headers.get("location")).toBe("/sign-in");
  const callback = await authorise(client);
  const completed = await client.get(callback);
  expect([completed.status, completed.headers.get("location")]).toEqual([302, "/"]);
  expect(await (await client.get("/account")).json()).toEqual({
    user: { id: "provider:7", roles: [] },
  });
  expect((await client.post("/sign-out")).status).toBe(303);
  expect(await (await client.get("/")).json()).toEqual({ userId: null });
});

test("the session has another id after the sign-in", async () => {
  const client = start();
  const callback = await authorise(client);
  const completed = await client.get(callback);
  expect(completed.headers.getSetCookie().join()).toMatch(/__Host-session=/);
});

test("a callback of another browser, with another state, or used again is refused", async () => {
  const client = start();
  const callback = await authorise(client);
  expect((await start().get(callback)).status).toBe(400);
  expect((await client.get(`${callback}x`)).status).toBe(400);
  // The attempt has ended with the first callback.
  expect((await client.get(callback)).status).toBe(400);
  expect((await client.get("/sign-in/callback?error=access_denied")).status).toBe(400);
});

test("a provider that does not confirm is a 502", async () => {
  const client = start({ clientSecret: "wrong" });
  expect((await client.get(await authorise(client))).status).toBe(502);
  const elsewhere = start({ userUrl: `${base}/authorize` });
  expect((await elsewhere.get(await authorise(elsewhere))).status).toBe(502);
});

/** An application with a stand-in for better-auth, which extends the session of the cookie `s=1`. */
async function startBetterAuth(): Promise<Application> {
  const { mountBetterAuth } = await import(join(folder, "better-auth.ts"));
  const app = new Application();
  mountBetterAuth(app, {
    handler: async (request: Request) => {
      const { method, headers, url } = request;
      const { pathname } = new URL(url);
      return Response.json([method, pathname, headers.get("x-client-ip"), await request.text()]);
    },
    api: {
      getSession: async ({ headers, returnHeaders }: { headers: Headers; returnHeaders: true }) => {
        expect(returnHeaders).toBe(true);
        return headers.get("cookie") === "s=1"
          ? {
              headers: new Headers([["set-cookie", "s=1; Max-Age=60"]]),
              response: { user: { id: "7" } },
            }
          : { headers: new Headers(), response: null };
      },
    },
  });
  const show = (ctx: { user: unknown }): Response => Response.json(ctx.user);
  app.getRouter().get("/account", show as never, { middleware: ["signed-in"] });
  return app;
}

test("better-auth's handler gets the body, within the limits, and the client's address", async () => {
  const app = await startBetterAuth();
  const { url } = await app.listen({ port: 0, host: "127.0.0.1" });
  const post = (body: string): Promise<Response> =>
    fetch(`${url}api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-client-ip": "203.0.113.9" },
      body,
    });
  try {
    const body = '{ "email": "ada@example.org" }';
    const mounted = await post(body);
    expect(await mounted.json()).toEqual(["POST", "/api/auth/sign-in/email", "127.0.0.1", body]);
    const read = await fetch(`${url}api/auth/get-session`);
    expect(await read.json()).toEqual(["GET", "/api/auth/get-session", "127.0.0.1", ""]);
    expect((await post(`"${"a".repeat(2 ** 20)}"`)).status).toBe(413);
  } finally {
    await app.stop();
  }
});

test("better-auth's session guards routes, and its new cookie is sent", async () => {
  const app = await startBetterAuth();
  expect((await app.request("/account")).status).toBe(401);
  const account = await app.request("/account", { headers: { cookie: "s=1" } });
  expect(await account.json()).toEqual({ id: "7", roles: [] });
  expect(account.headers.getSetCookie()).toEqual(["s=1; Max-Age=60"]);
});
