import { constrainedLimit } from "../../src/routing/route-match.ts";
import { generateConstraint } from "./constraint-generator.ts";
import type { Random } from "./random.ts";

/** A method and a pattern. */
export type GeneratedRoute = readonly [method: string, pattern: string];

/** A method and a complete URL. */
export type GeneratedRequest = readonly [method: string, url: string];

/** Routes, and a generator of similar requests. */
export interface GeneratedRouteSet {
  readonly ignoreTrailingSlash: boolean;
  readonly routes: readonly GeneratedRoute[];
  readonly request: () => GeneratedRequest;
}

/** A segment of a pattern, and a generator of unencoded strings that mostly match it. */
interface Piece {
  readonly source: string;
  readonly sample: () => string;
  /** Parameter names used by the segment. */
  readonly names: readonly string[];
}

// Few words, so that patterns overlap and paths match several patterns.
const words = [
  "a",
  "b",
  "ab",
  "abc",
  "a-b",
  "a.b",
  "users",
  "é",
  "🍌",
  "a b",
  "a/b",
  "%",
  "A",
  ":x",
];
const separators = ["-", ".", "..", "a", "ab", "-a-", "é", "@", "b.", "🍌"];
const values = [
  "a",
  "b",
  "ab",
  "7",
  "42",
  "a-b",
  "a.b.c",
  "--",
  "é",
  "🍌",
  "a/b",
  "%",
  " ",
  "x:y",
  "*",
  "..",
];
const names = ["p", "q", "id", "__proto__", "constructor", "$", "_a1", "toString", "r", "s"];
const methods = ["GET", "GET", "GET", "POST", "HEAD", "ALL", "DELETE", "PURGE"];
const requestMethods = [...methods, "GET", "OPTIONS", "get", "toString", "__proto__"];
const malformed = [
  "%",
  "%2",
  "%zz",
  "%E0%A4%A",
  "%C0%AF",
  "%ED%A0%80",
  "%FF",
  "%F4%90%80%80",
  "%80",
];
const hosts = ["http://localhost", "https://example.com:8443", "http://[::1]"];
const tails = ["", "", "", "", "?a=/b", "?", "#/x", "?q=%zz#?", "/?x"];

/** Generates routes of every kind of pattern, some malformed or equal to an earlier one. */
export function generateRouteSet(random: Random): GeneratedRouteSet {
  const origins: { readonly method: string; readonly path: () => string }[] = [];
  const routes = random.list(1, random.chance(0.05) ? 40 : 9, (): GeneratedRoute => {
    const pieces = generatePattern(random);
    const method = random.pick(methods);
    origins.push({ method, path: () => pieces.map((piece) => `/${piece.sample()}`).join("") });
    const pattern = pieces.map((piece) => `/${piece.source}`).join("");
    return [method, random.chance(0.05) ? mutatePattern(random, pattern) : pattern];
  });
  return {
    ignoreTrailingSlash: random.chance(0.5),
    routes,
    request: () => {
      const { method, path } = random.pick(origins);
      const sent = mutatePath(random, encodePath(random, path()));
      const asked = random.chance(0.7) ? method : random.pick(requestMethods);
      return [asked, random.pick(hosts) + sent + random.pick(tails)];
    },
  };
}

function generatePattern(random: Random): Piece[] {
  const free = [...names];
  const takeName = (): string => free.splice(random.between(0, free.length - 1), 1)[0] ?? "z";
  const pieces: Piece[] = [];
  const length = random.pick([1, 1, 2, 2, 2, 3, 3, 4]);
  while (pieces.length < length) pieces.push(generateSegment(random, takeName));
  if (random.chance(0.15)) pieces.push(wildcard(random, takeName));
  else if (random.chance(0.1)) pieces.push({ source: "", sample: () => "", names: [] });
  return pieces;
}

function generateSegment(random: Random, takeName: () => string): Piece {
  const kind = random.next();
  if (kind < 0.42) return text(random, random.pick(words));
  if (kind < 0.44) return { source: "", sample: () => "", names: [] };
  if (kind < 0.6) return mixed(random, takeName);
  return parameter(random, takeName(), kind < 0.75, random.chance(0.25) ? "?" : "");
}

function text(random: Random, word: string): Piece {
  return { source: spell(random, word), sample: () => word, names: [] };
}

/** Spells literal text in one of several ways. */
function spell(random: Random, literal: string): string {
  return Array.from(literal, (character) => {
    if (character === "/" || character === "%" || random.chance(0.08))
      return percentEncode(character);
    if (":*?+(){}\\".includes(character)) return `\\${character}`;
    return character;
  }).join("");
}

function mixed(random: Random, takeName: () => string): Piece {
  const pieces: Piece[] = [];
  if (random.chance(0.4)) pieces.push(text(random, random.pick(separators)));
  const count = random.pick([1, 1, 2, 2, 3]);
  for (let index = 0; index < count; index++) {
    if (index > 0) pieces.push(text(random, random.pick(separators)));
    pieces.push(parameter(random, takeName(), random.chance(0.35), ""));
  }
  if (pieces.length === 1 || random.chance(0.4)) pieces.push(text(random, random.pick(separators)));
  return {
    source: joinParts(pieces.map((piece) => piece.source)),
    sample: () => pieces.map((piece) => piece.sample()).join(""),
    names: pieces.flatMap((piece) => piece.names),
  };
}

/** Separates a name from a following letter with a percent-escape. */
function joinParts(parts: readonly string[]): string {
  return parts.reduce((before, part) => {
    const sticks = /:[\w$]+$/.test(before) && /^[\w$]/.test(part);
    return before + (sticks ? percentEncode(part.slice(0, 1)) + part.slice(1) : part);
  });
}

function parameter(random: Random, name: string, isConstrained: boolean, mark: string): Piece {
  if (!isConstrained) {
    return { source: `:${name}${mark}`, sample: () => random.pick(values), names: [name] };
  }
  const { source, sample } = random.chance(0.5)
    ? random.pick(commonConstraints)
    : generateConstraint(random);
  const anchored = random.chance(0.1) ? `^${source}$` : source;
  const sampleOrOther = (): string => (random.chance(0.8) ? sample() : random.pick(values));
  return { source: `:${name}(${anchored})${mark}`, sample: sampleOrOther, names: [name] };
}

const commonConstraints = [
  { source: "\\d+", sample: () => "42" },
  { source: "[a-z]+", sample: () => "ab" },
  { source: "\\w+", sample: () => "a_1" },
  { source: ".*", sample: () => "a-b" },
  { source: "a|ab|b", sample: () => "ab" },
];

function wildcard(random: Random, takeName: () => string): Piece {
  const name = random.chance(0.5) ? takeName() : "";
  const sample = (): string => random.list(0, 3, () => random.pick(values)).join("/");
  return { source: `*${name}`, sample, names: [name] };
}

/** Encodes characters that a URL parser encodes, and sometimes others. */
function encodePath(random: Random, path: string): string {
  const rare = random.pick([0, 0, 0.1, 0.5]);
  return Array.from(path, (character) => {
    if ("?#%".includes(character) || (character !== "/" && random.chance(rare))) {
      return percentEncode(character);
    }
    const isPlain = /^[!-~]$/.test(character) || random.chance(0.05);
    return isPlain ? character : percentEncode(character);
  }).join("");
}

/** Mutates a path in ways that occur in practice, some of them malicious. */
function mutatePath(random: Random, path: string): string {
  let mutated = path;
  while (random.chance(0.35)) mutated = random.pick(mutations)(random, mutated);
  if (random.chance(0.003)) mutated = lengthen(random, mutated);
  return mutated.startsWith("/") ? mutated : `/${mutated}`;
}

const mutations: readonly ((random: Random, path: string) => string)[] = [
  (_, path) => `${path}/`,
  (_, path) => path.replace(/\/$/, ""),
  (random, path) => splice(random, path, 0, "/"),
  (_, path) => path.replace("/", "//"),
  (random, path) => splice(random, path, 0, random.pick(malformed)),
  (random, path) => splice(random, path, 0, random.pick(values).replace(/[%/]/g, percentEncode)),
  (random, path) => splice(random, path, 1, ""),
  (random, path) => Array.from(path).slice(0, random.between(1, path.length)).join(""),
  (random, path) => `${path}/${random.pick(["a", "42", "ab", "%C3%A9"])}`,
  (_, path) => path.slice(0, Math.max(0, path.lastIndexOf("/"))),
  (_, path) => path.toLowerCase(),
  (random, path) => mutate(random, path).replace(/[?#]/g, ""),
];

/** Repeats a character until its segment has about the maximum length of a constrained one. */
function lengthen(random: Random, path: string): string {
  const segments = path.split("/");
  const index = random.between(1, segments.length - 1);
  const segment = segments[index] ?? "";
  const at = random.between(0, segment.length);
  const character = /^(?:%..)+|^./.exec(segment.slice(at))?.[0] ?? "a";
  const missing = constrainedLimit + random.between(-2, 2) - segment.length;
  const filling = character.repeat(Math.max(0, Math.ceil(missing / character.length)));
  segments[index] = segment.slice(0, at) + filling + segment.slice(at);
  return segments.join("/");
}

function mutate(random: Random, text: string): string {
  const characters = ["a", "-", ".", "/", "*", ":", "(", ")", "{", "?", "\\.", "é", "+"];
  return splice(random, text, random.between(0, 1), random.pick(characters));
}

const patternSigns = [
  ...["", "", "", "/", "*", ":", ":a", "?", "+", "-", "\\", "\\.", "%", "%61", "a", "é"],
  ...["(", ")", "(?:", "(?<", "<", ">", "[", "]", "^", "$", "|", "{", "}", "{2}", "{0,2}"],
];

/** Inserts and removes characters of the syntax. */
function mutatePattern(random: Random, pattern: string): string {
  let mutated = pattern;
  do mutated = splice(random, mutated, random.between(0, 1), random.pick(patternSigns));
  while (random.chance(0.4));
  return mutated;
}

/** Operates on code points: URLs cannot contain a lone surrogate. */
function splice(random: Random, text: string, removed: number, inserted: string): string {
  const characters = Array.from(text);
  characters.splice(random.between(0, characters.length), removed, inserted);
  return characters.join("");
}

function percentEncode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(
    "",
  );
}
