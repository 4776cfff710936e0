import { expect, it } from "vitest";
import { escapedClass, isLineTerminator } from "../../src/routing/character-class.ts";

/** All characters up to this one, and some beyond the basic plane. */
const characters = [
  ...Array.from({ length: 0x1_0000 }, (_, codePoint) => codePoint),
  0x1_0000,
  0x1_f34c,
  0x10_ffff,
];

/** Those that a test takes another way than an expression of the language does. */
function differences(accepts: (codePoint: number) => boolean, expression: RegExp): number[] {
  return characters.filter(
    (codePoint) => accepts(codePoint) !== expression.test(String.fromCodePoint(codePoint)),
  );
}

it.each(["d", "D", "w", "W", "s", "S"])("\\%s means what it means in the language", (letter) => {
  const accepts = escapedClass(letter);
  expect(accepts).toBeTypeOf("function");
  expect(differences(accepts ?? (() => false), new RegExp(`^\\${letter}$`, "u"))).toEqual([]);
});

it("a dot matches all characters except line ends", () => {
  expect(differences((codePoint) => !isLineTerminator(codePoint), /^.$/u)).toEqual([]);
});

it.each(["b", "B", "p", "k", "a", "", "dd", "1"])("\\%s is not a class", (letter) => {
  expect(escapedClass(letter)).toBeUndefined();
});
