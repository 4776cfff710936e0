import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import { startServerProcess } from "../support/server-process.ts";
import { startWorkerd } from "../support/workerd.ts";
import { bearer } from "./support/app.ts";
import { startKeyServer } from "./support/key-server.ts";
import { createPair, jwkOf, pairParameters } from "./support/pairs.ts";
import { claimsIn, hmacToken } from "./support/tokens.ts";

interface Running {
  readonly url: string;
  stop(): Promise<unknown>;
}

/**
 * Compatibility dates on both sides of a change in how workerd resolves promises across requests.
 */
const runtimes: readonly (readonly [name: string, start: () => Promise<Running>])[] = [
  ...(["node", "deno", "bun"] as const).map(
    (runtime) =>
      [runtime, () => startServerProcess("test/auth/runtime/listen.ts", runtime)] as const,
  ),
  ...["2024-01-01", "2026-11-01"].map(
    (date) =>
      [
        `workerd of ${date}`,
        async () => {
          const miniflare = await startWorkerd("test/auth/runtime/worker.ts", {
            compatibilityDate: date,
          });
          const url = (await miniflare.ready).href;
          return { url, stop: () => miniflare.dispose() };
        },
      ] as const,
  ),
];

describe.each(runtimes)("%s", (name, start) => {
  let running: Running;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running.stop());

  const send = (path: string, init?: RequestInit) => fetch(new URL(path, running.url), init);
  const jsonOf = async (path: string, init?: RequestInit): Promise<unknown> =>
    (await send(path, init)).json();
  const signIn = async (): Promise<string> => {
    const { token } = (await jsonOf("/login", { method: "POST" })) as { token: string };
    return token;
  };

  test("a token identifies its user, and a modified one is rejected", async () => {
    const token = await signIn();
    expect(await jsonOf("/me", bearer(token))).toEqual({ id: 7, name: "Ada" });
    const forged = await hmacToken({ alg: "HS256" }, claimsIn(token), { secret: "other" });
    for (const other of [`${token}=`, token.slice(0, -1), forged, "x"]) {
      const response = await send("/me", bearer(other));
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([
        401,
        'Bearer realm="api", error="invalid_token"',
      ]);
      expect(await jsonOf("/maybe", bearer(other))).toBeNull();
    }
  });

  test("the policy gate", async () => {
    const headers = bearer(await signIn());
    const statuses = [
      (await send("/edit?role=editor")).status,
      (await send("/edit?role=reader", headers)).status,
      (await send("/edit?role=editor", headers)).status,
    ];
    expect(statuses).toEqual([401, 403, 200]);
  });

  test("refresh tokens rotate, and using one twice ends the sign-in", async () => {
    interface Pair {
      readonly accessToken: string;
      readonly refreshToken: string;
    }
    const post = (path: string, body: string) => jsonOf(path, { method: "POST", body });
    const first = (await post("/sessions", "")) as Pair;
    const second = (await post("/refresh", first.refreshToken)) as Pair;
    expect(await jsonOf("/me", bearer(second.accessToken))).toEqual({ id: 7, name: "Ada" });
    expect(await post("/refresh", first.refreshToken)).toBeNull();
    expect(await post("/refresh", second.refreshToken)).toBeNull();
    expect((await send("/me", bearer(second.accessToken))).status).toBe(401);
  });

  test("a revoked token is rejected", async () => {
    const token = await signIn();
    expect(await jsonOf("/revoke", { method: "POST", body: token })).toBe(true);
    expect((await send("/me", bearer(token))).status).toBe(401);
  });

  test("API keys and Basic", async () => {
    const { key } = (await jsonOf("/keys", { method: "POST" })) as { key: string };
    expect(await jsonOf("/key", { headers: { "x-api-key": key } })).toEqual({ id: "machine" });
    expect((await send("/key", { headers: { "x-api-key": "x" } })).status).toBe(401);
    const basic = (text: string) => ({ headers: { authorization: `Basic ${btoa(text)}` } });
    expect(await jsonOf("/basic", basic("ada:secret"))).toEqual({ id: "ada" });
    expect((await send("/basic", basic("ada:x"))).status).toBe(401);
  });

  test("passwords have the default algorithm and cost of the platform", async () => {
    const costs: Readonly<Record<string, string>> = {
      node: "ln=14,r=8,p=5",
      bun: "ln=14,r=8,p=5",
      deno: "i=600000",
    };
    const cost = costs[name] ?? "i=100000";
    expect(await jsonOf("/password")).toEqual([true, false, false, cost]);
  });

  test.each([...pairParameters.keys()])("key pairs for %s", async (algorithm) => {
    const [id] = [{ id: 1 }];
    expect(await jsonOf(`/pairs/${algorithm}`)).toEqual([
      [id, id],
      [id, id],
      [id, id],
    ]);
  });

  test("an issuer's keys: one request for many concurrent ones, and new keys are found", async () => {
    const pair = await createPair({ name: "ECDSA", namedCurve: "P-256" });
    const kid = crypto.randomUUID();
    const token = await new Auth({
      privateKey: { ...(await jwkOf(pair.privateKey)), kid },
    }).generateToken({ id: 3 });
    const server = await startKeyServer();
    try {
      const path = `/issuer?url=${encodeURIComponent(server.url.href)}`;
      server.answer({}, { status: 500 });
      expect(await jsonOf(path, bearer(token))).toEqual({ user: null, reason: "keys-unavailable" });
      server.answer({ keys: [{ ...(await jwkOf(pair.publicKey)), kid }] }, { delayMs: 150 });
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => jsonOf(path, bearer(token))),
      );
      expect(answers).toEqual(answers.map(() => ({ user: { id: 3 } })));
      expect(server.count()).toBe(2);
    } finally {
      await server.close();
    }
  });
});
