import type { ParsedRule } from "../validation/parse-rule.ts";
import type { RuleNode } from "../validation/rule-tree.ts";
import type { RuleType } from "../validation/rules.ts";
import type { JsonSchema } from "../validation/standard-json-schema.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import { valueTypes } from "../validation/value-types.ts";

/** Options for converting rules to JSON Schema. */
export interface RuleSchemaOptions {
  /**
   * Also documents lenient input: null, or an empty string in a form, for an optional field, 1 for true in strings. More
   * exact, but harder to read.
   */
  readonly isExact: boolean;
  /** True for sources that contain only strings: path, query, headers. */
  readonly isText: boolean;
  /** Converts the Standard Schema of a field. */
  readonly standard: (schema: StandardSchemaV1) => JsonSchema;
  /** Descriptions of fields, by name. */
  readonly descriptions: Readonly<Record<string, string>>;
}

const types: Readonly<Record<RuleType, JsonSchema>> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  array: { type: "array" },
  integer: { type: "integer" },
  object: { type: "object" },
  email: { type: "string", format: "email" },
  url: { type: "string", format: "uri" },
  uuid: { type: "string", format: "uuid" },
  date: { type: "string" },
  file: { type: "string", format: "binary", contentMediaType: "application/octet-stream" },
};

/** Converts fields to an object schema. */
export function fieldsSchema(
  fields: ReadonlyMap<string, RuleNode>,
  options: RuleSchemaOptions,
): JsonSchema {
  const properties: Record<string, JsonSchema> = Object.create(null);
  for (const [name, field] of fields) properties[name] = fieldSchema(field, options);
  const required = [...fields].filter(([, field]) => isRequired(field)).map(([name]) => name);
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
  };
}

/**
 * Returns whether a request without the field is invalid, including an optional field with a required nested
 * field (dotted name).
 */
export function isRequired(field: RuleNode): boolean {
  if (field.rule?.fallback !== undefined) return false;
  if (field.rule?.required === true) return true;
  return field.isOnPath && [...field.properties.values()].some(isRequired);
}

/** Converts one field: the schemas for a present and for a missing value. */
export function fieldSchema(field: RuleNode, options: RuleSchemaOptions): JsonSchema {
  const schema = withDescription(valueSchema(field, options), field, options);
  if (!options.isExact || isRequired(field)) return schema;
  // An empty string counts as missing where there are only strings; in JSON null does.
  const missing = options.isText ? [""] : [null];
  const { default: fallback, description, ...value } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: [value, { enum: missing }],
  };
}

function valueSchema(field: RuleNode, options: RuleSchemaOptions): JsonSchema {
  const { rule } = field;
  const type = rule?.type ?? impliedType(field) ?? memberType(rule);
  const inside = insideSchema(field, options);
  const ofType = type === undefined ? {} : typeSchema(type, rule, options);
  // What a reference leads to has a type of its own.
  const schema: Record<string, unknown> =
    "$ref" in inside ? { ...inside } : { ...ofType, ...inside };
  if (rule === undefined) return schema;
  Object.assign(schema, bounds(rule, type, options), presence(rule, type));
  const pattern = portableExpression(rule.pattern);
  if (pattern !== undefined) schema["pattern"] = pattern;
  if (rule.members !== undefined) schema["enum"] = [...rule.members];
  if (rule.fallback !== undefined) schema["default"] = rule.fallback();
  const withNull = rule.nullable ? orNull(schema) : schema;
  return rule.allowEmpty ? orEmpty(withNull) : withNull;
}

function orEmpty(schema: JsonSchema): JsonSchema {
  const { default: fallback, ...value } = schema;
  if (Object.keys(value).join() === "type") return schema;
  return {
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: [value, { type: "string", maxLength: 0 }],
  };
}

function typeSchema(
  type: RuleType,
  rule: ParsedRule | undefined,
  { isExact, isText }: RuleSchemaOptions,
): JsonSchema {
  if (type === "date") return { type: "string", ...dateFormat(rule?.pattern, isExact) };
  if (type === "boolean" && isExact && isText) {
    // One enum for each type: generators derive names from the values, and 1 and "1" would be the same name.
    const texts = ["true", "false", "1", "0", "on", "off"];
    const numbers = { type: "integer", enum: [1, 0] };
    return { anyOf: [{ type: "boolean" }, numbers, { type: "string", enum: texts }] };
  }
  return types[type];
}

/** A date with a time that the rule accepts: also one without seconds or offset, as of a `datetime-local` field. */
const anyDateTime =
  "^\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|" +
  "02-(?:0[1-9]|[12]\\d))T(?:[01]\\d|2[0-3]):[0-5]\\d" +
  "(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)?$";

/** Returns the format of a date, with or without a time depending on the rule's pattern. */
function dateFormat(pattern: RegExp | undefined, isExact: boolean): JsonSchema {
  const accepts = (...texts: string[]): boolean =>
    pattern === undefined || texts.some((text) => matches(pattern, text));
  const formats: JsonSchema[] = [];
  if (accepts("2024-02-29")) formats.push({ format: "date" });
  if (accepts("2024-02-29T12:30:00Z")) formats.push({ format: "date-time" });
  const accepted = ["2024-02-29T12:30", "2024-02-29T12:30:00", "2024-02-29T12:30Z"];
  if (isExact && accepts(...accepted)) formats.push({ pattern: anyDateTime });
  if (formats.length > 1) return { anyOf: formats };
  // A pattern that no example matches says more than a format.
  return formats[0] ?? (isExact ? {} : { format: "date" });
}

function matches(pattern: RegExp, text: string): boolean {
  // The application's expression is stateful if it is global or sticky.
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, "")).test(text);
}

function insideSchema(field: RuleNode, options: RuleSchemaOptions): JsonSchema {
  if (field.element !== undefined) return { items: elementSchema(field.element, options) };
  if (field.properties.size > 0) return fieldsSchema(field.properties, options);
  return field.schema === undefined ? {} : options.standard(field.schema);
}

/** Converts array elements: null or an empty string counts as present unless there is a default. */
function elementSchema(element: RuleNode, options: RuleSchemaOptions): JsonSchema {
  if (element.rule?.fallback !== undefined) return fieldSchema(element, options);
  return withDescription(valueSchema(element, options), element, options);
}

function bounds(
  { min, max }: ParsedRule,
  type: RuleType | undefined,
  { isExact }: RuleSchemaOptions,
): JsonSchema {
  const measure = type === undefined ? "any" : valueTypes[type].measure;
  const schema: Record<string, number> = {};
  const put = (lower: string, upper: string, isCount: boolean): void => {
    if (min !== undefined) schema[lower] = isCount ? Math.max(0, Math.ceil(min)) : min;
    if (max !== undefined) schema[upper] = isCount ? Math.max(0, Math.floor(max)) : max;
  };
  if (measure === "text" || measure === "any") put("minLength", "maxLength", true);
  if (measure === "list" || measure === "any") put("minItems", "maxItems", true);
  if (measure === "number" || measure === "any") put("minimum", "maximum", false);
  if (type !== "integer" || !isExact) return schema;
  // Larger integers would be rounded, and are refused.
  return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...schema };
}

/** A required string has at least one character: an empty one counts as missing. */
function presence(rule: ParsedRule, type: RuleType | undefined): JsonSchema {
  if (!rule.required || rule.allowEmpty || rule.members !== undefined) return {};
  if (type !== "string" && type !== undefined) return {};
  return { minLength: Math.max(1, Math.ceil(rule.min ?? 0)) };
}

function orNull(schema: JsonSchema): JsonSchema {
  const members = schema["enum"];
  const { type, ...rest } = schema;
  if (Array.isArray(members)) return { ...rest, enum: [...members, null] };
  if (typeof type === "string") return { ...schema, type: [type, "null"] };
  const isRestricted = ["$ref", "allOf", "anyOf", "oneOf", "const"].some((key) => key in schema);
  // Without a restriction null is already allowed.
  return isRestricted ? { anyOf: [schema, { type: "null" }] } : schema;
}

/** Returns the source of an expression; JSON Schema has no flags, so significant ones exclude it. */
function portableExpression(pattern: RegExp | undefined): string | undefined {
  return pattern === undefined || /[imsv]/.test(pattern.flags) ? undefined : pattern.source;
}

function impliedType(field: RuleNode): RuleType | undefined {
  if (field.element !== undefined) return "array";
  return field.properties.size > 0 ? "object" : undefined;
}

/** Returns the common type of the members of an untyped `enum`. */
function memberType(rule: ParsedRule | undefined): RuleType | undefined {
  const [type, ...others] = new Set(rule?.members?.map((member) => typeof member));
  if (others.length > 0) return undefined;
  return type === "string" || type === "number" || type === "boolean" ? type : undefined;
}

function withDescription(
  schema: JsonSchema,
  field: RuleNode,
  { descriptions }: RuleSchemaOptions,
): JsonSchema {
  const description = Object.hasOwn(descriptions, field.name)
    ? descriptions[field.name]
    : undefined;
  return description === undefined ? schema : { description, ...schema };
}
