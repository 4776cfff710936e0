import { randomFillSync } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { flushingCompression } from "../../../src/platform/host/flushing-compression.ts";

function compress() {
  const transform = flushingCompression?.("gzip");
  if (transform === undefined) throw new Error("This platform has no zlib.");
  return { reader: transform.readable.getReader(), writer: transform.writable.getWriter() };
}

/** Bytes that zlib turns into many chunks. */
const noise = new Uint8Array(randomFillSync(new Uint8Array(1024 * 1024)));

describe("a flushing compression", () => {
  const uncaught: unknown[] = [];
  const record = (error: unknown): void => void uncaught.push(error);
  beforeEach(() => {
    uncaught.length = 0;
    process.on("uncaughtException", record);
  });
  afterEach(() => void process.off("uncaughtException", record));

  test("passes on each chunk before the next is written", async () => {
    const { reader, writer } = compress();
    const chunks: Uint8Array[] = [];
    void writer.write(new TextEncoder().encode("one"));
    chunks.push((await reader.read()).value ?? new Uint8Array());
    void writer.write(new TextEncoder().encode("two"));
    void writer.close();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
    expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe("onetwo");
  });

  test.each([0, 1, 5])(
    "a reader that leaves after %i chunks causes no uncaught error",
    async (count) => {
      for (let round = 0; round < 20; round += 1) {
        const { reader, writer } = compress();
        const written = writer.write(noise).catch(() => {});
        for (let index = 0; index < count; index += 1) await reader.read();
        await reader.cancel(new Error("The client has left."));
        await written;
        await writer.close().catch(() => {});
      }
      await setTimeout(50);
      expect(uncaught).toEqual([]);
    },
  );

  test("a reader that leaves while the end is written causes no uncaught error", async () => {
    for (let turns = 0; turns < 60; turns += 1) {
      const { reader, writer } = compress();
      void writer.write(new TextEncoder().encode("one")).catch(() => {});
      const closed = writer.close().catch(() => {});
      await reader.read();
      // From before the end is written until after zlib has emitted the last bytes.
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await reader.cancel(new Error("The client has left.")).catch(() => {});
      await closed;
    }
    await setTimeout(50);
    expect(uncaught).toEqual([]);
  });

  test("a source that fails while a chunk is compressed causes no uncaught error", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { reader, writer } = compress();
      void writer.write(noise).catch(() => {});
      const first = reader.read().catch(() => {});
      await writer.abort(new Error("The upstream has failed.")).catch(() => {});
      await first;
      await expect(reader.read()).rejects.toThrow("The upstream has failed.");
    }
    await setTimeout(50);
    expect(uncaught).toEqual([]);
  });
});
