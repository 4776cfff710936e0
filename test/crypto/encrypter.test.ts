import { describe, expect, test } from "vitest";
import { Encrypter } from "../../src/index.ts";

const key = (letter: string): string => btoa(letter.repeat(32));
const encrypter = new Encrypter({ keys: [key("a")] });

describe("Encrypter", () => {
  test.each([[""], ["token"], ["\ufeffcaf\u00e9 \u{1f333}"], ["x".repeat(100_000)]])(
    "decrypts what it encrypted",
    async (text) => {
      const value = await encrypter.encrypt(text, "user 7");
      expect(value).toMatch(/^[\w-]{8}\.[\w-]+$/);
      expect(await encrypter.decrypt(value, "user 7")).toBe(text);
    },
  );

  test("encrypts the same text differently each time", async () => {
    expect(await encrypter.encrypt("a")).not.toBe(await encrypter.encrypt("a"));
  });

  test("does not decrypt a value that was modified, or belongs elsewhere", async () => {
    const value = await encrypter.encrypt("token", "user 7");
    const [id = "", text = ""] = value.split(".");
    const flipped = text.startsWith("A") ? `B${text.slice(1)}` : `A${text.slice(1)}`;
    for (const wrong of [
      `${id}.${flipped}`,
      `${id}.${text.slice(0, -4)}`,
      `${id}.`,
      id,
      "",
      text,
      `AAAAAAAA.${text}`,
      `${id}.${text}=`,
      `${value}.`,
      `${value}.${text}`,
      `${id}..${text}`,
      `.${value}`,
      ` ${value}`,
    ]) {
      expect([wrong, await encrypter.decrypt(wrong, "user 7")]).toEqual([wrong, undefined]);
    }
    expect(await encrypter.decrypt(value, "user 8")).toBeUndefined();
    expect(await encrypter.decrypt(value)).toBeUndefined();
    expect(await new Encrypter({ keys: [key("b")] }).decrypt(value, "user 7")).toBeUndefined();
  });

  test("keys can be replaced", async () => {
    const old = await encrypter.encrypt("token");
    const rotated = new Encrypter({ keys: [key("b"), key("a")] });
    expect(await rotated.decrypt(old)).toBe("token");
    expect([await rotated.isOutdated(old), await encrypter.isOutdated(old)]).toEqual([true, false]);
    const fresh = await rotated.encrypt("token");
    expect(await rotated.isOutdated(fresh)).toBe(false);
    expect(await encrypter.decrypt(fresh)).toBeUndefined();
  });

  test.each([[undefined], [[]], ["a"], [[btoa("short")]], [["***"]], [[undefined]]])(
    "needs keys of 32 bytes, not %j, which the message does not show",
    (keys) => {
      const create = (): Encrypter => new Encrypter({ keys: keys as string[] });
      expect(create).toThrow(expect.objectContaining({ code: "ERR_CRYPTO_BAD_OPTION" }));
      expect(create).not.toThrow(/short|\*\*\*/);
    },
  );
});
