import type { ParsedRule } from "./parse-rule.ts";
import { valueTypes } from "./value-types.ts";

/**
 * Checks a value of the right type. Returns the problem as the text after the field's name, or
 * undefined if the value is valid.
 */
export type Constraint = (value: unknown) => string | undefined;

/**
 * Creates the constraints of `rule` beyond the type, in the order of reporting: bounds, `enum`, `pattern`.
 */
export function createConstraints(rule: ParsedRule): readonly Constraint[] {
  const constraints: Constraint[] = [];
  if (rule.min !== undefined) constraints.push(...lowerBounds(rule, rule.min));
  if (rule.max !== undefined) constraints.push(...upperBounds(rule, rule.max));
  if (rule.members !== undefined) constraints.push(memberOf(rule.members));
  if (rule.pattern !== undefined) constraints.push(matching(rule.pattern));
  return constraints;
}

/**
 * Creates the constraints of `min`. Each one checks one kind of value and ignores others; a rule without
 * a type has all three.
 */
function lowerBounds({ type }: ParsedRule, min: number): readonly Constraint[] {
  const text = `must be at least ${min} characters`;
  const list = `must contain at least ${min} items`;
  const number = `must be at least ${min}`;
  return measured(type, {
    text: (value) => (typeof value === "string" && !hasAtLeast(value, min) ? text : undefined),
    list: (value) => (Array.isArray(value) && value.length < min ? list : undefined),
    number: (value) => (typeof value === "number" && value < min ? number : undefined),
  });
}

function upperBounds({ type }: ParsedRule, max: number): readonly Constraint[] {
  const text = `must be at most ${max} characters`;
  const list = `must contain at most ${max} items`;
  const number = `must be at most ${max}`;
  return measured(type, {
    text: (value) => (typeof value === "string" && !hasAtMost(value, max) ? text : undefined),
    list: (value) => (Array.isArray(value) && value.length > max ? list : undefined),
    number: (value) => (typeof value === "number" && value > max ? number : undefined),
  });
}

function measured(
  type: ParsedRule["type"],
  bounds: Readonly<Record<"text" | "list" | "number", Constraint>>,
): readonly Constraint[] {
  if (type === undefined) return [bounds.text, bounds.list, bounds.number];
  const { measure } = valueTypes[type];
  return measure === undefined ? [] : [bounds[measure]];
}

function memberOf(members: NonNullable<ParsedRule["members"]>): Constraint {
  const allowed = new Set<unknown>(members);
  const message = `must be one of: ${members.map(String).join(", ")}`;
  return (value) => (allowed.has(value) ? undefined : message);
}

function matching(pattern: RegExp): Constraint {
  const message = "format is invalid";
  return (value) => {
    // With the flags g and y, matching would start where the previous request's match ended.
    pattern.lastIndex = 0;
    return typeof value === "string" && pattern.test(value) ? undefined : message;
  };
}

// Lengths are in code points: an emoji outside the basic plane counts as one character, as users expect, and so
// does a lone surrogate. The length in code units bounds them, so that a long string is never counted.

/** Returns whether `text` has at least `count` code points. */
function hasAtLeast(text: string, count: number): boolean {
  if (text.length < count) return false;
  return text.length >= 2 * count || codePoints(text) >= count;
}

/** Returns whether `text` has at most `count` code points. */
function hasAtMost(text: string, count: number): boolean {
  if (text.length <= count) return true;
  return text.length <= 2 * count && codePoints(text) <= count;
}

function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const isPair = isHighSurrogate(text, index) && isLowSurrogate(text, index + 1);
    if (isPair) index += 1;
    count += 1;
  }
  return count;
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

// Past the end, charCodeAt() is NaN, and NaN & x is 0: not a surrogate.
function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
