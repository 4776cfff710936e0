import { afterEach, describe, expect, test, vi } from "vitest";
import { decodeTrustedBase64 } from "../../src/platform/decode-base64.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const everyByte = Uint8Array.from({ length: 256 }, (_, value) => value);
const text = btoa(String.fromCharCode(...everyByte));

describe("decodeTrustedBase64", () => {
  test("asks the language's own decoder first", () => {
    const fromBase64 = vi.fn(() => Uint8Array.of(1, 2));
    vi.stubGlobal("Uint8Array", Object.assign(class extends Uint8Array {}, { fromBase64 }));
    expect([...decodeTrustedBase64("AQI=")]).toEqual([1, 2]);
    expect(fromBase64).toHaveBeenCalledExactlyOnceWith("AQI=");
  });

  test("gives every byte by Node's decoder", () => {
    vi.stubGlobal("Uint8Array", class extends Uint8Array {});
    Reflect.set(Uint8Array, "fromBase64", undefined);
    expect([...decodeTrustedBase64(text)]).toEqual([...everyByte]);
  });

  test("decodes every byte on platforms without a decoder", () => {
    vi.stubGlobal("Buffer", undefined);
    vi.stubGlobal("Uint8Array", class extends Uint8Array {});
    Reflect.set(Uint8Array, "fromBase64", undefined);
    expect([...decodeTrustedBase64(text)]).toEqual([...everyByte]);
  });
});
