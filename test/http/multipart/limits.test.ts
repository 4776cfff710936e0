import { describe, expect, test } from "vitest";
import { HttpError } from "../../../src/http/http-error.ts";
import type { MultipartLimits } from "../../../src/http/multipart/limits.ts";
import { parseMultipart } from "../../../src/http/multipart/parse-multipart.ts";
import { readMultipart } from "../../../src/http/multipart/read-multipart.ts";
import { readInPieces, streamOf, toBytes } from "../../support/multipart-cases.ts";

const contentType = "multipart/form-data; boundary=b";
const part = (parameters: string, content = "", headers = ""): string =>
  `--b\r\nContent-Disposition: form-data; ${parameters}\r\n${headers}\r\n${content}\r\n`;
const form = (...parts: readonly string[]): Uint8Array<ArrayBuffer> =>
  toBytes(`${parts.join("")}--b--\r\n`);
const field = part('name="a"', "1");
const file = part('name="f"; filename="x"', "1");

function failureOf(bytes: Uint8Array<ArrayBuffer>, limits?: MultipartLimits): unknown {
  try {
    readMultipart(bytes, contentType, limits);
  } catch (error) {
    if (error instanceof HttpError) return `${error.status} ${error.detail}`;
    throw error;
  }
  return undefined;
}

interface LimitCase {
  readonly limits?: MultipartLimits;
  readonly within: Uint8Array<ArrayBuffer>;
  readonly over: Uint8Array<ArrayBuffer>;
  readonly failure: string;
}

const dispositionLine = 'Content-Disposition: form-data; name="a"\r\n';
const headerOf = (bytes: number): string =>
  `X: ${"x".repeat(bytes - dispositionLine.length - "X: \r\n".length)}\r\n`;
// Includes the empty line that ends the header.
const headerLimit = 16_384 - 2;

const cases: Record<string, LimitCase> = {
  "1,000 parts by default": {
    limits: { maxFiles: 2000 },
    within: form(...Array(1000).fill(file)),
    over: form(...Array(1001).fill(file)),
    failure: "413 A multipart form must have at most 1000 parts.",
  },
  "1,000 text fields by default": {
    limits: { maxParts: 2000 },
    within: form(...Array(1000).fill(field), file),
    over: form(file, ...Array(1001).fill(field)),
    failure: "413 A multipart form must have at most 1000 text fields.",
  },
  "100 files by default": {
    within: form(field, ...Array(100).fill(file)),
    over: form(field, ...Array(101).fill(file)),
    failure: "413 A multipart form must have at most 100 files.",
  },
  "32 header lines by default": {
    within: form(part('name="a"', "1", "X: y\r\n".repeat(31))),
    over: form(part('name="a"', "1", "X: y\r\n".repeat(32))),
    failure: "413 The header of a part must have at most 32 lines.",
  },
  "lines of a folded header": {
    within: form(part('name="a"', "1", `X: y\r\n${" z\r\n".repeat(30)}`)),
    over: form(part('name="a"', "1", `X: y\r\n${" z\r\n".repeat(31)}`)),
    failure: "413 The header of a part must have at most 32 lines.",
  },
  "16 KiB of header by default": {
    within: form(part('name="a"', "1", headerOf(headerLimit))),
    over: form(part('name="a"', "1", headerOf(headerLimit + 1))),
    failure: "413 The header of a part must have at most 16384 bytes.",
  },
  "blanks after a delimiter": {
    within: toBytes(`--b--${" ".repeat(16_380)}\r\n`),
    over: toBytes(`--b--${" ".repeat(16_381)}\r\n`),
    failure: "413 The header of a part must have at most 16384 bytes.",
  },
  "names of 1,024 characters by default": {
    within: form(part(`name="${"ä".repeat(1024)}"`)),
    over: form(part(`name="${"ä".repeat(1025)}"`)),
    failure: "413 The name and the filename of a part must have at most 1024 characters.",
  },
  "filenames of 1,024 characters by default": {
    within: form(part(`name=a; filename*=utf-8''${"%41".repeat(1024)}`)),
    over: form(part(`name=a; filename*=utf-8''${"%41".repeat(1025)}`)),
    failure: "413 The name and the filename of a part must have at most 1024 characters.",
  },
  "16 parameters": {
    within: form(part(`name=a${[..."bcdefghijklmnop"].map((key) => `;${key}=1`).join("")}`)),
    over: form(part(`name=a${[..."bcdefghijklmnopq"].map((key) => `;${key}=1`).join("")}`)),
    failure: "413 The Content-Disposition of a part must have at most 16 parameters.",
  },
  "1 MiB for a text field by default": {
    within: form(part("name=a", "x".repeat(1_048_576))),
    over: form(part("name=a", "x".repeat(1_048_577))),
    failure: "413 A text field must have at most 1048576 bytes.",
  },
  maxFileBytes: {
    limits: { maxFileBytes: 3, maxFieldBytes: 9 },
    within: form(part("name=a; filename=x", "123"), part("name=a", "1234")),
    over: form(part("name=a", "1234"), part("name=a; filename=x", "1234")),
    failure: "413 A file must have at most 3 bytes.",
  },
  "maxBytes, epilogue and all": {
    limits: { maxBytes: 20 },
    within: toBytes("--b--\r\n0123456789012"),
    over: toBytes("--b--\r\n01234567890123"),
    failure: "413 The request body is larger than 20 bytes.",
  },
};

describe.each(Object.entries(cases))("%s", (_title, { limits, within, over, failure }) => {
  test("a form within the limit", async () => {
    expect(failureOf(within, limits)).toBeUndefined();
    expect(await readInPieces(within, contentType, 1000, limits)).toHaveProperty("entries");
  });

  test("a form over the limit", async () => {
    expect(failureOf(over, limits)).toBe(failure);
    expect(await readInPieces(over, contentType, 1000, limits)).toEqual({ status: 413 });
  });
});

test("zero is a valid limit", () => {
  expect(failureOf(form(file), { maxFields: 0 })).toBeUndefined();
  expect(failureOf(form(field), { maxFields: 0 })).toBe(
    "413 A multipart form must have at most 0 text fields.",
  );
});

describe("limits are checked while the form is read", () => {
  /** Endless parts, and the number of bytes read of them. */
  function endless(piece: string, first = "") {
    const log = { bytes: 0, isCancelled: false };
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const chunk = toBytes(log.bytes === 0 ? first + piece : piece);
        log.bytes += chunk.length;
        controller.enqueue(chunk);
      },
      cancel() {
        log.isCancelled = true;
      },
    });
    return { log, source };
  }

  async function failureOfStream(source: ReadableStream<Uint8Array<ArrayBuffer>>, limits = {}) {
    const parts: string[] = [];
    try {
      for await (const { name } of parseMultipart(source, contentType, limits)) parts.push(name);
    } catch (error) {
      return { parts: parts.length, status: (error as HttpError).status };
    }
    throw new Error("The form was not refused.");
  }

  test.each([
    ["parts", field, "", { parts: 1000, status: 413 }, 1001 * field.length],
    ["files", file, "", { parts: 100, status: 413 }, 101 * file.length],
    ["header lines", "X: y\r\n", `--b\r\n${dispositionLine}`, { parts: 0, status: 413 }, 250],
    ["a header line without end", "xxxx", "--b\r\nX: ", { parts: 0, status: 413 }, 16_400],
    ["blanks after a delimiter", "    ", "--b", { parts: 0, status: 413 }, 16_400],
    [
      "a text field",
      "1".repeat(1000),
      part("name=a").slice(0, -2),
      { parts: 1, status: 413 },
      1_049_700,
    ],
    ["a preamble", "1".repeat(100), "", { parts: 0, status: 413 }, 1100],
    ["an epilogue", "1".repeat(100), `${field}--b--\r\n`, { parts: 1, status: 413 }, 1100],
  ])("%s", async (title, piece, first, expected, maxBytesRead) => {
    const { log, source } = endless(piece, first);
    const limits = /preamble|epilogue/.test(title) ? { maxBytes: 1000 } : {};
    expect(await failureOfStream(source, limits)).toEqual(expected);
    expect(log.isCancelled).toBe(true);
    expect(log.bytes).toBeLessThanOrEqual(maxBytesRead + 2 * piece.length);
  });
});

test("one form can be streamed without a limit on files", async () => {
  const content = "x".repeat(3_000_000);
  const bytes = form(part("name=a; filename=x", content));
  for await (const { body } of parseMultipart(streamOf(bytes, 65_536), contentType)) {
    expect((await new Response(body).bytes()).length).toBe(content.length);
  }
});
