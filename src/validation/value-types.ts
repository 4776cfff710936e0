import { createUrlTest, isDate, isEmail, isUrl, isUuid } from "./formats.ts";
import { isRecord } from "./null-object.ts";
import type { RuleType } from "./rules.ts";

/** Type check, error message and measurable size of a rule's type. */
export interface ValueType {
  /** Undefined for strings of any content. */
  readonly accepts: ((value: unknown) => boolean) | undefined;
  /** Error message of a field of another type, without the field's name. */
  readonly message: string;
  /** The quantity that `min` and `max` limit; undefined if they do not apply. */
  readonly measure: "text" | "list" | "number" | undefined;
  readonly isText: boolean;
}

function textType(description: string, isFormat?: (text: string) => boolean): ValueType {
  return {
    accepts: isFormat && ((value) => typeof value === "string" && isFormat(value)),
    message: `must be ${description}`,
    measure: "text",
    isText: true,
  };
}

function otherType(
  description: string,
  accepts: (value: unknown) => boolean,
  measure?: "list" | "number",
): ValueType {
  return { accepts, message: `must be ${description}`, measure, isText: false };
}

/**
 * The possible types of a rule.
 *
 * A number must be finite. An integer must be safe (from -(2^53 - 1) to 2^53 - 1), so that an identifier
 * that would be rounded is rejected. A file is a `File` or another `Blob`.
 */
export const valueTypes: Readonly<Record<RuleType, ValueType>> = /* @__PURE__ */ createTypes();

/** Created in one call, so that a bundler can drop the table if validation is unused. */
function createTypes(): Record<RuleType, ValueType> {
  return {
    string: textType("a string"),
    number: otherType("a number", Number.isFinite, "number"),
    boolean: otherType("a boolean", (value) => typeof value === "boolean"),
    array: otherType("an array", Array.isArray, "list"),
    integer: otherType("an integer", Number.isSafeInteger, "number"),
    object: otherType("an object", isRecord),
    email: textType("a valid email", isEmail),
    url: textType("a valid URL", isUrl),
    uuid: textType("a valid UUID", isUuid),
    // `min` and `max` do not apply: bounds of a date would be dates, not numbers of characters.
    date: { ...textType("a valid date", isDate), measure: undefined },
    file: otherType("a file", (value) => value instanceof Blob),
  };
}

/** Returns the type check of a rule, with custom URL schemes if given. */
export function valueTypeOf(type: RuleType, protocols: readonly string[] | undefined): ValueType {
  const isOther = type === "url" && protocols !== undefined;
  return isOther ? textType("a valid URL", createUrlTest(protocols)) : valueTypes[type];
}

/** Returns whether a value is of a type. */
export function isOfType({ accepts }: ValueType, value: unknown): boolean {
  return accepts === undefined ? typeof value === "string" : accepts(value);
}

/** Returns whether `name` is a type of rules. */
export function isRuleType(name: unknown): name is RuleType {
  return typeof name === "string" && Object.hasOwn(valueTypes, name);
}
