import type { RuleType } from "./rules.ts";

const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Turns what a text source sent into what a rule wants, or gives it back when it cannot. */
export type Coercion = (value: unknown) => unknown;

/**
 * The number that `text` spells in decimal: `-12`, `0.5`, `1e3`; nothing may stand around it.
 *
 * @returns undefined for anything else, also for hexadecimal, `+1`, `.5`, `1.` and what is too
 *   large
 */
export function parseDecimal(text: string): number | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** `true` and `1`, `false` and `0`; undefined for any other text. */
export function parseBoolean(text: string): boolean | undefined {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  return undefined;
}

/**
 * How `type` is read from a source that knows strings only; undefined when a string needs no
 * reading.
 */
export function coercionOf(type: RuleType | undefined): Coercion | undefined {
  switch (type) {
    case "number":
    case "integer":
      return toNumber;
    case "boolean":
      return toBoolean;
    case "array":
      return toList;
    default:
      return undefined;
  }
}

// What cannot be read stays as it is, so that the check of the type refuses it.
const toNumber: Coercion = (value) =>
  typeof value === "string" ? (parseDecimal(value) ?? value) : value;

const toBoolean: Coercion = (value) =>
  typeof value === "string" ? (parseBoolean(value) ?? value) : value;

const toList: Coercion = (value) => (Array.isArray(value) ? value : [value]);
