import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServerProcess } from "../../support/server-process.ts";
import { startWorkerd } from "../../support/workerd.ts";
import { readResponse, type WireResponse } from "../support/wire.ts";
import { long } from "./application.ts";

const origin = "https://app.example";

async function start(runtime: "node" | "deno" | "bun" | "workerd") {
  if (runtime === "workerd") {
    const miniflare = await startWorkerd("test/middleware/runtime/worker.ts", {
      env: { SELF: { type: "worker", worker: "worker" } },
    });
    return { url: (await miniflare.ready).href, stop: () => miniflare.dispose() };
  }
  const server = await startServerProcess("test/middleware/runtime/listen.ts", runtime);
  return { url: server.url, stop: () => server.stop() };
}

describe.each(["node", "deno", "bun", "workerd"] as const)("on the wire of %s", (runtime) => {
  let port: number;
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start(runtime);
    port = Number(new URL(server.url).port);
  });
  afterAll(() => server.stop());

  const ask = (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    method = "GET",
    body = "",
  ): Promise<WireResponse> =>
    readResponse(port, { method, path, headers: { origin, ...headers }, body });

  test.each([
    ["/short", 200],
    ["/nowhere", 404],
    ["/invalid", 422],
    ["/failing", 500],
    ["/unauthorised", 401],
    ["/redirect", 302],
    ["/native", 302],
    ["/posted", 405],
  ])("%s is %i with the headers of every middleware", async (path, status) => {
    const response = await ask(path);
    expect(response.status).toBe(status);
    expect(response.all("access-control-allow-origin")).toEqual([origin]);
    expect(response.all("access-control-allow-credentials")).toEqual(["true"]);
    expect(response.all("vary").join(", ")).toMatch(/\bOrigin\b/);
    expect(response.all("x-content-type-options")).toEqual(["nosniff"]);
    expect(response.all("content-security-policy")).toHaveLength(1);
  });

  test("a preflight is 204 for a route without OPTIONS and for an unknown path", async () => {
    for (const path of ["/posted", "/nowhere"]) {
      const headers = { "access-control-request-method": "POST" };
      const response = await ask(path, headers, "OPTIONS");
      expect(response.status).toBe(204);
      expect(response.all("access-control-allow-methods")).toHaveLength(1);
      expect(response.all("vary").join(", ")).toBe(
        "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
      );
      expect(response.body.length).toBe(0);
    }
  });

  test("a response of fetch accepts headers", async () => {
    const response = await ask("/proxied");
    expect([response.status, response.body.toString()]).toEqual([200, "short"]);
    expect(response.all("access-control-allow-origin")).toEqual([origin]);
  });

  test.each(["/long", "/streamed"])("%s is compressed once, and complete", async (path) => {
    const response = await ask(path, { "accept-encoding": "gzip" });
    expect(response.all("content-encoding")).toEqual(["gzip"]);
    expect(response.all("vary").join(", ")).toMatch(/\bAccept-Encoding\b/);
    const text = gunzipSync(response.body).toString();
    expect(text).toBe(path === "/long" ? long : long.repeat(100));
    const lengths = response.all("content-length");
    for (const length of lengths) expect(Number(length)).toBe(response.body.length);
    expect(lengths.length).toBeLessThanOrEqual(1);
  });

  test("without Accept-Encoding the body is unchanged", async () => {
    const response = await ask("/long");
    expect(response.all("content-encoding")).toEqual([]);
    expect(response.body.toString()).toBe(long);
  });

  test("a tag gives 304 without body, compressed or not", async () => {
    for (const coding of ["gzip", "identity"]) {
      const first = await ask("/long", { "accept-encoding": coding });
      const [tag = ""] = first.all("etag");
      expect(tag.startsWith("W/")).toBe(coding === "gzip");
      const again = await ask("/long", { "accept-encoding": coding, "if-none-match": tag });
      expect([again.status, again.body.length]).toEqual([304, 0]);
      expect(again.all("etag")).toEqual([tag]);
      expect(again.all("content-type")).toEqual([]);
    }
  });

  test("HEAD has the headers of GET and no body", async () => {
    const get = await ask("/long", { "accept-encoding": "gzip" });
    const head = await ask("/long", { "accept-encoding": "gzip" }, "HEAD");
    expect(head.status).toBe(200);
    expect(head.body.length).toBe(0);
    for (const name of ["etag", "content-encoding", "vary", "content-type"]) {
      expect(head.all(name), name).toEqual(get.all(name));
    }
  });

  test("every cookie has a separate line", async () => {
    const response = await ask("/cookies", { "accept-encoding": "gzip" });
    const cookies = response.all("set-cookie");
    expect(cookies.slice(0, 3)).toEqual([
      "first=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT",
      "second=2",
      "third=3",
    ]);
    expect(cookies).toHaveLength(4);
    expect(cookies[3]).toMatch(/^__Host-session=/);
  });

  test("a session persists", async () => {
    let cookie = "";
    for (let visit = 1; visit <= 3; visit += 1) {
      const response = await ask("/visit", { cookie });
      expect(response.body.toString()).toBe(String(visit));
      cookie = /^[^;]+/.exec(response.all("set-cookie")[0] ?? "")?.[0] ?? "";
    }
  });

  test("a rate limit rejects, with its headers", async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 4; request += 1) {
      statuses.push((await ask("/limited?key=wire")).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask("/limited?key=wire");
    expect(Number(refused.all("retry-after")[0])).toBeGreaterThan(50);
    expect(refused.all("ratelimit-policy")).toEqual(['"default";q=3;w=60']);
    expect(refused.all("ratelimit")[0]).toMatch(/^"default";r=0;t=\d+$/);
    expect(refused.all("content-type")).toEqual(["application/problem+json"]);
    expect(refused.all("access-control-allow-origin")).toEqual([origin]);
  });

  test("cross-site posts are rejected, except from allowed origins", async () => {
    const send = (headers: Record<string, string>) =>
      ask("/posted", { "content-type": "application/json", ...headers }, "POST", '{"a":1}');
    expect((await send({ origin: "https://evil.example" })).status).toBe(403);
    const allowed = await send({ "sec-fetch-site": "cross-site" });
    expect([allowed.status, allowed.body.toString()]).toEqual([200, '{"a":1}']);
  });

  test("a nonce is in header and body", async () => {
    const response = await ask("/nonce");
    expect(response.all("content-security-policy")).toEqual([
      `script-src 'nonce-${response.body.toString()}'`,
    ]);
  });

  test("a handler that never responds is a 503 in time", async () => {
    const startedAt = performance.now();
    expect((await ask("/slow")).status).toBe(503);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_900);
    expect((await ask("/short")).status).toBe(200);
  });
});
