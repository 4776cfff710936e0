import { gunzipSync, inflateSync } from "node:zlib";
import { EspalierError, json, sse, text } from "espalier";
import { describe, expect, test, vi } from "vitest";
import { chooseCoding } from "../../src/http/accept-encoding.ts";
import {
  CompressionMiddleware,
  type CompressionOptions,
} from "../../src/middleware/compression.ts";
import { ETagMiddleware } from "../../src/middleware/etag.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { addOutcomes, createApp, outcomes } from "./support/app.ts";

const long = "a tree trained flat against a wall ".repeat(100);

function compressingApp(options?: CompressionOptions) {
  const { app } = createApp([new CompressionMiddleware(options)]);
  addOutcomes(app);
  app.getRouter().get("/long", () => text(long));
  return app;
}

const gzip = { headers: { "accept-encoding": "gzip" } };

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe("Accept-Encoding", () => {
  test.each([
    [null, undefined],
    ["", undefined],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["deflate", "deflate"],
    ["gzip, deflate, br, zstd", "gzip"],
    ["deflate, gzip", "gzip"],
    ["gzip;q=0.5, deflate;q=0.8", "deflate"],
    ["gzip ; q=0.5 , deflate;Q=0.4", "gzip"],
    ["gzip;q=0", undefined],
    ["gzip;q=0, deflate", "deflate"],
    ["gzip;q=0.000, *", "deflate"],
    ["*", "gzip"],
    ["*;q=0", undefined],
    ["*;q=0, gzip;q=0.001", "gzip"],
    ["identity", undefined],
    ["identity;q=0, gzip;q=0.5", "gzip"],
    ["identity, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["br", undefined],
    ["gzip;q=2", undefined],
    ["gzip;q=0.1234", undefined],
    ["gzip;q=x, deflate", "deflate"],
    ["gzipped", undefined],
    [", ,gzip,,", "gzip"],
  ])("%s chooses %s", (header, coding) => {
    expect(chooseCoding(header, ["gzip", "deflate"])).toBe(coding);
  });

  test("is read in the time of a usual one of its length, whatever its value", async () => {
    const usual = "deflate;q=0.5, ".repeat(4_000);
    for (const part of ["gzip;", " ", "gzip;q=0.", ",", "*"]) {
      const text = part.repeat(60_000 / part.length);
      const ratio = await costRatio(
        () => chooseCoding(text, ["gzip"]),
        () => chooseCoding(usual, ["gzip"]),
      );
      expect(ratio).toBeLessThan(30);
    }
  });
});

test.each([
  ["gzip", gunzipSync],
  ["deflate", inflateSync],
] as const)("compresses with %s", async (coding, decode) => {
  const app = compressingApp();
  app.getRouter().get("/counted", () => {
    const response = text(long);
    response.headers.set("content-length", String(long.length));
    response.headers.set("accept-ranges", "bytes");
    response.headers.set("vary", "Cookie");
    response.headers.append("set-cookie", "a=1");
    response.headers.append("set-cookie", "b=2");
    return response;
  });
  const response = await app.request("/counted", { headers: { "accept-encoding": coding } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-encoding")).toBe(coding);
  expect(response.headers.get("vary")).toBe("Cookie, Accept-Encoding");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.has("content-length")).toBe(false);
  expect(response.headers.has("accept-ranges")).toBe(false);
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  const bytes = await bytesOf(response);
  expect(bytes.length).toBeLessThan(long.length / 5);
  expect(decode(bytes).toString()).toBe(long);
});

test("uses the client's header instead of the edge's, if an edge provides both", async () => {
  const app = compressingApp();
  const codingFor = async (clientAcceptEncoding: unknown) => {
    const init = { headers: { "accept-encoding": "br, gzip" } };
    const request = new Request("http://localhost/long", init);
    const response = await app.fetch(Object.assign(request, { cf: { clientAcceptEncoding } }));
    return response.headers.get("content-encoding");
  };
  expect(await codingFor("deflate")).toBe("deflate");
  expect(await codingFor("")).toBeNull();
  expect(await codingFor(null)).toBe("gzip");
});

test("keeps the body if the client accepts no coding, and sets Vary", async () => {
  const response = await compressingApp().request("/long");
  expect(response.headers.has("content-encoding")).toBe(false);
  expect(response.headers.get("vary")).toBe("Accept-Encoding");
  expect(await response.text()).toBe(long);
});

test("compresses every response that is long enough, and keeps the status", async () => {
  const app = compressingApp({ thresholdBytes: 1 });
  for (const [method, path, status] of outcomes) {
    const response = await app.request(path, { method, ...gzip });
    expect(response.status, path).toBe(status);
    const encoding = response.headers.get("content-encoding");
    const bytes = await bytesOf(response);
    if (method === "HEAD") expect(bytes.length).toBe(0);
    else if (encoding === "gzip") expect(gunzipSync(bytes).length).toBeGreaterThan(0);
    else expect(bytes.length, path).toBe(0);
    if (path === "/cookies") expect(response.headers.getSetCookie()).toHaveLength(2);
  }
  const problem = await app.request("/nowhere", gzip);
  expect(problem.headers.get("content-type")).toBe("application/problem+json");
  expect(JSON.parse(gunzipSync(await bytesOf(problem)).toString())).toMatchObject({ status: 404 });
});

test("sets the same headers for HEAD as for GET", async () => {
  const app = compressingApp();
  const [get, head] = [
    await app.request("/long", gzip),
    await app.request("/long", { method: "HEAD", ...gzip }),
  ];
  expect([...head.headers]).toEqual([...get.headers]);
  expect(await head.text()).toBe("");
});

describe("responses that are not compressed", () => {
  test("short ones, by Content-Length or by reading", async () => {
    const app = compressingApp();
    app.getRouter().get("/of/:length", (ctx) => text("x".repeat(Number(ctx.params["length"]))));
    app.getRouter().get("/counted", () => {
      const response = text("x");
      response.headers.set("content-length", "1");
      return response;
    });
    const encodings: (string | null)[] = [];
    for (const path of ["/of/0", "/of/1023", "/of/1024", "/counted"]) {
      const response = await app.request(path, gzip);
      encodings.push(response.headers.get("content-encoding"));
      expect(response.headers.get("vary"), path).toBe("Accept-Encoding");
    }
    expect(encodings).toEqual([null, null, "gzip", null]);
    expect(await (await app.request("/of/1023", gzip)).text()).toHaveLength(1023);
  });

  test.each([
    ["a custom coding", { "content-type": "text/plain", "content-encoding": "br" }],
    ["no-transform", { "content-type": "text/plain", "cache-control": "public, No-Transform" }],
    ["an image", { "content-type": "image/png" }],
    ["an archive", { "content-type": "application/zip" }],
    ["an event stream", { "content-type": "text/event-stream" }],
    ["a type like text", { "content-type": "application/jsonx" }],
    ["no type", {}],
  ])("has %s", async (_, headers) => {
    const app = compressingApp();
    const body = new TextEncoder().encode(long);
    app.getRouter().get("/own", () => new Response(body, { headers }));
    const response = await app.request("/own", gzip);
    expect(response.headers.get("content-encoding")).not.toBe("gzip");
    expect(response.headers.has("vary")).toBe(false);
    expect(await response.text()).toBe(long);
  });

  test("partial content", async () => {
    const app = compressingApp();
    const headers = { "content-type": "text/plain", "content-range": "bytes 0-2000/9000" };
    app.getRouter().get("/part", () => new Response(long, { status: 206, headers }));
    expect((await app.request("/part", gzip)).headers.has("content-encoding")).toBe(false);
  });
});

test.each([
  "application/json",
  "application/vnd.api+json",
  "image/svg+xml",
  "TEXT/HTML; charset=utf-8",
])("compresses %s", async (type) => {
  const app = compressingApp();
  app.getRouter().get("/t", () => new Response(long, { headers: { "content-type": type } }));
  expect((await app.request("/t", gzip)).headers.get("content-encoding")).toBe("gzip");
});

test("sends while it compresses, and stops if the client does not read", async () => {
  const app = compressingApp();
  const cancel = vi.fn();
  let produced = 0;
  app.getRouter().get("/endless", () => {
    const body = new ReadableStream({
      pull(controller) {
        produced += 1;
        controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536)));
      },
      cancel,
    });
    return new Response(body, { headers: { "content-type": "text/plain" } });
  });
  const response = await app.request("/endless", gzip);
  const reader = response.body?.getReader();
  for (let chunk = 0; chunk < 3; chunk += 1) expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), { timeout: 10_000 });
  expect(produced).toBeLessThan(100);
  // The source of an event stream is not accessed.
  app.getRouter().get("/events", () =>
    sse(
      (async function* () {
        yield { data: "x" };
        await new Promise(() => {});
      })(),
    ),
  );
  const events = await app.request("/events", gzip);
  expect(events.headers.has("content-encoding")).toBe(false);
  await events.body?.cancel();
});

test("weakens the tag of compressed responses, and 304 still works", async () => {
  const { app } = createApp([new CompressionMiddleware(), new ETagMiddleware()]);
  app.getRouter().get("/long", () => json({ long }));
  const plain = await app.request("/long");
  const strong = plain.headers.get("etag") ?? "";
  expect(strong).toMatch(/^"/);
  const first = await app.request("/long", gzip);
  expect(first.headers.get("etag")).toBe(`W/${strong}`);
  const again = await app.request("/long", {
    headers: { "accept-encoding": "gzip", "if-none-match": `W/${strong}` },
  });
  expect(again.status).toBe(304);
  expect(again.headers.get("etag")).toBe(`W/${strong}`);
  expect(again.headers.get("vary")).toBe("Accept-Encoding");
  expect(again.headers.has("content-encoding")).toBe(false);
  const identical = await app.request("/long", { headers: { "if-none-match": strong } });
  expect([identical.status, identical.headers.get("etag")]).toEqual([304, strong]);
});

test("rejects a threshold that is not a number of bytes", () => {
  for (const thresholdBytes of [-1, 0.5, Number.NaN]) {
    expect(() => new CompressionMiddleware({ thresholdBytes })).toThrow(EspalierError);
  }
});
