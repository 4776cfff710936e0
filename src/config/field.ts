import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";
import { nearestNames } from "../util/nearest-names.ts";

/** The types that a configuration value can be declared to have, and that text is cast to. */
export type ConfigType = "string" | "number" | "integer" | "boolean" | "array";

/** What one configuration value must be. */
export interface ConfigRule {
  /** The value must be given somewhere: in the source, the environment or the defaults. */
  readonly required?: boolean;
  /** What the value is, and what text is cast to: an array from text with commas. */
  readonly type?: ConfigType;
  /** Least number, least characters (code points) of a string, least items of an array. */
  readonly min?: number;
  /** Greatest number, most characters (code points) of a string, most items of an array. */
  readonly max?: number;
  /** The values that are allowed. */
  readonly enum?: readonly (string | number | boolean)[];
  /** What a string must match. */
  readonly pattern?: RegExp;
}

/** How a field is declared: by its constructor, or by a rule. */
export type ConfigField =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | ArrayConstructor
  | ConfigRule;

const ruleKeys: readonly string[] = ["required", "type", "min", "max", "enum", "pattern"];

const types: ReadonlySet<unknown> = new Set<ConfigType>([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
]);

/**
 * The rule that a field was declared with.
 *
 * @param label the section and field, as messages name them: `app.port`
 * @throws EspalierError `ERR_CONFIG_BAD_SECTION` for a declaration that is neither
 */
export function ruleOfField(field: ConfigField, label: string): ConfigRule {
  if (field === String) return { type: "string" };
  if (field === Number) return { type: "number" };
  if (field === Boolean) return { type: "boolean" };
  if (field === Array) return { type: "array" };
  if (typeof field !== "object" || field === null) {
    throw new EspalierError(
      "ERR_CONFIG_BAD_SECTION",
      `The configuration field ${label} must be String, Number, Boolean, Array or a rule such as ` +
        `{ required: true, type: "number", min: 1 }, got ${describe(field)}.`,
    );
  }
  const unknownKey = Object.keys(field).find((key) => !ruleKeys.includes(key));
  if (unknownKey !== undefined) {
    throw new EspalierError(
      "ERR_CONFIG_BAD_SECTION",
      `The configuration field ${label} has the unknown rule "${unknownKey}".` +
        `${nearestNames(unknownKey, ruleKeys, ruleKeys.length)}`,
    );
  }
  if (field.type !== undefined && !types.has(field.type)) {
    throw new EspalierError(
      "ERR_CONFIG_BAD_SECTION",
      `The type of the configuration field ${label} must be one of ${[...types].join(", ")}, ` +
        `got ${describe(field.type)}.`,
    );
  }
  return field;
}

/** The rule of a field that only a default declares: its type, where text can be cast to it. */
export function ruleOfDefault(value: unknown): ConfigRule {
  const type = Array.isArray(value) ? "array" : typeof value;
  return types.has(type) ? { type: type as ConfigType } : {};
}
