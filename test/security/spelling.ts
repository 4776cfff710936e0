import type { Random } from "../support/random.ts";

/** Strings with a special meaning to some path parsers. */
const oddities: readonly string[] = [
  "/",
  "//",
  "/.",
  "/./",
  "/..",
  "/../",
  "/x/..",
  "/%2e%2e",
  "/%2E",
  ";",
  ";a=b",
  "%2F",
  "%2f",
  "%5C",
  "\\",
  "%00",
  "%20",
  "%09",
  ".",
  "..",
  "%25",
  "%252F",
  "%zz",
  "%",
  "%E0%A4",
  "%u0061",
  "+",
  "~",
  "@",
  ":",
  "*",
  "%C0%AF",
  "%EF%BC%8F",
  "?",
  "?x=/",
  "#",
  "&",
  "=",
  "|",
  "index",
  "x",
];

/** Returns a random spelling of a path: escapes, other cases, inserted strings, omitted characters. */
export function randomSpelling(random: Random, path: string): string {
  let spelling = "";
  for (const character of path) {
    if (random.chance(0.04)) spelling += random.pick(oddities);
    if (random.chance(0.02)) continue;
    spelling += randomCharacter(random, character);
  }
  if (random.chance(0.3)) spelling += random.pick(oddities);
  return spelling.startsWith("/") ? spelling : `/${spelling}`;
}

function randomCharacter(random: Random, character: string): string {
  const code = character.charCodeAt(0);
  const isPlain = character !== "/" && code < 0x80;
  if (isPlain && random.chance(0.15)) return escaped(random, code);
  if (random.chance(0.02)) return character.toUpperCase();
  return character;
}

function escaped(random: Random, code: number): string {
  const digits = code.toString(16).padStart(2, "0");
  return `%${random.chance(0.5) ? digits : digits.toUpperCase()}`;
}
