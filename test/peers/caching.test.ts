/*
 * Behaviour that users of Hono (etag, compress), Fastify (its etag and compress plugins), AdonisJS (fresh and stale
 * responses) and Laravel (not modified responses, cache headers) expect of tags and of compression.
 */
import { gunzipSync, inflateSync } from "node:zlib";
import { CompressionMiddleware, ETagMiddleware, json, sse, stream, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support/app.ts";

const long = "a tree trained flat against a wall ".repeat(100);

describe("entity tags", () => {
  const app = createApp((router, application) => {
    application.use(new ETagMiddleware());
    router.get("/hot", () => text("hot"));
    router.get("/cold", () => text("cold"));
    router.post("/hot", () => text("hot"));
    router.get("/own", () => {
      const response = text("own");
      response.headers.set("etag", '"f-0194-d"');
      return response;
    });
    router.get("/headers", () => {
      const response = json({ a: 1 });
      response.headers.set("cache-control", "public, max-age=120");
      response.headers.set("vary", "accept-language");
      return response;
    });
    router.get("/failing", () => text("no", 500));
    router.get("/chunks/:size", (ctx) => stream(chunks(Number(ctx.params.size))));
  });

  async function* chunks(size: number): AsyncGenerator<string> {
    for (let at = 0; at < long.length; at += size) yield long.slice(at, at + size);
  }

  const tagOf = async (path: string): Promise<string> =>
    (await app.request(path)).headers.get("etag") ?? "";
  const ask = async (path: string, ifNoneMatch: string, method = "GET"): Promise<Response> =>
    app.request(path, { method, headers: { "if-none-match": ifNoneMatch } });

  test("are the same for the same body and differ for another", async () => {
    expect(await tagOf("/hot")).toMatch(/^"[^"]+"$/);
    expect(await tagOf("/hot")).toBe(await tagOf("/hot"));
    expect(await tagOf("/hot")).not.toBe(await tagOf("/cold"));
  });

  test("do not depend on how a stream was cut", async () => {
    expect(await tagOf("/chunks/7")).toBe(await tagOf("/chunks/1000"));
  });

  test("that the client has result in a 304 without a body", async () => {
    const response = await ask("/hot", await tagOf("/hot"));
    expect([response.status, await response.text()]).toEqual([304, ""]);
  });

  test("that the client does not have result in the full response", async () => {
    expect((await ask("/hot", '"another"')).status).toBe(200);
  });

  test("may be in a list, with spaces around the commas", async () => {
    const tag = await tagOf("/hot");
    expect((await ask("/hot", `"one", ${tag} , "two"`)).status).toBe(304);
  });

  test("are compared weakly", async () => {
    expect((await ask("/hot", `W/${await tagOf("/hot")}`)).status).toBe(304);
  });

  test("an asterisk matches any representation", async () => {
    expect((await ask("/hot", "*")).status).toBe(304);
  });

  test("set by the handler are used unchanged", async () => {
    expect(await tagOf("/own")).toBe('"f-0194-d"');
    expect((await ask("/own", '"f-0194-d"')).status).toBe(304);
  });

  test("are on responses to HEAD, which may be 304 too", async () => {
    const tag = await tagOf("/hot");
    expect((await app.request("/hot", { method: "HEAD" })).headers.get("etag")).toBe(tag);
    expect((await ask("/hot", tag, "HEAD")).status).toBe(304);
  });

  test("are not on responses to POST, which are never 304", async () => {
    const response = await ask("/hot", await tagOf("/hot"), "POST");
    expect([response.status, response.headers.get("etag")]).toEqual([200, null]);
  });

  test("are not on errors", async () => {
    expect(await tagOf("/failing")).toBe("");
    expect(await tagOf("/nowhere")).toBe("");
  });

  test("a 304 keeps caching headers and drops headers about the body", async () => {
    const { headers } = await ask("/headers", await tagOf("/headers"));
    expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
      "public, max-age=120",
      "accept-language",
    ]);
    expect([headers.get("content-type"), headers.get("content-length")]).toEqual([null, null]);
  });
});

describe("compression", () => {
  const app = createApp((router, application) => {
    application.use(new CompressionMiddleware());
    router.get("/long", () => text(long));
    router.get("/short", () => text("short"));
    router.get("/json", () => json({ long }));
    router.get("/streamed", () => stream(pieces(), { type: "text/plain" }));
    router.get("/events", () => sse([{ data: long }]));
    router.get("/image", () => new Response(long, { headers: { "content-type": "image/png" } }));
    router.get("/encoded", () => new Response(long, { headers: { "content-encoding": "br" } }));
    router.get("/no-transform", () => withHeader("cache-control", "public, no-transform"));
    router.get("/tagged", () => withHeader("etag", '"one"'));
    router.get("/varied", () => withHeader("vary", "origin"));
    router.get("/partial", () => {
      const headers = { "content-type": "text/plain", "content-range": "bytes 0-9/10" };
      return new Response(long, { status: 206, headers });
    });
    router.get("/missing", () => text(long, 404));
  });

  async function* pieces(): AsyncGenerator<string> {
    for (let piece = 0; piece < 50; piece += 1) yield long;
  }

  function withHeader(name: string, value: string): Response {
    const response = text(long);
    response.headers.set(name, value);
    return response;
  }

  const ask = (path: string, accept?: string, method = "GET"): Promise<Response> =>
    app.request(path, {
      method,
      headers: accept === undefined ? {} : { "accept-encoding": accept },
    });
  const codingOf = async (path: string, accept?: string): Promise<string | null> =>
    (await ask(path, accept)).headers.get("content-encoding");

  test("a long response is gzipped if accepted", async () => {
    const response = await ask("/long", "gzip");
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await response.bytes()).toString()).toBe(long);
  });

  test("or deflated", async () => {
    const response = await ask("/long", "deflate");
    expect(response.headers.get("content-encoding")).toBe("deflate");
    expect(inflateSync(await response.bytes()).toString()).toBe(long);
  });

  test("gzip is preferred if both have the same weight", async () => {
    expect(await codingOf("/long", "deflate, gzip")).toBe("gzip");
  });

  test("the client's preferred coding is chosen", async () => {
    expect(await codingOf("/long", "gzip;q=0.5, deflate;q=0.9")).toBe("deflate");
  });

  test("codings that the client rejects are not used", async () => {
    expect(await codingOf("/long", "gzip;q=0, deflate")).toBe("deflate");
    expect(await codingOf("/long", "gzip;q=0")).toBeNull();
    expect(await codingOf("/long", "*;q=0")).toBeNull();
  });

  test("an asterisk accepts any coding, and case is ignored", async () => {
    expect(await codingOf("/long", "*")).toBe("gzip");
    expect(await codingOf("/long", "GZIP")).toBe("gzip");
  });

  test("unsupported codings leave the response unchanged", async () => {
    expect(await codingOf("/long", "br, zstd")).toBeNull();
    expect(await codingOf("/long", undefined)).toBeNull();
  });

  test("short responses, images, event streams and partial content are not compressed", async () => {
    for (const path of ["/short", "/image", "/events", "/partial"]) {
      expect([path, await codingOf(path, "gzip")]).toEqual([path, null]);
    }
  });

  test("encoded responses are not compressed again", async () => {
    expect(await codingOf("/encoded", "gzip")).toBe("br");
  });

  test("no-transform is respected", async () => {
    expect(await codingOf("/no-transform", "gzip")).toBeNull();
  });

  test("JSON, streams and long errors are compressed as well", async () => {
    for (const path of ["/json", "/streamed", "/missing"]) {
      expect([path, await codingOf(path, "gzip")]).toEqual([path, "gzip"]);
    }
  });

  test("the uncompressed length is removed", async () => {
    expect((await ask("/long", "gzip")).headers.get("content-length")).toBeNull();
  });

  test("a strong tag becomes weak, and stays strong without compression", async () => {
    expect((await ask("/tagged", "gzip")).headers.get("etag")).toBe('W/"one"');
    expect((await ask("/tagged")).headers.get("etag")).toBe('"one"');
  });

  test("Vary is set, compressed or not", async () => {
    expect((await ask("/long", "gzip")).headers.get("vary")).toMatch(/accept-encoding/i);
    expect((await ask("/long")).headers.get("vary")).toMatch(/accept-encoding/i);
    const both = (await ask("/varied", "gzip")).headers.get("vary")?.toLowerCase().split(/, ?/);
    expect(both?.toSorted()).toEqual(["accept-encoding", "origin"]);
    expect((await ask("/image", "gzip")).headers.get("vary")).toBeNull();
  });

  test("HEAD has no body to compress", async () => {
    const response = await ask("/long", "gzip", "HEAD");
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});
