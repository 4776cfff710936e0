import type { RuleType } from "./rules.ts";

const decimalPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Converts a value of a string-only source to a rule's type; returns it unchanged if it cannot. */
export type Coercion = (value: unknown) => unknown;

/**
 * Parses a decimal number: `-12`, `0.5`, `1e3`, without surrounding characters.
 *
 * @returns undefined for anything else, including hexadecimal, `+1`, `.5`, `1.` and numbers that are
 *   too large
 */
export function parseDecimal(text: string): number | undefined {
  if (!decimalPattern.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Parses `true`, `1` and `on`, `false`, `0` and `off`; returns undefined for any other string. Browsers send
 * `on` for a ticked checkbox without a value, and nothing for the others.
 */
export function parseBoolean(text: string): boolean | undefined {
  if (text === "true" || text === "1" || text === "on") return true;
  if (text === "false" || text === "0" || text === "off") return false;
  return undefined;
}

/**
 * Returns the coercion of `type` for sources that contain only strings; undefined if strings need no
 * coercion.
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

// A string that cannot be parsed is returned unchanged, so that the type check rejects it.
const toNumber: Coercion = (value) =>
  typeof value === "string" ? (parseDecimal(value) ?? value) : value;

const toBoolean: Coercion = (value) =>
  typeof value === "string" ? (parseBoolean(value) ?? value) : value;

const toList: Coercion = (value) => (Array.isArray(value) ? value : [value]);
