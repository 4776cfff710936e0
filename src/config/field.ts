import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";
import { nearestNames } from "../util/nearest-names.ts";

/** The types of a configuration value, to which strings are cast. */
export type ConfigType = "string" | "number" | "integer" | "boolean" | "array";

/** What one configuration value must be. */
export interface ConfigRule {
  /** The value is required: in the source, the environment or the defaults. */
  readonly required?: boolean;
  /** Type of the value, to which strings are cast; arrays are read from comma-separated strings. */
  readonly type?: ConfigType;
  /** Minimum number, string length (in code points) or array length. */
  readonly min?: number;
  /** Maximum number, string length (in code points) or array length. */
  readonly max?: number;
  /** The allowed values. */
  readonly enum?: readonly (string | number | boolean)[];
  /** Pattern that a string must match. */
  readonly pattern?: RegExp;
}

/** Declaration of a field: a constructor or a rule. */
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
 * Returns the rule of a declared field.
 *
 * @param label the section and field, as shown in messages: `app.port`
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

/** Infers the rule of a field declared only by its default: its type, if strings can be cast to it. */
export function ruleOfDefault(value: unknown): ConfigRule {
  const type = Array.isArray(value) ? "array" : typeof value;
  return types.has(type) ? { type: type as ConfigType } : {};
}
