import type { ConfigRule, ConfigType } from "./field.ts";

/** A broken rule, and the part of the message that follows the field's name. */
export interface BrokenRule {
  readonly rule: "required" | "type" | "min" | "max" | "enum" | "pattern";
  readonly complaint: string;
}

/** Returns the first rule that a value breaks; undefined if valid. Never includes the value. */
export function brokenRule(value: unknown, rule: ConfigRule): BrokenRule | undefined {
  const { type, min, max, pattern } = rule;
  if (type !== undefined && !isOfType(value, type)) {
    return { rule: "type", complaint: `must be ${nameOfType(type)}` };
  }
  const { size, unit } = measure(value);
  if (min !== undefined && size < min) {
    return { rule: "min", complaint: `must be at least ${min}${unit}` };
  }
  if (max !== undefined && size > max) {
    return { rule: "max", complaint: `must be at most ${max}${unit}` };
  }
  if (rule.enum !== undefined && !rule.enum.some((allowed) => allowed === value)) {
    return { rule: "enum", complaint: `must be one of: ${rule.enum.join(", ")}` };
  }
  // search() instead of test(): it ignores the lastIndex of a global pattern.
  if (pattern !== undefined && (typeof value !== "string" || value.search(pattern) === -1)) {
    return { rule: "pattern", complaint: "format is invalid" };
  }
  return undefined;
}

function isOfType(value: unknown, type: ConfigType): boolean {
  if (type === "number") return Number.isFinite(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  return typeof value === type;
}

function nameOfType(type: ConfigType): string {
  return type === "integer" || type === "array" ? `an ${type}` : `a ${type}`;
}

/** Returns the size that `min` and `max` compare; NaN, which passes both, for other types. */
function measure(value: unknown): { size: number; unit: string } {
  if (typeof value === "string") return { size: [...value].length, unit: " characters" };
  if (Array.isArray(value)) return { size: value.length, unit: " items" };
  return { size: typeof value === "number" ? value : Number.NaN, unit: "" };
}
