import { createUrlTest, isDate, isEmail, isUrl, isUuid } from "./formats.ts";
import { isRecord } from "./null-object.ts";
import type { RuleType } from "./rules.ts";

/** How values of one type are told from others. */
export interface ValueType {
  readonly accepts: (value: unknown) => boolean;
  /** What is said of a field that is not of this type, after its name. */
  readonly message: string;
  /** What `min` and `max` measure; undefined where they have no meaning. */
  readonly measure: "text" | "list" | "number" | undefined;
  readonly isText: boolean;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function textType(description: string, isFormat?: (text: string) => boolean): ValueType {
  return {
    accepts: isFormat === undefined ? isString : (value) => isString(value) && isFormat(value),
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
 * The types a rule can name.
 *
 * A number is finite. An integer is one that JavaScript holds exactly (at most 2^53 - 1 either
 * way), so an identifier that would be rounded is refused. A file is a `File` or another `Blob`.
 */
export const valueTypes: Readonly<Record<RuleType, ValueType>> = /* @__PURE__ */ createTypes();

/** One call, so that a bundler can leave out the table where nobody validates. */
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
    // Bounds of a date would be dates: characters is not what anybody means.
    date: { ...textType("a valid date", isDate), measure: undefined },
    file: otherType("a file", (value) => value instanceof Blob),
  };
}

/** The type of a rule, whose URLs may be of other schemes. */
export function valueTypeOf(type: RuleType, protocols: readonly string[] | undefined): ValueType {
  const isOther = type === "url" && protocols !== undefined;
  return isOther ? textType("a valid URL", createUrlTest(protocols)) : valueTypes[type];
}

/** Whether a rule can name this type. */
export function isRuleType(name: unknown): name is RuleType {
  return typeof name === "string" && Object.hasOwn(valueTypes, name);
}
