import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Application, type RequestContext, type Router } from "espalier";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { startWorkerd } from "../support/workerd.ts";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { namedBlocks } from "./import-blocks.ts";

type Store = object;
type RegisterFiles = (router: Router, storeOf: (ctx: RequestContext<object>) => Store) => void;

// In the repository, where the package and aws4fetch are found.
const folder = mkdtempSync(join(root, "test/docs/.files-"));
const disk = mkdtempSync(join(tmpdir(), "espalier-files-"));

const worker = `
import { Application } from "espalier";
import { registerFiles } from "./files.ts";
import { R2Files } from "./r2-files.ts";
const app = new Application();
app.middleware("auth", (_ctx, next) => next());
registerFiles(app.getRouter(), (ctx) => new R2Files(ctx.env.FILES));
export default app.worker();
`;

beforeAll(() => {
  for (const [name, { text }] of namedBlocks(codeBlocks("docs/guide/files.md").filter(isChecked))) {
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, "worker.ts"), worker);
});

afterAll(() => {
  for (const one of [folder, disk]) rmSync(one, { recursive: true });
});

/** Serves the page's routes with a store, and returns the address. */
async function listen(app: Application, store: Store): Promise<string> {
  const { registerFiles } = (await import(join(folder, "files.ts"))) as {
    registerFiles: RegisterFiles;
  };
  app.middleware("auth", (_ctx, next) => next());
  registerFiles(app.getRouter(), () => store);
  const { url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
  return url;
}

describe("files on disk", () => {
  const app = new Application();
  let base = "";
  beforeAll(async () => {
    const { DiskFiles } = await import(join(folder, "disk-files.ts"));
    base = await listen(app, new DiskFiles(disk));
  });
  afterAll(() => app.stop());
  checkFiles(() => base);

  test("an upload that breaks off leaves nothing behind", async () => {
    const before = readdirSync(disk);
    const socket = await import("node:net").then(({ connect }) =>
      connect({ port: Number(new URL(base).port), host: "127.0.0.1" }),
    );
    socket.on("error", () => {});
    socket.write("POST /files HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nhalf");
    await expect.poll(() => readdirSync(disk).length).toBe(before.length + 1);
    socket.destroy();
    await expect.poll(() => readdirSync(disk)).toEqual(before);
  });
});

describe("files in a bucket with the API of S3", () => {
  const app = new Application();
  const objects = new Map<string, Buffer>();
  let base = "";
  /** Stores objects by path, and refuses requests without a signature. */
  const bucket = createServer(async (request, response) => {
    const { method, url = "", headers } = request;
    const signature = /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-central-1\/s3\/aws4_request/;
    if (!signature.test(headers.authorization ?? "")) return response.writeHead(403).end();
    if (method === "PUT") {
      // As S3, which does not accept a body of unknown length.
      if (headers["content-length"] === undefined) return response.writeHead(411).end();
      objects.set(url, await buffer(request));
      return response.writeHead(200).end();
    }
    const stored = objects.get(url);
    if (stored === undefined) return response.writeHead(404).end();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const part = first === undefined ? stored : stored.subarray(Number(first), Number(last) + 1);
    response.writeHead(first === undefined ? 200 : 206, { "content-length": part.length });
    return response.end(method === "HEAD" ? undefined : part);
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => bucket.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/bucket`;
    const { S3Files } = await import(join(folder, "s3-files.ts"));
    const credentials = { accessKeyId: "id", secretAccessKey: "secret", region: "eu-central-1" };
    base = await listen(app, new S3Files({ url, ...credentials }));
  });
  afterAll(async () => {
    await app.stop();
    await new Promise((resolve) => bucket.close(resolve));
  });
  checkFiles(() => base);
});

describe("files in R2", () => {
  let miniflare: Miniflare;
  let base = "";
  beforeAll(async () => {
    miniflare = await startWorkerd(join(folder, "worker.ts"), {
      env: { FILES: { type: "r2", name: "files" } },
    });
    base = (await miniflare.ready).href;
  });
  afterAll(() => miniflare.dispose());
  checkFiles(() => base);
});

/** Declares the tests that every store passes. */
function checkFiles(base: () => string): void {
  const content = crypto.getRandomValues(new Uint8Array(60_000));
  let location = "";
  const read = (headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
    fetch(new URL(location, base()), { method, headers });

  beforeAll(async () => {
    const response = await fetch(new URL("/files", base()), { method: "POST", body: content });
    expect(response.status).toBe(201);
    location = response.headers.get("location") ?? "";
  });

  test("what was uploaded is downloaded", async () => {
    const response = await read();
    expect(response.status).toBe(200);
    expect(response.headers.get("accept-ranges")).toBe("bytes");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(await response.bytes()).toEqual(content);
  });

  test("HEAD gives the size", async () => {
    const response = await read({}, "HEAD");
    expect(response.headers.get("content-length")).toBe("60000");
    expect(await response.text()).toBe("");
  });

  test.each([
    ["bytes=0-499", 0, 499],
    ["bytes=59500-", 59_500, 59_999],
    ["bytes=-500", 59_500, 59_999],
    ["bytes=59990-70000", 59_990, 59_999],
    ["bytes=-70000", 0, 59_999],
  ])("%s is a part", async (range, first, last) => {
    const response = await read({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${first}-${last}/60000`);
    expect(await response.bytes()).toEqual(content.subarray(first, last + 1));
  });

  test.each(["bytes=60000-", "bytes=-0"])("%s is outside of the file", async (range) => {
    const response = await read({ range });
    expect(response.status).toBe(416);
    expect(response.headers.get("content-range")).toBe("bytes */60000");
    await response.body?.cancel();
  });

  test.each(["bytes=0-1,4-5", "lines=0-1", "bytes=9-2", "bytes=-"])(
    "%s is the whole file",
    async (range) => {
      const response = await read({ range });
      expect(response.status).toBe(200);
      expect((await response.bytes()).byteLength).toBe(60_000);
    },
  );

  test("a copy that is current is not sent again, and a part only of the current one", async () => {
    const etag = (await read({}, "HEAD")).headers.get("etag") ?? "";
    expect((await read({ "if-none-match": etag })).status).toBe(304);
    const current = await read({ range: "bytes=0-1", "if-range": etag });
    expect(current.status).toBe(206);
    await current.body?.cancel();
    const former = await read({ range: "bytes=0-1", "if-range": '"former"' });
    expect(former.status).toBe(200);
    await former.body?.cancel();
  });

  test("a file that does not exist is a 404", async () => {
    const response = await fetch(new URL(`/files/${crypto.randomUUID()}`, base()));
    expect(response.status).toBe(404);
    await response.body?.cancel();
    expect((await fetch(new URL("/files/..%2f..%2fetc", base()))).status).toBe(404);
  });

  test("a body without a length is refused", async () => {
    const body = new Blob(["text"]).stream();
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    expect((await fetch(new URL("/files", base()), init)).status).toBe(411);
  });
}
