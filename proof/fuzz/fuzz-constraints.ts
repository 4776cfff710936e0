import { Constraint, ConstraintSyntaxError } from "../../src/routing/constraint.ts";
import {
  constrainedLimit,
  PatternError,
  type RouteMatcher,
} from "../../src/routing/route-match.ts";
import { generateConstraint } from "../../test/support/constraint-generator.ts";
import { Random } from "../../test/support/random.ts";
import { wasmMatcher } from "../../test/support/wasm-matcher.ts";
import type { Finding } from "../support/finding.ts";
import { Corpus } from "./corpus.ts";

/** Strings with a meaning in an expression, and characters of one to four bytes. */
const snippets = [
  ..."()[]{}|^$.*+?\\-,:<>=!abz09_ /",
  ..."é🍌\u00a0",
  ..."(?:|(?<n>|{2}|{1,3}|{0,}|\\d|\\W|\\s|\\x61|\\u0061|\\u{1F34C}|[^|a-z|\\]|\\-".split("|"),
];
const mostCharacters = 80;
const longestValue = 100;
/** RegExp may try several times as many ways for each further character. */
const mostForRegExp = 8;
/** An instance of the module is used for so many constraints, because creating one takes longer than a comparison. */
const routesPerMatcher = 200;

/** An expression, and values that its unchanged form matches. */
interface Candidate {
  readonly source: string;
  readonly values: readonly string[];
}

/**
 * Compares the constraint engines of both matchers with each other, and with `RegExp` for what it accepts too.
 *
 * @param endsAt in milliseconds of `performance.now()`
 */
export async function fuzzConstraints(
  finding: Finding,
  seed: number,
  endsAt: number,
): Promise<void> {
  const random = new Random(seed);
  const corpus = new Corpus<Candidate>([generate(random)]);
  let matcher = wasmMatcher();
  while (performance.now() < endsAt) {
    if (finding.tried % routesPerMatcher === 0) matcher = wasmMatcher();
    const candidate = random.chance(0.3) ? generate(random) : mutate(corpus.pick(random), random);
    finding.tried += 1;
    try {
      const kind = compare(candidate, matcher, finding);
      if (candidate.source.length <= mostCharacters) corpus.offer(candidate, kind, random);
    } catch (error) {
      finding.fault(`throws ${error}`, JSON.stringify(candidate));
    }
  }
  finding.count("kinds of results", corpus.kinds);
}

/** Compares all engines for one expression, and returns the kind of the result. */
function compare({ source, values }: Candidate, matcher: RouteMatcher, finding: Finding): string {
  const compiled = compile(source);
  const prefix = `/${finding.tried}/`;
  const isInserted = insert(matcher, `${prefix}:value(${source})`);
  if (typeof compiled === "string") {
    finding.count("rejected");
    // In a pattern, an unmatched parenthesis ends the constraint early, and the rest is text.
    if (isInserted) finding.check(!closesOnce(source), "rejected by the reference only", source);
    return compiled.replace(/\d+|"[^"]*"/g, "");
  }
  if (!isInserted) {
    finding.fault("rejected by the compiled matcher only", source);
    return "rejected by one";
  }
  finding.count("accepted");
  const oracle = createOracle(source);
  if (oracle === undefined) finding.count("not a RegExp");
  let results = "";
  for (const value of values) {
    if (value === "") continue;
    const isAccepted = compiled.accepts(value);
    const input = JSON.stringify({ source, value });
    const segment = encodeURIComponent(value);
    const isShort = segment.length <= constrainedLimit;
    // Dots alone are a step in the path, and never a value.
    if (!/^\.{1,2}$/.test(value)) {
      const isFound = matcher.find("GET", `http://localhost${prefix}${segment}`).status === 200;
      finding.check(isFound === (isAccepted && isShort), "the matchers differ", input);
    }
    if (oracle !== undefined && value.length <= mostForRegExp) {
      finding.check(oracle.test(value) === isAccepted, "differs from RegExp", input);
    }
    finding.count("values");
    results += Number(isAccepted);
  }
  return `${[...new Set(source.match(/[^a-z\d]/gu))].sort().join("")} ${results}`;
}

/** Returns the constraint, or the reason why it is invalid. */
function compile(source: string): Constraint | string {
  try {
    return new Constraint(source);
  } catch (error) {
    if (error instanceof ConstraintSyntaxError) return error.message;
    throw error;
  }
}

/** Adds a route; returns false if the matcher rejects the pattern. */
function insert(matcher: RouteMatcher, pattern: string): boolean {
  try {
    matcher.insert("GET", pattern);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** Returns the expression as a RegExp; undefined if `RegExp` rejects it, for example for a repeated group name. */
function createOracle(source: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})$`, "u");
  } catch {
    return undefined;
  }
}

/** Returns true if every parenthesis that the expression opens is closed within it. */
function closesOnce(source: string): boolean {
  let depth = 0;
  for (const mark of source.replace(/\\.|\[(?:\\.|[^\]])*\]/gsu, "").match(/[()]/g) ?? []) {
    depth += mark === "(" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function generate(random: Random): Candidate {
  const { source, sample } = generateConstraint(random, 3);
  return { source, values: [sample(), sample(), `${sample()}a`, sample().slice(1)].map(repair) };
}

function mutate({ source, values }: Candidate, random: Random): Candidate {
  let changed = [...source];
  for (let left = random.between(1, 3); left > 0; left -= 1) {
    const start = random.between(0, changed.length);
    const removed = random.pick([0, 0, 1, 2]);
    const added = random.chance(0.7) ? [...random.pick(snippets)] : changed.slice(start, start + 3);
    changed = [...changed.slice(0, start), ...added, ...changed.slice(start + removed)];
  }
  const value = (random.pick(values) + random.pick(snippets)).slice(-longestValue);
  return { source: changed.join(""), values: [...values.slice(-5), value].map(repair) };
}

/** A sample that was cut inside of a surrogate pair cannot be in a URL. */
const repair = (value: string): string => value.toWellFormed();
