import { describe, expect, test } from "vitest";
import { type ParsedBody, readBody } from "../../src/http/body.ts";
import { parseJson } from "../../src/http/json-body.ts";
import { createBodyLimits } from "../support/body-limits.ts";

const limits = createBodyLimits({ limitBytes: 1024, maxJsonDepth: 4 });
const asText = { isFramed: true, isTextFaster: true };
const asBytes = { isFramed: true, isTextFaster: false };

/** Creates a JSON body as from a server that enforces its length. */
function post(body: Uint8Array<ArrayBuffer>, length = body.length): Request {
  const headers = { "content-type": "application/json", "content-length": String(length) };
  return new Request("http://localhost/x", { method: "POST", headers, body });
}

async function read(
  body: Uint8Array<ArrayBuffer>,
  source = asText,
): Promise<ParsedBody | { readonly status: number }> {
  const request = post(body);
  let reservedBytes = 0;
  const count = (bytes: number): void => {
    reservedBytes += bytes;
  };
  try {
    const { body: value, rawBody, kind } = await readBody(request, limits, source, count);
    expect(reservedBytes).toBe(body.length);
    return { body: value, rawBody, kind };
  } catch (error) {
    return { status: (error as { status: number }).status };
  }
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const bytes = (...parts: readonly (readonly number[] | string)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...utf8(part)] : part)));

const byteOrderMark = [0xef, 0xbb, 0xbf];

describe("a JSON body read as text is the same as one read as bytes", () => {
  test.each([
    ["ASCII", utf8('{"a":1}')],
    ["characters of two, three and four bytes", utf8('"é – 🌳"')],
    ["a replacement character that was sent", utf8('"\ufffd"')],
    ["a byte order mark", bytes(byteOrderMark, '{"a":"é"}')],
    ["nothing but a byte order mark", bytes(byteOrderMark)],
    ["no bytes", bytes()],
    ["broken JSON", utf8('{"a":')],
    ["JSON that is too deep", utf8("[[[[[1]]]]]")],
    ["a byte that is never UTF-8", bytes('"', [0xff], '"')],
    ["a continuation byte alone", bytes('"', [0x80], '"')],
    ["half a character of two bytes", bytes('"', [0xc3], '"')],
    ["a character of three bytes without its last", bytes('"', [0xe2, 0x82], '"')],
    ["a character of four bytes without its last two", bytes('"', [0xf0, 0x9f], '"')],
    ["an encoded surrogate", bytes('"', [0xed, 0xa0, 0x80], '"')],
    ["an overlong form", bytes('"', [0xc0, 0xaf], '"')],
    ["a byte that is never UTF-8 after a byte order mark", bytes(byteOrderMark, '"', [0xff], '"')],
  ])("%s", async (_title, body) => {
    expect(await read(body)).toEqual(await read(body, asBytes));
  });
});

test("the raw bytes are unchanged", async () => {
  const body = bytes(byteOrderMark, '{"a":"é"}');
  expect(await read(body)).toEqual({ body: { a: "é" }, rawBody: body, kind: "json" });
});

test("three of four bytes decode to a replacement character of the same length", async () => {
  const body = bytes('"', [0xf0, 0x9f, 0x98], '"');
  expect(await read(body)).toMatchObject({ body: "\ufffd", rawBody: utf8('"\ufffd"') });
});

describe("a request that was not received by a server", () => {
  test("has an untrusted Content-Length", async () => {
    const request = post(utf8(`"${"x".repeat(2000)}"`), 5);
    await expect(readBody(request, limits, asText)).rejects.toMatchObject({ status: 413 });
  });

  test("is read regardless of its length", async () => {
    const request = post(utf8('"é"'), 900);
    expect((await readBody(request, limits, asText)).body).toBe("é");
  });
});

test("a truncated body is a 400", async () => {
  const stream = new ReadableStream({
    pull: (controller) => controller.error(new Error("connection lost")),
  });
  const headers = { "content-type": "application/json", "content-length": "5" };
  const init = { method: "POST", headers, body: stream, duplex: "half" };
  await expect(
    readBody(new Request("http://localhost/x", init), limits, asText),
  ).rejects.toMatchObject({
    status: 400,
    detail: "The request body could not be read to its end.",
  });
});

describe("different member names in JSON", () => {
  const json = (text: string, maxJsonNames = 500): unknown =>
    parseJson(text, createBodyLimits({ maxJsonNames }));
  /** Members with different names, nine characters each with a comma. */
  const members = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `"${(46_656 + at).toString(36)}":1`);

  // n members have 9n + 1 characters, so that 500 + 0.035n names are allowed.
  test("are limited to 500, and one more for every 256 characters", () => {
    expect(Object.keys(json(`{${members(518).join()}}`) as object)).toHaveLength(518);
    expect(() => json(`{${members(519).join()}}`)).toThrow(
      "The JSON of the request body must have at most 518 different member names.",
    );
  });

  test.each([
    ["of objects in a list", (name: string) => `{${name}}`],
    ["of objects in objects", (name: string) => `{"a":{${name}}}`],
    ["after strings with quotes and backslashes", (name: string) => `{"\\"\\\\":"\\\\",${name}}`],
    ["before blanks", (name: string) => `{${name.replace(":", "\n\t :")}}`],
    ["with escapes", (name: string) => `{${name.replace('"', '"\\u0041\\"')}}`],
  ])("count %s", (_title, write) => {
    const text = `[${members(3_000).map(write).join()}]`;
    expect(json(text, 3_000)).toHaveLength(3_000);
    const most = Math.floor(text.length / 256);
    expect(json(text, 3_001 - most)).toHaveLength(3_000);
    expect(() => json(text, 2_000 - most)).toThrow("at most 2000 different member names");
  });

  test("do not count what is repeated, or text in values", () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({
      id,
      "a:b": '"x":1',
      c: ['"y":', ":"],
    }));
    expect(json(JSON.stringify(rows), 3)).toEqual(rows);
  });

  test.each(['{"a', '{"a"', '"\\"', '{"a":"\\"'])("of %s are not JSON", (text) => {
    expect(() => json(":".repeat(2_000) + text, 0)).toThrow("not valid JSON");
  });
});
