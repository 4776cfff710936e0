import { connect } from "node:net";
import { Application, json, text } from "espalier";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exchange } from "../support/raw-http.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const app = new Application({ logger: createRecordingLogger() });
const router = app.getRouter();
let port = 0;
const failures: unknown[] = [];

router.post("/parsed", (ctx) => json({ body: ctx.body, raw: ctx.rawBody?.length ?? null }));
const unparsed = { bodyParser: false };
router.post(
  "/clone",
  async ({ request }) => text((await request.clone().text()) + (await request.text())),
  unparsed,
);
router.post(
  "/form",
  async ({ request }) => text(String((await request.formData()).get("a"))),
  unparsed,
);
router.post("/blob", async ({ request }) => text(`${(await request.blob()).size}`), unparsed);
router.post(
  "/buffer",
  async ({ request }) => text(`${(await request.arrayBuffer()).byteLength}`),
  unparsed,
);
router.post("/json", async ({ request }) => json(await request.json()), unparsed);
router.post(
  "/twice",
  async ({ request }) => {
    const before = request.bodyUsed;
    const first = await request.text();
    const second = await request.text().catch((error: Error) => error.name);
    return json([before, first, request.bodyUsed, second]);
  },
  unparsed,
);
router.post(
  "/stream",
  async ({ request }) => {
    const { body } = request;
    const before = [request.bodyUsed, body === request.body];
    const read = await new Response(body).text();
    return json([...before, read, request.bodyUsed]);
  },
  unparsed,
);
router.post(
  "/left",
  async ({ request }) => text(await request.text().catch((error) => String(failures.push(error)))),
  unparsed,
);
router.get("/facts", ({ request }) =>
  json({
    isRequest: request instanceof Request,
    url: request.url,
    body: request.body,
    mode: request.redirect,
    cookie: request.headers.get("cookie"),
    accept: request.headers.get("ACCEPT"),
    absent: request.headers.get("constructor"),
    all: [...request.headers],
    copy: new Headers(request.headers).get("accept"),
  }),
);
// As passed to another server: with another URL, and a copy.
router.post(
  "/passed",
  ({ request }) => described(new Request("http://old.example/a", request)),
  unparsed,
);
router.post("/copied", ({ request }) => described(new Request(request.clone())), unparsed);

async function described(request: Request): Promise<Response> {
  const { method, headers } = request;
  return json([method, headers.get("x-shelf"), await request.text()]);
}

router.get("/changed", ({ request: { headers } }) => {
  headers.set("x-own", "1");
  headers.delete("accept");
  return json([headers.get("x-own"), headers.has("accept"), headers.get("host")]);
});
router.get("/bad-name", ({ request }) => text(String(request.headers.get("a b"))));

beforeAll(async () => {
  ({ port } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false }));
});
afterAll(() => app.stop());

const url = (path: string): string => `http://127.0.0.1:${port}${path}`;
const post = async (path: string, body: BodyInit): Promise<string> =>
  (await fetch(url(path), { method: "POST", body })).text();

test("an unparsed body is read as in the Fetch standard", async () => {
  expect(await post("/clone", "ü")).toBe("üü");
  expect(await post("/form", new URLSearchParams({ a: "b c" }))).toBe("b c");
  expect(await post("/blob", "ü")).toBe("2");
  expect(await post("/buffer", "ü")).toBe("2");
  expect(await post("/json", '{"a":1}')).toBe('{"a":1}');
  expect(await post("/twice", "x")).toBe('[false,"x",true,"TypeError"]');
  expect(await post("/stream", "x".repeat(100_000))).toBe(
    JSON.stringify([false, true, "x".repeat(100_000), true]),
  );
});

test("a request can be forwarded with its body", async () => {
  const init = { method: "POST", body: "seven books", headers: { "x-shelf": "3" } };
  const ask = async (path: string) => (await fetch(url(path), init)).json();
  expect(await ask("/passed")).toEqual(["POST", "3", "seven books"]);
  expect(await ask("/copied")).toEqual(["POST", "3", "seven books"]);
});

test("a body in pieces, in chunks and a missing one are parsed alike", async () => {
  const head = "POST /parsed HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
  const sent = `${head}Content-Length: 7\r\n\r\n{"a":1}${head}Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n`;
  const answer = await exchange(
    port,
    `${sent}${head}Content-Length: 0\r\n\r\n${head}Connection: close\r\n\r\n`,
  );
  expect(answer.match(/\{.*\}/g)).toEqual([
    '{"body":{"a":1},"raw":7}',
    '{"body":{"a":1},"raw":7}',
    '{"raw":null}',
    '{"raw":null}',
  ]);
});

test("bytes that are not UTF-8 are invalid JSON", async () => {
  const headers = { "content-type": "application/json" };
  const body = new Uint8Array([0x22, 0xff, 0x22]);
  expect((await fetch(url("/parsed"), { method: "POST", headers, body })).status).toBe(400);
});

test("headers are unchanged, joined as in the standard", async () => {
  const lines =
    "Host: a\r\nCookie: a=1\r\nCookie: b=2\r\nAccept: x\r\nAccept: y\r\nConnection: close\r\n";
  const answer = await exchange(port, `GET /facts?a=1 HTTP/1.1\r\n${lines}\r\n`);
  expect(JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? "")).toEqual({
    isRequest: true,
    url: "http://a/facts?a=1",
    body: null,
    mode: "follow",
    cookie: "a=1; b=2",
    accept: "x, y",
    absent: null,
    all: [
      ["accept", "x, y"],
      ["connection", "close"],
      ["cookie", "a=1; b=2"],
      ["host", "a"],
    ],
    copy: "x, y",
  });
  const changed = await fetch(url("/changed"));
  expect(await changed.json()).toEqual(["1", false, `127.0.0.1:${port}`]);
  expect((await fetch(url("/bad-name"))).status).toBe(500);
});

test.each([
  ["/facts/./../facts", "http://a/facts"],
  ["/%2e/facts?x='", "http://a/facts?x=%27"],
  ["http://b/facts?c", "http://b/facts?c"],
  ["//facts/../../facts", "http://a/facts"],
])("the target %s is the URL %s", async (target, expected) => {
  const answer = await exchange(
    port,
    `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  expect(JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? "")).toMatchObject({ url: expected });
});

test("an invalid target gets a 400", async () => {
  const answer = await exchange(
    port,
    "GET ftp://a/facts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test("a disconnect during a body fails its reader", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.write("POST /left HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
  setTimeout(() => socket.destroy(), 50);
  await expect.poll(() => failures.length, { timeout: 10_000 }).toBe(1);
  expect(failures[0]).toMatchObject({ status: 400 });
});
