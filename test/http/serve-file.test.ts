import { Application, type RequestContext, type ServedFile, serveFile } from "espalier";
import { expect, test } from "vitest";
import { parseByteRange } from "../../src/http/byte-range.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const content = new TextEncoder().encode("0123456789");
const lastModified = new Date("2026-11-01T10:00:00.500Z");
const modified = "Sun, 01 Nov 2026 10:00:00 GMT";

/** An application that serves the digits, and counts how often they are read. */
function createApp(given: Partial<ServedFile> = {}) {
  const app = new Application({ logger: createRecordingLogger() });
  let reads = 0;
  app.getRouter().get("/digits", (ctx: RequestContext<object>) =>
    serveFile(ctx, {
      size: content.length,
      etag: '"v1"',
      lastModified,
      type: "text/plain",
      name: "digits.txt",
      read: ({ offset, length } = { offset: 0, length: content.length }) => {
        reads += 1;
        return new Blob([content.subarray(offset, offset + length)]).stream();
      },
      ...given,
    }),
  );
  const get = (headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
    app.request("/digits", { method, headers });
  return { get, reads: () => reads };
}

test("the whole file has its size, validators and name", async () => {
  const response = await createApp().get();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "accept-ranges": "bytes",
    "content-length": "10",
    "content-type": "text/plain",
    "content-disposition": 'attachment; filename="digits.txt"',
    etag: '"v1"',
    "last-modified": modified,
  });
  expect(await response.text()).toBe("0123456789");
});

test("HEAD has the headers, and reads nothing", async () => {
  const { get, reads } = createApp();
  const response = await get({ range: "bytes=0-1" }, "HEAD");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-length")).toBe("10");
  expect(await response.text()).toBe("");
  expect(reads()).toBe(0);
});

test.each([
  ["bytes=0-0", "0", "0-0"],
  ["bytes=2-4", "234", "2-4"],
  ["bytes=7-", "789", "7-9"],
  ["bytes=-3", "789", "7-9"],
  ["bytes=-99", "0123456789", "0-9"],
  ["bytes=8-99", "89", "8-9"],
  ["Bytes = 1-2", "12", "1-2"],
])("%s is %s", async (range, text, expected) => {
  const response = await createApp().get({ range });
  expect(response.status).toBe(206);
  expect(response.headers.get("content-range")).toBe(`bytes ${expected}/10`);
  expect(response.headers.get("content-length")).toBe(String(text.length));
  expect(await response.text()).toBe(text);
});

test.each(["bytes=10-", "bytes=99-100", "bytes=-0"])("%s is a 416", async (range) => {
  const { get, reads } = createApp();
  const response = await get({ range });
  expect(response.status).toBe(416);
  expect(response.headers.get("content-range")).toBe("bytes */10");
  expect(reads()).toBe(0);
});

test.each([
  "bytes=0-1,4-5",
  "lines=0-1",
  "bytes=5-2",
  "bytes=-",
  "bytes=a-b",
  "bytes",
  "bytes=1.5-2",
])("%s is the whole file", async (range) => {
  expect((await createApp().get({ range })).status).toBe(200);
});

test.each(["bytes = 0 - 4 ", "bytes=\t0-\t4"])("%j has blanks, and is that range", (header) => {
  expect(parseByteRange(header, 10)).toEqual({ offset: 0, length: 5 });
});

test.each(["bytes=1 2-3", "bytes= ", "bytes=- -", "bytes=0-1 2"])("%j is ignored", (header) => {
  expect(parseByteRange(header, 10)).toBeUndefined();
});

test("every range of an empty file is outside of it", () => {
  for (const header of ["bytes=0-", "bytes=0-0", "bytes=-1"]) {
    expect(parseByteRange(header, 0), header).toBe("unsatisfiable");
  }
});

test.each<[Record<string, string>, number]>([
  [{ "if-none-match": '"v1"' }, 304],
  [{ "if-none-match": 'W/"v1"' }, 304],
  [{ "if-none-match": '"v0", "v1"' }, 304],
  [{ "if-none-match": "*" }, 304],
  [{ "if-none-match": '"v0"' }, 200],
  [{ "if-modified-since": modified }, 304],
  [{ "if-modified-since": "Sun, 01 Nov 2026 09:59:59 GMT" }, 200],
  [{ "if-modified-since": "yesterday" }, 200],
  // The tag takes precedence over the date.
  [{ "if-none-match": '"v0"', "if-modified-since": modified }, 200],
  [{ "if-none-match": '"v1"', range: "bytes=0-1" }, 304],
  [{ "if-match": '"v1"' }, 200],
  [{ "if-match": "*" }, 200],
  [{ "if-match": '"v0"' }, 412],
  [{ "if-match": 'W/"v1"' }, 412],
  [{ "if-unmodified-since": modified }, 200],
  [{ "if-unmodified-since": "Sun, 01 Nov 2026 09:00:00 GMT" }, 412],
  [{ "if-match": '"v1"', "if-unmodified-since": "Sun, 01 Nov 2026 09:00:00 GMT" }, 200],
  [{ range: "bytes=0-1", "if-range": '"v1"' }, 206],
  [{ range: "bytes=0-1", "if-range": '"v0"' }, 200],
  [{ range: "bytes=0-1", "if-range": 'W/"v1"' }, 200],
  [{ range: "bytes=0-1", "if-range": modified }, 206],
  [{ range: "bytes=0-1", "if-range": "Sun, 01 Nov 2026 10:00:01 GMT" }, 200],
  [{ range: "bytes=0-1", "if-range": "later" }, 200],
])("%j is a %i", async (headers, status) => {
  const { get, reads } = createApp();
  const response = await get(headers);
  expect(response.status).toBe(status);
  expect(reads()).toBe(status < 300 ? 1 : 0);
  if (status === 304) expect(response.headers.get("etag")).toBe('"v1"');
});

test("a weak tag confirms copies, and no parts", async () => {
  const { get } = createApp({ etag: 'W/"v1"' });
  expect((await get({ "if-none-match": 'W/"v1"' })).status).toBe(304);
  expect((await get({ range: "bytes=0-1", "if-range": 'W/"v1"' })).status).toBe(200);
});
