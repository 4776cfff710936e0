import { expect, test } from "vitest";
import { FormText } from "../../../src/http/multipart/form-text.ts";

const invalid = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(0xff);

test("valid text of any length is decoded, and keeps its byte order mark", () => {
  const text = new FormText();
  const long = `\ufeff${"grüezi €😀".repeat(20_000)}`;
  expect(text.decode(new TextEncoder().encode(long))).toBe(long);
});

test("invalid bytes become U+FFFD", () => {
  expect(new FormText().decode(new Uint8Array([0x61, 0xff, 0xe2, 0x82, 0x62]))).toBe(
    "a\ufffd\ufffdb",
  );
});

test("one long text of invalid bytes is a 400", () => {
  const text = new FormText();
  expect(text.decode(invalid(60_000))).toHaveLength(60_000);
  expect(() => new FormText().decode(invalid(70_000))).toThrow(
    expect.objectContaining({ status: 400 }),
  );
});

test("many short texts with invalid bytes are a 400 as well", () => {
  const text = new FormText();
  const decodeAll = (): void => {
    for (let part = 0; part < 1_000; part += 1) text.decode(invalid(100));
  };
  expect(decodeAll).toThrow(expect.objectContaining({ status: 400 }));
});

test("U+FFFD that a client sends is valid, however often", () => {
  const text = new FormText();
  const encoded = new TextEncoder().encode("\ufffd".repeat(100));
  for (let part = 0; part < 1_000; part += 1) {
    expect(text.decode(encoded)).toBe("\ufffd".repeat(100));
  }
});

test("a range of bytes is decoded", () => {
  const bytes = new TextEncoder().encode("ab grüezi cd");
  expect(new FormText().decode(bytes, 3, 10)).toBe("grüezi");
  expect(new FormText().decode(bytes, 0, 2)).toBe("ab");
  expect(new FormText().decode(bytes, 4, 4)).toBe("");
});
