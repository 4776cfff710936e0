import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { Application, Auth, createAuthMiddleware } from "espalier";
import { type StaticFilesOptions, staticFiles } from "espalier/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRecordingLogger } from "../../support/recording-logger.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-static-"));
const root = join(folder, "public");
const large = crypto.getRandomValues(new Uint8Array(400_000 % 65_536));

beforeAll(() => {
  for (const path of ["docs", "empty", ".well-known", "secret.d"]) {
    mkdirSync(join(root, path), { recursive: true });
  }
  mkdirSync(join(folder, "public-not"));
  const files: Record<string, string | Uint8Array> = {
    "public/index.html": "<h1>Home</h1>",
    "public/app.js": "let app;",
    "public/app.js.br": "brotli",
    "public/app.js.gz": "gzip",
    "public/plain.css": "p {}",
    "public/docs/index.html": "<h1>Docs</h1>",
    "public/a b+ü%.txt": "odd",
    "public/noextension": "bytes",
    "public/large.bin": large,
    "public/.env": "SECRET=1",
    "public/docs/.git": "ref",
    "outside.txt": "content beyond",
    "public-not/file.txt": "sibling",
  };
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
  symlinkSync(join(folder, "outside.txt"), join(root, "link-out.txt"));
  symlinkSync(folder, join(root, "link-folder"));
  symlinkSync(join(root, ".env"), join(root, "link-hidden.txt"));
  symlinkSync(join(root, "app.js"), join(root, "link-in.js"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function createApp(options?: StaticFilesOptions, directory: string | URL = root): Application {
  const app = new Application({ logger: createRecordingLogger() });
  app.getRouter().get("/assets/*path", staticFiles(directory, options));
  return app;
}

/** Responds to a request after its body was read: a body that is dropped would keep its file open. */
async function ask(app: Application, path: string, init?: RequestInit): Promise<Response> {
  const response = await app.request(path, init);
  const copy = response.clone();
  await response.arrayBuffer();
  return copy;
}

test("a file has its type, validators and Cache-Control", async () => {
  const response = await ask(createApp(), "/assets/app.js");
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "accept-ranges": "bytes",
    "cache-control": "max-age=0",
    "content-length": "8",
    "content-type": "text/javascript; charset=utf-8",
    "x-content-type-options": "nosniff",
    etag: expect.stringMatching(/^"[\w-]+"$/),
    "last-modified": expect.stringMatching(/GMT$/),
  });
  expect(response.headers.has("content-disposition")).toBe(false);
  expect(await response.text()).toBe("let app;");
});

test.each([
  ["/assets/plain.css", "p {}"],
  ["/assets/a%20b+%C3%BC%25.txt", "odd"],
  ["/assets/", "<h1>Home</h1>"],
  ["/assets/docs/", "<h1>Docs</h1>"],
  ["/assets/link-in.js", "let app;"],
])("%s is served", async (path, content) => {
  const response = await ask(createApp(), path);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(content);
});

test.each([
  "/assets/nothing.txt",
  "/assets/app.js/",
  "/assets/app.js/inner",
  "/assets/empty/",
  "/assets/.env",
  "/assets/docs/.git",
  "/assets/%2eenv",
  "/assets/link-out.txt",
  "/assets/link-folder/outside.txt",
  "/assets/link-hidden.txt",
  "/assets/..%2foutside.txt",
  "/assets/%2e%2e%2foutside.txt",
  "/assets/docs/..%2f..%2foutside.txt",
  "/assets/..%5coutside.txt",
  "/assets/..%2fpublic-not%2ffile.txt",
  "/assets/app.js%00.txt",
  "/assets/C:%2fwindows",
  "/assets/app.js::$DATA",
  `/assets/${"a".repeat(300)}`,
  "/assets/%252e%252e%252foutside.txt",
  "/assets//app.js",
  "/assets/docs//index.html",
  "/assets/docs%2findex.html",
  "/assets/docs%2Findex.html",
  "/assets/%2Fapp.js",
])("%s does not exist", async (path) => {
  const response = await ask(createApp(), path);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toMatch(/SECRET|content beyond|sibling/);
});

test("traversal in a raw request target reads nothing", async () => {
  const app = createApp();
  const { port } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
  for (const target of ["/assets/../../outside.txt", "/assets/./.env", "//assets/../outside.txt"]) {
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    expect(await readText(socket), target).toMatch(/^HTTP\/1\.1 40[04]/);
  }
  await app.stop();
});

test("a directory without a slash is redirected, with its query", async () => {
  const response = await ask(createApp(), "/assets/docs?a=1");
  expect(response.status).toBe(301);
  expect(response.headers.get("location")).toBe("/assets/docs/?a=1");
});

test("ranges and conditions", async () => {
  const app = createApp();
  const get = (headers: Record<string, string>, method = "GET") =>
    ask(app, "/assets/large.bin", { method, headers });
  const part = await get({ range: "bytes=100-199" });
  expect(part.status).toBe(206);
  expect(await part.bytes()).toEqual(large.subarray(100, 200));
  const etag = part.headers.get("etag") ?? "";
  const current = await get({ "if-none-match": etag });
  expect(current.status).toBe(304);
  expect(current.headers.get("cache-control")).toBe("max-age=0");
  expect((await get({ range: "bytes=9999999-" })).status).toBe(416);
  expect((await get({}, "HEAD")).headers.get("content-length")).toBe(String(large.length));
});

test("a change of the file changes its tag", async () => {
  const app = createApp();
  const tagOf = async () => (await ask(app, "/assets/change.txt")).headers.get("etag");
  writeFileSync(join(root, "change.txt"), "one");
  const first = await tagOf();
  // The clock of file systems advances in steps of some milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 30));
  writeFileSync(join(root, "next.txt"), "two");
  renameSync(join(root, "next.txt"), join(root, "change.txt"));
  expect(await tagOf()).not.toBe(first);
});

test("precompressed files are sent to clients that accept them", async () => {
  const app = createApp({ precompressed: true });
  const get = (encoding: string, path = "app.js") =>
    ask(app, `/assets/${path}`, { headers: { "accept-encoding": encoding } });
  for (const [accepted, coding, body] of [
    ["gzip, br", "br", "brotli"],
    ["gzip", "gzip", "gzip"],
    ["br;q=0, gzip;q=0", null, "let app;"],
    ["", null, "let app;"],
  ] as const) {
    const response = await get(accepted);
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(await response.text()).toBe(body);
  }
  const plain = await get("br", "plain.css");
  expect(plain.headers.has("content-encoding")).toBe(false);
  expect(plain.headers.get("vary")).toBe("Accept-Encoding");
  const etags = new Set([
    (await get("br")).headers.get("etag"),
    (await get("")).headers.get("etag"),
  ]);
  expect(etags.size).toBe(2);
});

test("the fallback is for pages, not for files of scripts", async () => {
  const app = createApp({ fallback: "index.html" });
  const page = await ask(app, "/assets/members/7", {
    headers: { accept: "text/html,*/*;q=0.8" },
  });
  expect(page.status).toBe(200);
  expect(await page.text()).toBe("<h1>Home</h1>");
  const missing = [];
  for (const accept of ["*/*", "application/json"]) {
    missing.push(await ask(app, "/assets/missing.js", { headers: { accept } }));
  }
  expect(missing.map(({ status }) => status)).toEqual([404, 404]);
  // Otherwise a cache would send the page in the place of a script.
  for (const { headers } of [page, ...missing]) expect(headers.get("vary")).toBe("Accept");
  expect((await ask(app, "/assets/app.js")).headers.has("vary")).toBe(false);
});

test("index: false, cacheControl and types", async () => {
  const app = createApp({
    index: false,
    cacheControl: (path) =>
      path.endsWith(".js") ? "public, max-age=31536000, immutable" : "no-cache",
    types: { css: "text/x-own" },
  });
  expect((await ask(app, "/assets/docs/")).status).toBe(404);
  expect((await ask(app, "/assets/app.js")).headers.get("cache-control")).toContain("immutable");
  const css = await ask(app, "/assets/plain.css");
  expect(css.headers.get("cache-control")).toBe("no-cache");
  expect(css.headers.get("content-type")).toBe("text/x-own");
  const unknown = await ask(app, "/assets/noextension");
  expect(unknown.headers.get("content-type")).toBe("application/octet-stream");
});

test("a file URL names the directory, and a missing directory has no files", async () => {
  const app = createApp({}, pathToFileURL(`${root}/`));
  expect((await ask(app, "/assets/app.js")).status).toBe(200);
  expect((await ask(createApp({}, join(folder, "none")), "/assets/app.js")).status).toBe(404);
});

test("routes beside the wildcard take precedence", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  app.getRouter().get("/*path", staticFiles(root));
  app.getRouter().get("/app.js", () => new Response("route"));
  expect(await (await ask(app, "/app.js")).text()).toBe("route");
  expect(await (await ask(app, "/plain.css")).text()).toBe("p {}");
});

test("no spelling of a path leads past the guard of a more specific route", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  app.middleware("guard", () => new Response("no", { status: 401 }));
  app.getRouter().get("/*path", staticFiles(root));
  app.getRouter().get("/docs/*path", staticFiles(join(root, "docs")), { middleware: ["guard"] });
  const { port } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
  const statuses: string[] = [];
  for (const target of [
    "/docs/index.html",
    "/d%6Fcs/index.html",
    "/x/../docs/index.html",
    "//docs/index.html",
    "/docs//index.html",
    "/docs%2Findex.html",
    "/docs%2findex.html",
    "/%2Fdocs/index.html",
    "/%2fdocs%2f",
    "//docs",
    "//docs/",
    "/docs%2F",
    "/x%2F..%2Fdocs/index.html",
  ]) {
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(await readText(socket)) ?? [];
    statuses.push(`${target} ${status}`);
  }
  await app.stop();
  expect(statuses.filter((line) => !/ 40[14]$/.test(line))).toEqual([]);
  expect(statuses.slice(0, 3).every((line) => line.endsWith(" 401"))).toBe(true);
});

// A symbolic link stands for a file system that finds a name by another spelling: its real path has the name itself.
test.each(["Docs", "DOCS", "docs.", "docs ", "doc\u017f"])(
  "a directory that is found as %j is not served past the guard of its own name",
  async (spelling) => {
    const link = join(root, spelling);
    symlinkSync(join(root, "docs"), link);
    try {
      const app = new Application({ logger: createRecordingLogger() });
      app.middleware("guard", () => new Response("no", { status: 401 }));
      app.getRouter().get("/*path", staticFiles(root));
      app.getRouter().get("/docs/*path", staticFiles(join(root, "docs")), {
        middleware: ["guard"],
      });
      for (const path of ["/index.html", "/", ""]) {
        expect((await ask(app, `/${encodeURIComponent(spelling)}${path}`)).status).toBe(404);
      }
      expect((await ask(app, "/docs/index.html")).status).toBe(401);
    } finally {
      unlinkSync(link);
    }
  },
);

test("a file behind a guard is kept out of shared caches", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  const auth = new Auth({ secret: "x".repeat(32) });
  app.middleware("auth", createAuthMiddleware(auth));
  app.getRouter().get("/*path", staticFiles(root), { middleware: ["auth"] });
  const headers = { authorization: `Bearer ${await auth.generateToken({ id: 1 })}` };
  const response = await ask(app, "/app.js", { headers });
  expect([response.status, response.headers.get("cache-control")]).toEqual([
    200,
    "private, max-age=0",
  ]);
  expect(response.headers.get("vary")).toBe("Authorization");
});

test("every file is closed: sent, left, current, and cut short", async () => {
  const app = createApp();
  const descriptors = () => readdirSync("/proc/self/fd").length;
  await app.request("/assets/app.js").then((response) => response.text());
  const before = descriptors();
  for (let round = 0; round < 20; round += 1) {
    const sent = await app.request("/assets/large.bin");
    await sent.bytes();
    await (await app.request("/assets/large.bin")).body?.cancel();
    const headers = { "if-none-match": sent.headers.get("etag") ?? "" };
    await app.request("/assets/large.bin", { headers });
    await app.request("/assets/large.bin", { headers: { range: "bytes=9999999-" } });
    await app.request("/assets/large.bin", { method: "HEAD" });
    await app.request("/assets/docs");
    await app.request("/assets/empty/");
    writeFileSync(join(root, "short.bin"), large);
    const short = await app.request("/assets/short.bin");
    truncateSync(join(root, "short.bin"), 10);
    await expect(short.bytes()).rejects.toThrow();
  }
  expect(descriptors()).toBeLessThanOrEqual(before + 1);
});

test("what is not a file is not opened", async () => {
  // Opening a pipe would wait for a writer.
  const made = spawnSync("mkfifo", [join(root, "pipe")]);
  if (made.status !== 0) return;
  const response = await Promise.race([
    createApp().request("/assets/pipe"),
    new Promise((resolve) => setTimeout(resolve, 2000, "waits")),
  ]);
  expect(response).toMatchObject({ status: 404 });
});

describe("wrong use", () => {
  test.each<[unknown, object]>([
    ["", {}],
    [5, {}],
    [new URL("https://example.org/"), {}],
    [root, { index: "../index.html" }],
    [root, { fallback: ".env" }],
    [root, { fallback: "pages//index.html" }],
    [root, { indexes: "a" }],
  ])("staticFiles(%j, %j) is refused", (directory, options) => {
    expect(() => staticFiles(directory as string, options)).toThrow("staticFiles()");
  });

  test("a route without a wildcard is a 500", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.getRouter().get("/assets/:path", staticFiles(root));
    expect((await app.request("/assets/app.js")).status).toBe(500);
    expect(JSON.stringify(logger.lines)).toContain("must end with a wildcard");
  });
});
