import { describe, expect, test } from "vitest";
import {
  created,
  error,
  file,
  html,
  json,
  noContent,
  redirect,
  success,
  text,
  validationError,
} from "../../src/http/responses.ts";
import { sse, stream } from "../../src/http/stream-responses.ts";

/** Returns everything about a response that a client sees. */
async function seen(response: Response): Promise<unknown[]> {
  const headers = Object.fromEntries(response.headers);
  return [response.status, headers, await response.text()];
}

const jsonHeaders = { "content-type": "application/json", "x-content-type-options": "nosniff" };

describe("envelopes", () => {
  test("success wraps the data and is 200", async () => {
    expect(await seen(success({ id: 1 }))).toEqual([
      200,
      jsonHeaders,
      '{"success":true,"data":{"id":1}}',
    ]);
    expect(success([], 202).status).toBe(202);
  });

  test("json is only the data and is 200", async () => {
    expect(await seen(json([1, null]))).toEqual([200, jsonHeaders, "[1,null]"]);
  });

  test("given headers override those of the helper", async () => {
    const given = { "Cache-Control": "no-store", "Content-Type": "application/hal+json" };
    const wanted = {
      "cache-control": "no-store",
      "content-type": "application/hal+json",
      "x-content-type-options": "nosniff",
    };
    expect(await seen(json([1], 202, given))).toEqual([202, wanted, "[1]"]);
    expect(await seen(success(1, 200, new Headers(given)))).toEqual([
      200,
      wanted,
      '{"success":true,"data":1}',
    ]);
    const csv = text("a,b", 200, [["content-type", "text/csv"]]);
    expect(csv.headers.get("content-type")).toBe("text/csv");
    expect(csv.headers.get("x-content-type-options")).toBe("nosniff");
    const page = html("<p>", 404, { "content-language": "en" });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-language")).toBe("en");
  });

  test("several given cookies stay separate, and the input is not changed", () => {
    const given = new Headers();
    given.append("set-cookie", "a=1");
    given.append("set-cookie", "b=2");
    expect(json(1, 200, given).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect([...given.keys()]).toEqual(["set-cookie", "set-cookie"]);
  });

  test.each([
    ["json", json],
    ["success", success],
    ["created", created],
  ])(
    "%s rejects a promise, which would be sent as {}",
    async (_name, helper: (data: unknown) => Response) => {
      const forgotten = (): Promise<never> => Promise.reject(new Error("not awaited"));
      const refused = (message: unknown): object =>
        expect.objectContaining({ code: "ERR_HTTP_NOT_SERIALIZABLE", message });
      expect(() => helper(forgotten())).toThrow(
        refused(expect.stringMatching(/^The response data (is|has) a promise/)),
      );
      for (const data of [
        { author: forgotten() },
        [{ id: 1, author: forgotten() }, { author: forgotten() }],
        { meta: {}, books: [[{ author: forgotten() }]] },
      ]) {
        expect(() => helper(data)).toThrow(
          refused('The response data has a promise as "author". Await it first.'),
        );
      }
      // Their rejections must be handled by now, or the runner would report them.
      await new Promise((resolve) => setTimeout(resolve));
    },
  );

  test("an empty object, or one with toJSON, is not a promise", async () => {
    const data = { a: {}, b: "{}", c: [[], {}], d: { toJSON: () => ({}), e: Promise.resolve() } };
    expect(await json(data).text()).toBe('{"a":{},"b":"{}","c":[[],{}],"d":{}}');
    const many = Array.from({ length: 200_000 }, () => ({}));
    expect((await json(many).json()).length).toBe(200_000);
  });

  test("error has no data and is 400", async () => {
    expect(await seen(error("No."))).toEqual([
      400,
      jsonHeaders,
      '{"success":false,"message":"No."}',
    ]);
    const errors = [{ field: "a", message: "a is taken" }];
    expect(await error("No.", 409, errors).json()).toEqual({
      success: false,
      message: "No.",
      errors,
    });
  });

  test("validationError is the 422 Problem Details", async () => {
    const errors = [{ field: "a", message: "a is taken" }];
    const response = validationError(errors, { traceId: "t" });
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      title: "Validation Failed",
      traceId: "t",
      errors,
    });
  });

  test("undefined data is valid JSON", async () => {
    expect(await json(undefined).text()).toBe("null");
    expect(await json(() => 1).text()).toBe("null");
    expect(await success(undefined).json()).toEqual({ success: true });
    expect(await success(null).json()).toEqual({ success: true, data: null });
  });

  test.each([
    ["a BigInt", () => 1n],
    [
      "a cycle",
      () => {
        const cycle: { self?: unknown } = {};
        cycle.self = cycle;
        return cycle;
      },
    ],
    [
      "a toJSON that throws",
      () => ({
        toJSON() {
          throw new Error("inner");
        },
      }),
    ],
  ])("%s is an error with a fix", (_, make) => {
    const helpers: ((data: unknown) => Response)[] = [json, success, created];
    for (const helper of helpers) {
      expect(() => helper(make())).toThrow(
        expect.objectContaining({
          code: "ERR_HTTP_NOT_SERIALIZABLE",
          message: expect.stringContaining("convert BigInt values to strings"),
          cause: expect.any(Error),
        }),
      );
    }
  });
});

describe("plain answers", () => {
  test("text is text/plain in UTF-8, even if it looks like HTML", async () => {
    expect(await seen(text("<script>é"))).toEqual([
      200,
      { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
      "<script>é",
    ]);
  });

  test("html is text/html in UTF-8", async () => {
    const response = html("<p>é", 404);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect([response.status, await response.text()]).toEqual([404, "<p>é"]);
  });

  test("created is 201 with the envelope, and the location if given", async () => {
    expect(await seen(created({ id: 7 }, "/books/7"))).toEqual([
      201,
      { ...jsonHeaders, location: "/books/7" },
      '{"success":true,"data":{"id":7}}',
    ]);
    expect(created({}).headers.has("location")).toBe(false);
    expect(() => created({}, "//evil")).toThrow(
      expect.objectContaining({ code: "ERR_HTTP_BAD_LOCATION" }),
    );
  });

  test("noContent is 204 and nothing else", async () => {
    expect(await seen(noContent())).toEqual([204, {}, ""]);
  });

  test("the headers of every helper are mutable", () => {
    const all = [
      success(1),
      json(1),
      error("x"),
      text("x"),
      redirect("/x"),
      noContent(),
      file("x"),
    ];
    for (const response of all) {
      response.headers.set("x-late", "1");
      response.headers.append("set-cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT");
      response.headers.append("set-cookie", "b=2");
      expect(response.headers.get("x-late")).toBe("1");
      expect(response.headers.getSetCookie()).toHaveLength(2);
    }
    expect(json(1).headers.has("x-late")).toBe(false);
  });
});

describe("statuses", () => {
  test.each([204, 205, 304])("%d drops the body and its headers", async (status) => {
    const responses = [
      success({}, status),
      json({ a: 1 }, status),
      error("gone", status),
      text("x", status),
      html("x", status),
      stream(new ReadableStream(), { status }),
    ];
    const left = status === 205 ? { "content-length": "0" } : {};
    for (const response of responses) expect(await seen(response)).toEqual([status, left, ""]);
  });

  test("a dropped stream is cancelled", async () => {
    let cancelled = false;
    const source = new ReadableStream({
      cancel() {
        cancelled = true;
      },
    });
    stream(source, { status: 204 });
    expect(cancelled).toBe(true);
  });

  test.each([0, 101, 199, 600, 999, 200.5, Number.NaN])("%d is rejected immediately", (status) => {
    expect(() => json({}, status)).toThrow(
      expect.objectContaining({
        code: "ERR_HTTP_BAD_STATUS",
        message: `The status of a response must be an integer from 200 to 599, got ${status}.`,
      }),
    );
  });

  test("a status that is a string is shown in quotes", () => {
    const init: unknown = "201";
    expect(() => json({}, init as number)).toThrow(
      'The status of a response must be an integer from 200 to 599, got "201".',
    );
  });
});

describe("stream", () => {
  const collect = async (source: AsyncIterable<string | Uint8Array>): Promise<string> =>
    stream(source, { type: "text/csv; charset=utf-8" }).text();

  test("sends a ReadableStream unchanged", async () => {
    const source = new Blob(["abc"]).stream();
    const response = stream(source, { status: 206 });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      206,
      "application/octet-stream",
      "abc",
    ]);
  });

  test("sends strings and bytes of a generator, one at a time without reading ahead", async () => {
    const log: string[] = [];
    async function* rows(): AsyncGenerator<string | Uint8Array> {
      log.push("first");
      yield "a,é\n";
      log.push("second");
      yield new Uint8Array([0x62, 0x0a]).subarray(0, 2);
    }
    const response = stream(rows());
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(log).toEqual([]);
    const reader = response.body?.getReader();
    await reader?.read();
    expect(log).toEqual(["first"]);
    reader?.releaseLock();
    expect(await collect(rows())).toBe("a,é\nb\n");
  });

  test("closes the generator when the client disconnects", async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield "x";
      } finally {
        closed = true;
      }
    }
    const reader = stream(endless()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(closed).toBe(true);
  });

  test("a throwing generator ends the stream with its error", async () => {
    async function* failing(): AsyncGenerator<string> {
      yield "x";
      throw new Error("no more rows");
    }
    await expect(collect(failing())).rejects.toThrow("no more rows");
  });

  test.each(["", "nonsense", "text/plain\r\nset-cookie: a=b", "text/plain\n", "té/xt"])(
    "rejects %j as a content type",
    (type) => {
      expect(() => stream(new ReadableStream(), { type })).toThrow(
        expect.objectContaining({ code: "ERR_HTTP_BAD_CONTENT_TYPE" }),
      );
      expect(() => file("x", { type })).toThrow(
        expect.objectContaining({ code: "ERR_HTTP_BAD_CONTENT_TYPE" }),
      );
    },
  );
});

describe("invalid stream sources", () => {
  test.each([
    [undefined, "undefined"],
    [null, "null"],
    [7, "a number"],
    ["text", "a string"],
    [{ rows: 1 }, "an object"],
    [Promise.resolve([]), "a promise"],
  ])("%o is rejected while the response can still be an error", (source, kind) => {
    const problem = expect.objectContaining({
      code: "ERR_HTTP_BAD_STREAM",
      message: expect.stringContaining(
        `A stream must be an iterable or a function that returns one, got ${kind}.`,
      ),
    });
    expect(() => stream(source as never)).toThrow(problem);
    expect(() => sse(source as never)).toThrow(problem);
  });

  test("a function that returns no iterable ends the stream with an error", async () => {
    const response = stream((() => undefined) as never);
    await expect(response.text()).rejects.toMatchObject({ code: "ERR_HTTP_BAD_STREAM" });
  });

  test.each([
    [3, "a number"],
    [{ a: 1 }, "an object"],
    [null, "null"],
    [undefined, "undefined"],
  ])("a chunk %o is an error instead of zeros or no output", async (chunk, kind) => {
    async function* rows(): AsyncGenerator<never> {
      yield chunk as never;
    }
    await expect(stream(rows()).text()).rejects.toMatchObject({
      code: "ERR_HTTP_BAD_STREAM",
      message: `A chunk of a stream must be a string or bytes, got ${kind}. Convert data with JSON.stringify().`,
    });
  });
});

describe("file", () => {
  const disposition = (name: string, inline?: boolean): string | null =>
    file("x", inline === undefined ? { name } : { name, inline }).headers.get(
      "content-disposition",
    );

  test("is a download of bytes without a name by default", async () => {
    expect(await seen(file("x"))).toEqual([
      200,
      {
        "content-type": "application/octet-stream",
        "content-disposition": "attachment",
        "x-content-type-options": "nosniff",
      },
      "x",
    ]);
  });

  test("uses type and name of a Blob and a File", () => {
    const blob = file(new Blob(["x"], { type: "text/csv" }));
    expect(blob.headers.get("content-type")).toBe("text/csv");
    expect(blob.headers.get("content-disposition")).toBe("attachment");
    const named = file(new File(["x"], "a.csv", { type: "text/csv" }), { type: "text/plain" });
    expect(named.headers.get("content-type")).toBe("text/plain");
    expect(named.headers.get("content-disposition")).toBe('attachment; filename="a.csv"');
  });

  test.each([
    ["report.pdf", 'attachment; filename="report.pdf"'],
    ['a "b".txt', 'attachment; filename="a \\"b\\".txt"'],
    ["../../etc/passwd", 'attachment; filename="passwd"'],
    ["C:\\x\\y.txt", 'attachment; filename="y.txt"'],
    ["a\r\nset-cookie: b=c", 'attachment; filename="a__set-cookie: b=c"'],
    ["é.txt", "attachment; filename=\"_.txt\"; filename*=UTF-8''%C3%A9.txt"],
    ["100%.txt", "attachment; filename=\"100_.txt\"; filename*=UTF-8''100%25.txt"],
    [
      "😀'(*).txt",
      "attachment; filename=\"_'(*).txt\"; filename*=UTF-8''%F0%9F%98%80%27%28%2A%29.txt",
    ],
    ["\ud800x", "attachment; filename=\"_x\"; filename*=UTF-8''%EF%BF%BDx"],
  ])("names %j safely (RFC 6266, RFC 8187)", (name, expected) => {
    expect(disposition(name)).toBe(expected);
  });

  test("inline shows it", () => {
    expect(disposition("a.png", true)).toBe('inline; filename="a.png"');
  });
});
