import type { PatternParameter, PatternText } from "./pattern.ts";

/** Literal text and parameters of one segment, as in `:name.:extension`. */
export type MixedParts = readonly (PatternText | PatternParameter)[];

/**
 * Splits one decoded segment between the parameters of a mixed pattern segment.
 *
 * From the left, each parameter takes the longest string that its constraint accepts and that lets the rest
 * of the segment match: with `/:name.:extension`, `a.tar.gz` yields `a.tar` and `gz`. A value is never empty.
 *
 * @returns the values from left to right; undefined when the segment does not match
 */
export function matchMixedSegment(parts: MixedParts, text: string): string[] | undefined {
  const isConstrained = parts.some(
    (part) => part.kind === "parameter" && part.constraint !== undefined,
  );
  return isConstrained ? splitByConstraints(parts, text) : splitAtLast(parts, text);
}

/**
 * Splits a segment without constraints from the right: each text between two parameters separates them where
 * it occurs last, if that leaves a value after it.
 */
function splitAtLast(parts: MixedParts, text: string): string[] | undefined {
  const lead = textOf(parts[0]);
  const tail = textOf(parts.at(-1));
  if (text.length <= lead.length + tail.length) return undefined;
  if (!text.startsWith(lead) || !text.endsWith(tail)) return undefined;
  const values: string[] = [];
  let end = text.length - tail.length;
  for (const part of parts.slice(1, -1).toReversed()) {
    if (part.kind === "parameter") continue;
    const at = text.lastIndexOf(part.text, end - 1 - part.text.length);
    if (at <= lead.length) return undefined;
    values.unshift(text.slice(at + part.text.length, end));
    end = at;
  }
  return [text.slice(lead.length, end), ...values];
}

function textOf(part: MixedParts[number] | undefined): string {
  return part?.kind === "static" ? part.text : "";
}

function splitByConstraints(parts: MixedParts, text: string): string[] | undefined {
  const symbols = Array.from(text);
  const characters = symbols.map((symbol) => symbol.codePointAt(0) ?? 0);
  const fits = whereRestsFit(parts, characters);

  const values: string[] = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (fits[index]?.[at] !== true) return undefined;
    if (part.kind === "static") {
      at += Array.from(part.text).length;
      continue;
    }
    const end = longestEnd(part, characters, at, fits[index + 1] ?? []);
    if (end === undefined) return undefined;
    values.push(symbols.slice(at, end).join(""));
    at = end;
  }
  return values;
}

/**
 * Returns for every part and every position of the segment whether that part and all following ones match
 * from there to the end. Computed from the end, so that no position is tried twice.
 */
function whereRestsFit(parts: MixedParts, characters: readonly number[]): boolean[][] {
  const end = new Array<boolean>(characters.length + 1).fill(false);
  end[characters.length] = true;
  const fits = [end];
  for (const part of parts.toReversed()) {
    const rest = fits[0] ?? end;
    fits.unshift(
      part.kind === "static" ? textFits(part, characters, rest) : valueFits(part, characters, rest),
    );
  }
  return fits;
}

function textFits(
  part: PatternText,
  characters: readonly number[],
  rest: readonly boolean[],
): boolean[] {
  const expected = Array.from(part.text, (character) => character.codePointAt(0));
  return rest.map(
    (_, at) =>
      rest[at + expected.length] === true &&
      expected.every((codePoint, offset) => characters[at + offset] === codePoint),
  );
}

function valueFits(
  part: PatternParameter,
  characters: readonly number[],
  rest: readonly boolean[],
): boolean[] {
  if (part.constraint !== undefined) return part.constraint.startsOf(characters, rest);
  const last = rest.lastIndexOf(true);
  return rest.map((_, at) => at < last);
}

function longestEnd(
  part: PatternParameter,
  characters: readonly number[],
  start: number,
  rest: readonly boolean[],
): number | undefined {
  if (part.constraint !== undefined) {
    return part.constraint.endsFrom(characters, start).findLast((end) => rest[end] === true);
  }
  const last = rest.lastIndexOf(true);
  return last > start ? last : undefined;
}
