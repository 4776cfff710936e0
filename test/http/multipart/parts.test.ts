import { describe, expect, test } from "vitest";
import { EspalierError } from "../../../src/errors.ts";
import { HttpError } from "../../../src/http/http-error.ts";
import { parseMultipart } from "../../../src/http/multipart/parse-multipart.ts";
import type { Part } from "../../../src/http/multipart/part.ts";
import { streamOf, toBytes } from "../../support/multipart-cases.ts";
import { unhandledRejectionsOf } from "../../support/unhandled-rejections.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const contentType = "multipart/form-data; boundary=b";
const part = (parameters: string, content: string, headers = ""): string =>
  `--b\r\nContent-Disposition: form-data; ${parameters}\r\n${headers}\r\n${content}\r\n`;
const twoFiles = toBytes(
  `${part("name=f; filename=one", "first")}${part("name=g; filename=two", "second")}--b--`,
);

const parse = (bytes: Uint8Array, pieceBytes = 8): AsyncGenerator<Part> =>
  parseMultipart(streamOf(bytes, pieceBytes), contentType);

const consumed = (name: string) => ({
  code: "ERR_HTTP_PART_CONSUMED",
  message: `The content of the part "${name}" was already read or skipped. Read it once, before the next part is requested.`,
});

/** A source that logs its use. */
function observed(chunks: readonly string[], pause: () => Promise<void> = async () => {}) {
  const log = { pulls: 0, isCancelled: false };
  const left = chunks.map(toBytes);
  const source = new ReadableStream<Bytes>(
    {
      async pull(controller) {
        log.pulls += 1;
        await pause();
        const chunk = left.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel() {
        log.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { log, source };
}

describe("a part", () => {
  const headers = "Content-Type: Text/Plain; charset=ISO-8859-1\r\nX-A: 1 \r\nX-A: 2\r\n";
  const bytes = toBytes(`${part('name="a"; filename="x.txt"', "|", headers)}--b--`);
  bytes[bytes.indexOf(124)] = 0xe9;

  test("has the values of its header", async () => {
    for await (const { name, filename, type, headers: map } of parse(bytes)) {
      expect([name, filename, type, [...map]]).toEqual([
        "a",
        "x.txt",
        "text/plain; charset=iso-8859-1",
        [
          ["content-disposition", 'form-data; name="a"; filename="x.txt"'],
          ["content-type", "Text/Plain; charset=ISO-8859-1"],
          ["x-a", "1, 2"],
        ],
      ]);
    }
  });

  test("is read as text, bytes, file or stream", async () => {
    for await (const each of parse(bytes)) expect(await each.text()).toBe("é");
    for await (const each of parse(bytes)) expect([...(await each.bytes())]).toEqual([0xe9]);
    for await (const each of parse(bytes)) {
      const file = await each.file();
      expect([file.name, file.type, file.size]).toEqual([each.filename, each.type, 1]);
    }
    for await (const { body } of parse(bytes)) {
      expect([...(await new Response(body).bytes())]).toEqual([0xe9]);
    }
  });

  test("as bytes is a separate array", async () => {
    for await (const each of parseMultipart(twoFiles, contentType)) {
      const content = await each.bytes();
      expect(content.buffer.byteLength).toBe(content.length);
    }
  });

  test("that is a field returns a file without a name", async () => {
    for await (const each of parse(toBytes(`${part("name=a", "1")}--b--`))) {
      const file = await each.file();
      expect([file.name, file.type, await file.text()]).toEqual(["", "text/plain", "1"]);
    }
  });

  test("with an unknown charset has bytes, but no text", async () => {
    const typed = "Content-Type: text/plain; charset=x-none\r\n";
    const form = toBytes(`${part("name=a; filename=x", "1", typed)}--b--`);
    for await (const each of parse(form)) expect((await each.bytes()).length).toBe(1);
    for await (const each of parse(form)) {
      await expect(each.text()).rejects.toMatchObject({ status: 415 });
    }
  });
});

describe("a content is read once", () => {
  test("with any method", async () => {
    for await (const each of parse(twoFiles)) {
      await each.text();
      await expect(each.text()).rejects.toMatchObject(consumed(each.name));
      await expect(each.bytes()).rejects.toBeInstanceOf(EspalierError);
      await expect(each.file()).rejects.toBeInstanceOf(EspalierError);
      expect(() => each.body).toThrow(EspalierError);
    }
    for await (const each of parse(twoFiles)) {
      expect(each.body).toBe(each.body);
      await expect(each.text()).rejects.toBeInstanceOf(EspalierError);
    }
  });

  test("and is skipped if the next part is requested", async () => {
    const parts: Part[] = [];
    for await (const each of parse(twoFiles)) parts.push(each);
    expect(parts.map(({ name }) => name)).toEqual(["f", "g"]);
    for (const each of parts) {
      await expect(each.text()).rejects.toMatchObject(consumed(each.name));
      expect(() => each.body).toThrow(consumed(each.name).message);
    }
  });

  test("but a pending read is completed before the next part", async () => {
    const texts: Promise<string>[] = [];
    for await (const each of parse(twoFiles, 1)) texts.push(each.text());
    expect(await Promise.all(texts)).toEqual(["first", "second"]);
  });

  test("and a stream that was not read completely fails", async () => {
    const readers: ReadableStreamDefaultReader<Bytes>[] = [];
    for await (const { body } of parse(twoFiles, 1)) {
      const reader = body.getReader();
      readers.push(reader);
      expect((await reader.read()).done).toBe(false);
    }
    await expect(readers[0]?.read()).rejects.toMatchObject(consumed("f"));
    await expect(readers[1]?.read()).rejects.toMatchObject(consumed("g"));
  });

  test("a pending read of a stream is completed as well", async () => {
    const reads: Promise<ReadableStreamReadResult<Bytes>>[] = [];
    const names: string[] = [];
    for await (const { name, body } of parse(twoFiles, 1)) {
      names.push(name);
      const reader = body.getReader();
      await reader.read();
      // The stream is ready for the next read a few microtasks later.
      await new Promise((resolve) => setTimeout(resolve));
      reads.push(reader.read());
    }
    const values = (await Promise.all(reads)).map(({ value }) => new TextDecoder().decode(value));
    expect([names, values]).toEqual([
      ["f", "g"],
      ["i", "e"],
    ]);
  });

  test("a stream can be cancelled; the rest of the content is skipped", async () => {
    const names: string[] = [];
    for await (const { name, body } of parse(twoFiles, 1)) {
      names.push(name);
      await body.cancel();
    }
    expect(names).toEqual(["f", "g"]);
  });

  test("pieces of a stream can be transferred", async () => {
    const contents: string[] = [];
    for await (const { body } of parseMultipart(twoFiles.slice(), contentType)) {
      for await (const piece of body) {
        contents.push(
          new TextDecoder().decode(structuredClone(piece, { transfer: [piece.buffer] })),
        );
      }
    }
    expect(contents).toEqual(["first", "second"]);
  });
});

describe("the source", () => {
  test("is not touched before the first part is requested", async () => {
    const { log, source } = observed(["--b--"]);
    const parts = parseMultipart(source, contentType);
    expect([source.locked, log.pulls]).toEqual([false, 0]);
    expect(await parts.next()).toEqual({ done: true, value: undefined });
  });

  test("is read only as far as its consumer reads", async () => {
    const pieces = Array.from({ length: 50 }, (_, index) => `piece ${index}`);
    const { log, source } = observed([
      "--b\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n",
      ...pieces,
      "\r\n--b--",
    ]);
    for await (const { body } of parseMultipart(source, contentType)) {
      expect(log.pulls).toBe(1);
      const reader = body.getReader();
      expect(log.pulls).toBe(1);
      for (const [index, piece] of pieces.entries()) {
        expect(new TextDecoder().decode((await reader.read()).value)).toBe(piece);
        expect(log.pulls).toBe(2 + index);
      }
      expect((await reader.read()).done).toBe(true);
    }
    expect(log.isCancelled).toBe(false);
  });

  test("is cancelled if the loop ends early", async () => {
    const { log, source } = observed([...Array(20).keys()].map(() => part("name=a", "1")));
    for await (const each of parseMultipart(source, contentType)) {
      expect(await each.text()).toBe("1");
      break;
    }
    expect(log).toEqual({ pulls: 2, isCancelled: true });
  });

  test("that never settles its cancellation does not block the loop", async () => {
    const source = new ReadableStream<Bytes>({
      start: (controller) => controller.enqueue(toBytes(part("name=a", "1"))),
      cancel: () => new Promise(() => {}),
    });
    for await (const each of parseMultipart(source, contentType)) {
      expect(each.name).toBe("a");
      break;
    }
  });

  test("and a part kept beyond the loop cannot be read", async () => {
    let kept: Part | undefined;
    for await (const each of parse(twoFiles)) {
      kept = each;
      break;
    }
    await expect(kept?.text()).rejects.toMatchObject(consumed("f"));
  });

  test("a pending read fails when the loop ends", async () => {
    const { source } = observed([part("name=a", "1").slice(0, -2)], () => Promise.resolve());
    let text: Promise<string> | undefined;
    for await (const each of parseMultipart(source, contentType)) {
      text = each.text();
      break;
    }
    await expect(text).rejects.toMatchObject({ status: 400 });
  });

  test("is cancelled when the form is malformed", async () => {
    const { log, source } = observed([part("name=a", "1"), "--b\r\nX\r\n\r\n", "more"]);
    const parts = parseMultipart(source, contentType);
    await parts.next();
    await expect(parts.next()).rejects.toMatchObject({ status: 400 });
    expect(log.isCancelled).toBe(true);
  });

  test("that fails counts as a truncated body", async () => {
    const broken = (reason: unknown) =>
      new ReadableStream<Bytes>({
        start: (controller) => controller.enqueue(toBytes(part("name=a", "1"))),
        pull: (controller) => controller.error(reason),
      });
    const cause = new TypeError("connection lost");
    const read = async (reason: unknown) => {
      for await (const each of parseMultipart(broken(reason), contentType)) await each.text();
    };
    await expect(read(cause)).rejects.toMatchObject({ status: 400, cause });
    // A stream with a byte limit.
    const tooLarge = new HttpError(413);
    await expect(read(tooLarge)).rejects.toBe(tooLarge);
  });

  test("with chunks other than bytes is rejected", async () => {
    const texts = new ReadableStream({ start: (controller) => controller.enqueue("--b--") });
    const parts = parseMultipart(texts as ReadableStream<Bytes>, contentType);
    await expect(parts.next()).rejects.toMatchObject({ status: 400 });
  });
});

describe("a failure", () => {
  const cutOff = toBytes(part("name=f; filename=x", "first"));

  test("is reported to the reader of the part, and to the loop", async () => {
    const parts = parse(cutOff);
    const { value } = await parts.next();
    await expect(value?.text()).rejects.toMatchObject({ status: 400 });
    await expect(parts.next()).rejects.toMatchObject({ status: 400 });
  });

  test("of a part that is read without await causes no unhandled rejection", async () => {
    const texts: Promise<string>[] = [];
    const read = async () => {
      for await (const each of parse(cutOff, 4)) texts.push(each.text());
    };
    const unhandled = await unhandledRejectionsOf(async () => {
      await expect(read()).rejects.toMatchObject({ status: 400 });
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    expect([texts.length, unhandled]).toEqual([1, []]);
    await expect(texts[0]).rejects.toMatchObject({ status: 400 });
  });
});

test("a large upload to a slow consumer is buffered one chunk at a time", async () => {
  const chunkBytes = 65_536;
  const chunks = 2048; // 128 MiB
  let sent = 0;
  let received = 0;
  let ahead = 0;
  const source = new ReadableStream<Bytes>(
    {
      pull(controller) {
        if (sent === 0) controller.enqueue(toBytes(part("name=f; filename=x", "").slice(0, -2)));
        sent += 1;
        if (sent <= chunks) controller.enqueue(new Uint8Array(chunkBytes));
        else {
          controller.enqueue(toBytes("\r\n--b--"));
          controller.close();
        }
        ahead = Math.max(ahead, sent * chunkBytes - received);
      },
    },
    { highWaterMark: 0 },
  );
  for await (const { body } of parseMultipart(source, contentType)) {
    for await (const piece of body) {
      received += piece.length;
      if (received % (64 * chunkBytes) === 0)
        await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  expect(received).toBe(chunks * chunkBytes);
  expect(ahead).toBeLessThanOrEqual(2 * chunkBytes);
});
