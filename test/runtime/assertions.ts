import { expect } from "vitest";

/** A response as every runtime can give it, also a page in a browser. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly setCookie: readonly string[];
  readonly body: string;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A body of this many bytes, sent as a stream where the runtime can. */
  readonly bodyBytes?: number;
}

export type Send = (path: string, call?: Call) => Promise<Answer>;

export interface RuntimeAssertion {
  readonly title: string;
  /** Why a browser cannot ask this. */
  readonly notInBrowser?: string;
  run(send: Send): Promise<void>;
}

const jsonHeaders = { "content-type": "application/json" };
const postJson = (body: string): Call => ({ method: "POST", headers: jsonHeaders, body });

/** HTTP test cases with the same result on every runtime. */
export const assertions: readonly RuntimeAssertion[] = [
  {
    title: "a parameter is decoded once",
    async run(send) {
      const { status, headers, body } = await send("/api/hello/J%C3%BCrgen%2520%2F");
      expect([status, headers["content-type"], JSON.parse(body)]).toEqual([
        200,
        "application/json",
        { hello: "Jürgen%20/" },
      ]);
    },
  },
  {
    title: "every spelling of a static segment reaches the same route",
    async run(send) {
      const { body } = await send("/api/%68ello/x");
      expect(JSON.parse(body)).toEqual({ hello: "x" });
    },
  },
  {
    title: "a trailing slash is ignored",
    async run(send) {
      expect((await send("/api/hello/x/")).status).toBe(200);
      expect((await send("/api/hello/x//")).status).toBe(404);
    },
  },
  {
    title: "the last of repeated query values counts, and all can be had",
    async run(send) {
      const { body } = await send("/api/query?a=1&b=x%20y+z&a=2");
      expect(JSON.parse(body)).toEqual({ query: { a: "2", b: "x y z" }, all: ["1", "2"] });
    },
  },
  {
    title: "a wildcard takes the rest of the path",
    async run(send) {
      const { body } = await send("/api/files/a/b%2Fc.txt");
      expect(JSON.parse(body)).toEqual({ path: "a/b/c.txt" });
    },
  },
  {
    title: "a JSON body is parsed",
    async run(send) {
      const { body } = await send("/api/echo", postJson('{"a":[1,null,"ü"]}'));
      expect(JSON.parse(body)).toEqual({ body: { a: [1, null, "ü"] } });
    },
  },
  {
    title: "a form is parsed, repeated keys to a list",
    async run(send) {
      const call = {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "a=1&a=2&b=3+4",
      };
      expect(JSON.parse((await send("/api/echo", call)).body)).toEqual({
        body: { a: ["1", "2"], b: "3 4" },
      });
    },
  },
  {
    title: "a multipart upload is parsed",
    async run(send) {
      const body = [
        "--x",
        'Content-Disposition: form-data; name="file"; filename="a.txt"',
        "Content-Type: text/plain",
        "",
        "hello",
        "--x--",
        "",
      ].join("\r\n");
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      const answer = await send("/api/upload", { method: "POST", headers, body });
      expect(JSON.parse(answer.body)).toEqual({ name: "a.txt", size: 5 });
    },
  },
  {
    title: "a parsed body can be read again from the request",
    async run(send) {
      const { body } = await send("/api/reread", postJson('{"a": 1}'));
      expect(JSON.parse(body)).toEqual({ body: { a: 1 }, text: '{"a": 1}', size: 8 });
    },
  },
  {
    title: "the bytes of a JSON body are those that were sent",
    async run(send) {
      for (const [text, value] of [
        ['{"a":"é – 🌳"}', { a: "é – 🌳" }],
        ['\ufeff{"a":"é"}', { a: "é" }],
        ['"\ufffd"', "\ufffd"],
      ] as const) {
        const { body } = await send("/api/reread", postJson(text));
        const size = new TextEncoder().encode(text).length;
        expect(JSON.parse(body)).toMatchObject({ body: value, size });
      }
    },
  },
  {
    title: "malformed JSON is 400",
    async run(send) {
      const { status, headers, body } = await send("/api/echo", postJson('{"a":'));
      expect([status, headers["content-type"]]).toEqual([400, "application/problem+json"]);
      expect(JSON.parse(body)).toMatchObject({ title: "Bad Request", status: 400 });
    },
  },
  {
    title: "a body over the limit is 413",
    async run(send) {
      const { status } = await send("/api/echo", postJson(`"${"x".repeat(5000)}"`));
      expect(status).toBe(413);
    },
  },
  {
    title: "no body is undefined, also with a content type",
    async run(send) {
      const { body } = await send("/api/echo", { method: "POST", headers: jsonHeaders });
      expect(JSON.parse(body)).toEqual({ body: null });
    },
  },
  {
    title: "a route may read the stream itself",
    async run(send) {
      const { body } = await send("/api/count", { method: "POST", bodyBytes: 300_000 });
      expect(JSON.parse(body)).toEqual({ size: 300_000 });
    },
  },
  {
    title: "validation answers 422 with every field",
    async run(send) {
      const { status, headers, body } = await send(
        "/api/books",
        postJson('{"title":"x","pages":0}'),
      );
      expect([status, headers["content-type"]]).toEqual([422, "application/problem+json"]);
      expect(JSON.parse(body)).toMatchObject({
        type: "https://www.rfc-editor.org/rfc/rfc9457",
        title: "Validation Failed",
        detail: "One or more validation errors occurred.",
        errors: [
          { field: "title", message: "title must be at least 2 characters" },
          { field: "pages", message: "pages must be at least 1" },
        ],
      });
    },
  },
  {
    title: "a controller runs its hooks",
    async run(send) {
      const fine = await send("/api/books", postJson('{"title":"Trellis","pages":9}'));
      expect([fine.status, fine.headers["location"], fine.headers["x-after"]]).toEqual([
        201,
        "/api/books/1",
        "yes",
      ]);
      const refused = await send("/api/books?refuse=yes", postJson('{"title":"Trellis"}'));
      expect([refused.status, refused.headers["x-after"]]).toEqual([403, undefined]);
      expect(JSON.parse(refused.body)).toEqual({ success: false, message: "refused" });
    },
  },
  {
    title: "groups nest, with their middleware and constraints",
    async run(send) {
      expect((await send("/api/admin")).status).toBe(401);
      expect((await send("/api/%61dmin/books/1")).status).toBe(401);
      const headers = { authorization: "Bearer letmein" };
      const book = await send("/api/admin/books/12", { headers });
      expect([book.status, book.headers["x-stamp"], JSON.parse(book.body)]).toEqual([
        200,
        "nested",
        { id: "12" },
      ]);
      expect((await send("/api/admin/books/twelve", { headers })).status).toBe(404);
    },
  },
  {
    title: "404 is a Problem Details that went through the middleware",
    async run(send) {
      const { status, headers, body } = await send("/api/nowhere");
      expect([status, headers["x-route"]]).toEqual([404, "none"]);
      expect(JSON.parse(body)).toMatchObject({
        title: "Not Found",
        detail: "No route matches GET /api/nowhere.",
      });
    },
  },
  {
    title: "405 has Allow, OPTIONS is 204",
    async run(send) {
      const refused = await send("/api/echo", { method: "DELETE" });
      expect([refused.status, refused.headers["allow"]]).toEqual([405, "POST, OPTIONS"]);
      const options = await send("/api/echo", { method: "OPTIONS" });
      expect([options.status, options.headers["allow"], options.body]).toEqual([
        204,
        "POST, OPTIONS",
        "",
      ]);
    },
  },
  {
    title: "HEAD is GET without the body",
    async run(send) {
      const { status, headers, body } = await send("/api/hello/x", { method: "HEAD" });
      expect([status, headers["content-type"], headers["x-route"], body]).toEqual([
        200,
        "application/json",
        "/api/hello/:name",
        "",
      ]);
    },
  },
  {
    title: "an unexpected error is a 500 that tells nothing",
    async run(send) {
      const { status, body } = await send("/api/throws");
      expect([status, body.includes("secret")]).toEqual([500, false]);
      expect(JSON.parse(body)).toMatchObject({
        title: "Internal Server Error",
        detail: "An unexpected error occurred.",
      });
    },
  },
  {
    title: "an HttpError is its Problem Details",
    async run(send) {
      const { status, body } = await send("/api/http-error");
      expect([status, JSON.parse(body)["detail"]]).toEqual([409, "The book is on loan."]);
    },
  },
  {
    title: "an escape that cannot be decoded is 400",
    async run(send) {
      expect((await send("/api/hello/%E0%A4%A")).status).toBe(400);
      expect((await send("/api/nowhere/%zz")).status).toBe(404);
    },
  },
  {
    title: "204 has no body and no content type",
    async run(send) {
      const { status, headers, body } = await send("/api/nothing");
      expect([status, headers["content-type"], body]).toEqual([204, undefined, ""]);
    },
  },
  {
    title: "HTML says its charset",
    async run(send) {
      const { headers, body } = await send("/api/html");
      expect([headers["content-type"]?.toLowerCase(), body]).toEqual([
        "text/html; charset=utf-8",
        "<p>ü</p>",
      ]);
    },
  },
  {
    title: "a stream arrives whole",
    async run(send) {
      const { headers, body } = await send("/api/stream");
      expect([headers["content-type"], body]).toEqual(["text/csv", "one,two,three"]);
    },
  },
  {
    title: "server-sent events are framed",
    async run(send) {
      const { headers, body } = await send("/api/events");
      expect(headers["content-type"]).toBe("text/event-stream");
      expect(body).toBe("event: tick\ndata: 1\n\nevent: tick\ndata: 2\n\n");
    },
  },
  {
    title: "a relative redirect stays relative and can be decorated",
    notInBrowser: "a page never sees the redirect itself",
    async run(send) {
      const { status, headers } = await send("/api/redirect");
      expect([status, headers["location"], headers["x-route"]]).toEqual([
        302,
        "/api/hello/moved",
        "/api/redirect",
      ]);
    },
  },
  {
    title: "an immutable response is decorated",
    notInBrowser: "a page never sees the redirect itself",
    async run(send) {
      const { status, headers } = await send("/api/immutable");
      expect([status, headers["x-route"]]).toEqual([307, "/api/immutable"]);
    },
  },
  {
    title: "cookies are read and set, one line each",
    notInBrowser: "a page may neither send Cookie nor read Set-Cookie",
    async run(send) {
      const { body, setCookie } = await send("/api/cookies", { headers: { cookie: "sent=yes" } });
      expect(JSON.parse(body)).toEqual({ got: "yes" });
      expect(setCookie.map((cookie) => cookie.split(";")[0])).toEqual(["a=1", "b=2"]);
    },
  },
  {
    title: "a request id is taken over when it is harmless, else made",
    async run(send) {
      const taken = await send("/api/id", { headers: { "x-request-id": "abc.DEF_1-2" } });
      expect(taken.body).toBe("abc.DEF_1-2");
      const made = await send("/api/id", { headers: { "x-request-id": "<script>" } });
      expect(made.body).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    },
  },
];
