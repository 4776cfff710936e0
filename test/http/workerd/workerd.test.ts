import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

describe.each(["2024-01-01", "2026-10-01"])("in workerd of %s", (compatibilityDate) => {
  let miniflare: Miniflare;
  beforeAll(async () => {
    const bundle = await build({
      entryPoints: [path("./worker.ts")],
      bundle: true,
      format: "esm",
      write: false,
      alias: { "#response": path("../../../src/platform/response/native.ts") },
    });
    const contents = bundle.outputFiles[0]?.text ?? "";
    miniflare = new Miniflare({
      workers: [
        {
          config: {
            name: "http",
            compatibilityDate,
            compatibilityFlags: [],
            manifest: {
              mainModule: "index.js",
              modulesRoot: "/",
              modules: { "index.js": { type: "esm", contents } },
            },
            env: { SELF: { type: "worker", worker: "http" } },
          },
        },
      ],
      cf: false,
    });
    await miniflare.ready;
  });
  afterAll(() => miniflare.dispose());

  type Answer = Awaited<ReturnType<Miniflare["dispatchFetch"]>>;
  const get = (pathname: string, headers: Record<string, string> = {}): Promise<Answer> =>
    miniflare.dispatchFetch(`http://localhost${pathname}`, { headers, redirect: "manual" });
  const post = (pathname: string, body: string, contentType: string): Promise<Answer> =>
    miniflare.dispatchFetch(`http://localhost${pathname}`, {
      method: "POST",
      body,
      headers: { "content-type": contentType },
    });

  test.each([
    ["of one byte each", 1, 9_999, 200],
    ["of odd sizes", 7_001, 5, 200],
    // Just over the limit, so that it is read completely before it is rejected.
    ["over the limit", 1_000, 132, 413],
  ])("a body without a length in chunks %s", async (_, size, count, status) => {
    const chunk = new TextEncoder().encode("1".repeat(size));
    const bytes = new ReadableStream({
      start(controller) {
        for (let i = 0; i < count; i++) controller.enqueue(chunk);
        controller.close();
      },
    });
    const response = await miniflare.dispatchFetch("http://localhost/echo", {
      method: "POST",
      body: bytes,
      duplex: "half",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    } as never);
    expect(response.status).toBe(status);
    const { text } = (await response.json()) as { text?: string };
    expect(text?.length).toBe(status === 200 ? size * count : undefined);
  });

  test("a response of another service can be decorated, keeping its cookies and body", async () => {
    const response = await get("/decorated");
    expect(response.headers.get("x-was-immutable")).toBe("true");
    expect(response.headers.getSetCookie()).toEqual([
      "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT",
      "b=2",
      "c=3",
    ]);
    expect([response.status, await response.text()]).toEqual([203, "origin"]);
  });

  test("an upgraded response can be decorated and keeps its socket", async () => {
    const response = await get("/decorated-socket", { upgrade: "websocket" });
    expect([response.status, response.headers.get("x-was-immutable")]).toEqual([101, "true"]);
    expect(response.webSocket).not.toBeNull();
    response.webSocket?.accept();
    response.webSocket?.close();
  });

  test("a redirect stays relative and can be decorated", async () => {
    const response = await get("/redirect");
    expect([
      response.status,
      response.headers.get("location"),
      response.headers.get("x-late"),
    ]).toEqual([302, "/there", "1"]);
  });

  test("Problem Details with the same status do not share headers, within or across requests", async () => {
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await get("/problem");
      expect([status, headers.get("x-first")]).toEqual([418, null]);
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect(await (await get("/problem")).json()).toMatchObject({ status: 418, detail: "tea" });
  });

  test("HEAD keeps the headers", async () => {
    const response = await get("/head");
    expect([response.headers.get("content-type"), await response.text()]).toEqual([
      "application/json",
      "",
    ]);
  });

  test("events are framed", async () => {
    expect(await (await get("/events")).text()).toBe("event: tick\ndata: 1\n\ndata: x\n\n");
  });

  test("a body is parsed and can be read again, keeping the platform's properties", async () => {
    const response = await post("/echo", '{"a":"é"}', "application/json; charset=utf-8");
    expect(await response.json()).toEqual({
      body: { a: "é" },
      kind: "json",
      hasFacts: true,
      text: '{"a":"é"}',
    });
  });

  test.each([
    ["broken JSON", 400, "application/json", '{"a":'],
    ["100,000 levels", 413, "application/json", "[".repeat(100_000)],
    ["a byte too many", 413, "application/json", "x".repeat(128 * 1024 + 1)],
    ["an unknown charset", 415, "application/json; charset=klingon", "{}"],
    ["a broken form", 400, "multipart/form-data; boundary=x", "hello"],
    ["no boundary", 400, "multipart/form-data", "hello"],
  ])("%s is a %d", async (_, status, type, body) => {
    const response = await post("/echo", body, type);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  test("JSON read as text has the original bytes", async () => {
    const bytes = new TextEncoder().encode('\ufeff{"a":"é – 🌳"}');
    const response = await miniflare.dispatchFetch("http://localhost/json-text", {
      method: "POST",
      body: bytes,
      headers: { "content-type": "application/json" },
    });
    expect(await response.json()).toEqual({ body: { a: "é – 🌳" }, bytes: [...bytes] });
  });

  test.each([
    ["is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
    ["has two byte order marks", new TextEncoder().encode("\ufeff\ufeff1")],
  ])("JSON that is read as text and %s is a 400", async (_title, body) => {
    const response = await miniflare.dispatchFetch("http://localhost/json-text", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(400);
  });

  test("files keep their names", async () => {
    const part = (name: string, content: string): string =>
      `--x\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\n${content}\r\n`;
    const body = `${part("../a.txt", "one")}${part("b.txt", "two")}--x--\r\n`;
    const response = await post("/files", body, "multipart/form-data; boundary=x");
    expect(await response.json()).toEqual({ names: ["../a.txt", "b.txt"], last: "two" });
  });

  test("a signed cookie can be read again", async () => {
    expect(await (await get("/signed")).json()).toBe("42");
  });
});
