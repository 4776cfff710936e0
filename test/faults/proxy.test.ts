import { setTimeout as sleep } from "node:timers/promises";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange } from "../support/raw-http.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { openClient } from "../support/stop-clients.ts";
import { startWorkerd } from "../support/workerd.ts";
import { type Echo, startUpstream, type Upstream } from "./support/upstream.ts";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());

describe.each(["node", "deno", "bun"] as const)("proxy() on %s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/faults/support/proxy-server.ts", runtime);
  });
  afterAll(() => void server.child.kill("SIGKILL"));
  describeProxy(() => server.url);

  test("an upload with Expect and chunks arrives, without the fields of the connection", async () => {
    const chunk = "x".repeat(0x8000);
    const chunks = `8000\r\n${chunk}\r\n`.repeat(40);
    const response = await exchange(
      Number(new URL(server.url).port),
      `PUT /echo?a=1 HTTP/1.1\r\nHost: front.example\r\nX-Test-Upstream: ${upstream.url}\r\n` +
        "Expect: 100-continue\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=9\r\n" +
        "TE: trailers\r\nProxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\n" +
        `X-Kept: yes\r\nX-Forwarded-Proto: https\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
    );
    const body = response.slice(response.lastIndexOf('{"method"'), response.lastIndexOf("}") + 1);
    const { method, url, headers, bytes } = JSON.parse(body) as Echo;
    expect({ method, url, bytes }).toEqual({ method: "PUT", url: "/echo?a=1", bytes: 40 * 0x8000 });
    expect(headers).toMatchObject({
      host: new URL(upstream.url).host,
      "x-kept": "yes",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "http",
      "x-forwarded-host": "front.example",
      forwarded: 'for=127.0.0.1;host="front.example";proto=http',
    });
    for (const name of [
      "expect",
      "x-hop",
      "keep-alive",
      "proxy-authorization",
      "proxy-connection",
    ]) {
      expect(headers).not.toHaveProperty(name);
    }
    // fetch() may keep connections alive, and sets its own header field.
    expect(headers["connection"] ?? "").not.toContain("hop");
  });

  test("a client that leaves during its upload ends the request to the upstream", async () => {
    const client = await openClient(
      Number(new URL(server.url).port),
      `POST /half HTTP/1.1\r\nHost: a\r\nX-Test-Upstream: ${upstream.url}\r\n` +
        `Content-Length: 100000\r\n\r\n${"x".repeat(50_000)}`,
    );
    await expect.poll(() => [...upstream.receiving]).toContain("/half");
    client.socket.destroy();
    await expect.poll(() => upstream.left).toContain("/half");
    upstream.receiving.clear();
  });

  test("a client that leaves ends the request to the upstream, and is not an error", async () => {
    const start = server.output().length;
    for (const path of ["/drip?leave", "/silent?leave"]) {
      const abort = new AbortController();
      const { pathname } = new URL(path, server.url);
      const before = upstream.left.length;
      const leaving = request(server.url, path, { signal: abort.signal }).catch(() => undefined);
      await sleep(200);
      abort.abort();
      await leaving;
      await expect.poll(() => upstream.left.slice(before)).toContain(pathname);
    }
    await sleep(100);
    expect(server.output().slice(start)).not.toMatch(/"level":"(?:error|warn)"/);
  });
});

describe("proxy() on workerd", () => {
  let mf: Miniflare;
  let base = "";
  beforeAll(async () => {
    // The proxy of miniflare in front would hold streams back.
    mf = await startWorkerd("test/faults/support/proxy-worker.ts", { hasOwnSocket: true });
    base = (await mf.unsafeGetDirectURL()).href;
  });
  afterAll(() => mf.dispose());
  describeProxy(() => base);
});

function request(base: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { "x-test-upstream": upstream.url, ...(init.headers as Record<string, string>) };
  return fetch(new URL(path, base), { redirect: "manual", ...init, headers });
}

function describeProxy(base: () => string): void {
  const send = (path: string, init?: RequestInit): Promise<Response> => request(base(), path, init);

  test("method, query, headers and body arrive; headers are set and removed", async () => {
    const response = await send("/echo?q=%20x", {
      method: "PATCH",
      body: '{"a":1}',
      headers: { "content-type": "application/json", authorization: "Bearer t" },
    });
    const echo = (await response.json()) as Echo;
    expect(echo).toMatchObject({ method: "PATCH", url: "/echo?q=%20x", bytes: 7 });
    expect(echo.headers).toMatchObject({
      "content-type": "application/json",
      authorization: "Bearer t",
      "x-added": "by the proxy",
    });
    expect(echo.headers).not.toHaveProperty("x-test-upstream");
  });

  test("a body that has been parsed arrives, too", async () => {
    const response = await send("/parsed", {
      method: "POST",
      body: '{"a":1}',
      headers: { "content-type": "application/json" },
    });
    expect(await response.json()).toMatchObject({ method: "POST", bytes: 7 });
  });

  test("a body over the limit of its route is a 413", async () => {
    const chunk = new Uint8Array(64 * 1024);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 40) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const response = await send("/limited", {
      method: "POST",
      body,
      duplex: "half",
      headers: { "content-type": "application/octet-stream" },
    } as RequestInit);
    expect([response.status, await response.text()]).toEqual([413, expect.any(String)]);
    // A part of the body must not look like the whole.
    expect([...upstream.complete]).not.toContain("/limited");
  });

  test("forwarding headers of an untrusted client are replaced", async () => {
    const response = await send("/echo", {
      headers: {
        forwarded: "for=192.0.2.1;host=evil.example",
        "x-forwarded-for": "192.0.2.1",
        "x-forwarded-host": "evil.example",
        "x-forwarded-prefix": "/evil",
        "x-real-ip": "192.0.2.1",
      },
    });
    const { headers } = (await response.json()) as Echo;
    expect(JSON.stringify(headers)).not.toMatch(/192\.0\.2\.1|evil/);
    expect(headers["x-forwarded-host"]).toBe(new URL(base()).host);
  });

  test("fields of the connection are not returned, and cookies are", async () => {
    const response = await send("/hop");
    for (const name of ["x-hop", "te", "upgrade", "proxy-authenticate"]) {
      expect(response.headers.get(name), name).toBeNull();
    }
    expect(response.headers.get("keep-alive")).not.toBe("timeout=5");
    expect(response.headers.get("x-kept")).toBe("yes");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe("hop");
  });

  test("an encoded body is readable", async () => {
    const response = await send("/gzip");
    expect(await response.text()).toBe("unpacked ".repeat(1_000));
  });

  test("redirects and statuses are handed on", async () => {
    const redirect = await send("/redirect");
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "/elsewhere"]);
    const teapot = await send("/teapot");
    expect([teapot.status, teapot.headers.get("x-kind")]).toEqual([418, "tea"]);
    expect(await teapot.text()).toBe("short and stout");
    const head = await send("/teapot", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([418, ""]);
  });

  test("a response arrives while the upstream is still sending it", async () => {
    const response = await send("/drip");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("first ");
    upstream.finishDrip();
    expect((await reader?.read())?.value).toBe("last");
  });

  test("an upstream that breaks off breaks the response off", async () => {
    const response = await send("/broken");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test("a request arrives while the client is still sending it", async () => {
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    upstream.receiving.clear();
    const response = send("/echo-slow", {
      method: "POST",
      body: body.readable,
      duplex: "half",
    } as RequestInit);
    await writer.write(new Uint8Array(70_000));
    await expect.poll(() => [...upstream.receiving]).toContain("/echo-slow");
    await writer.close();
    expect(await (await response).json()).toMatchObject({ bytes: 70_000 });
  });

  test("an upstream that is silent is a 504, and one that is not there a 502", async () => {
    const silent = await send("/silent");
    expect(silent.status).toBe(504);
    expect(await silent.json()).toMatchObject({
      detail: "The upstream server did not respond in time.",
    });
    const closed = await startUpstream();
    closed.close();
    const gone = await send("/gone", { headers: { "x-test-upstream": closed.url } });
    expect(gone.status).toBe(502);
    const problem = (await gone.json()) as { detail: string };
    expect(problem.detail).toBe("The upstream server could not be reached.");
  });

  test("a URL that is not one is an error of the application", async () => {
    const response = await send("/x", { headers: { "x-test-upstream": "not-a-url" } });
    expect(response.status).toBe(500);
    await response.text();
  });
}
