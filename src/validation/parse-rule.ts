import { describe } from "../util/describe.ts";
import { findNearNames, nearestNames } from "../util/nearest-names.ts";
import { badRule } from "./bad-rule.ts";
import { isRecord, ownValue } from "./null-object.ts";
import { ruleKeys } from "./rule-keys.ts";
import type { EnumMember, RuleType, Source } from "./rules.ts";
import { isStandardSchema, type StandardSchemaV1 } from "./standard-schema.ts";
import { isOfType, isRuleType, valueTypeOf, valueTypes } from "./value-types.ts";

/** A `custom` function of a rule, called with the value and the context. */
export type Custom = (value: unknown, context: unknown) => unknown;

/** A rule whose keys have been checked, with defaults filled in. */
export interface ParsedRule {
  /** The given type, or the one implied by `items` or `schema`. */
  readonly type: RuleType | undefined;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly allowEmpty: boolean;
  /** The stricter of `min` and `minLength`. */
  readonly min: number | undefined;
  /** The stricter of `max` and `maxLength`. */
  readonly max: number | undefined;
  readonly pattern: RegExp | undefined;
  /** URL schemes in lower case; undefined for the default, http and https. */
  readonly protocols: readonly string[] | undefined;
  readonly members: readonly EnumMember[] | undefined;
  /** The unparsed rule of the elements. */
  readonly items: unknown;
  /** An unparsed map of rules, or a Standard Schema. */
  readonly schema: Readonly<Record<string, unknown>> | StandardSchemaV1 | undefined;
  /** Creates the default value; undefined if the rule has no default. */
  readonly fallback: (() => unknown) | undefined;
  readonly message: string | undefined;
  readonly custom: Custom | undefined;
}

const sources: readonly Source[] = ["params", "query", "body", "headers"];

/**
 * Parses and checks the rule of `field` at boot, so that no request fails because of a bad rule.
 *
 * @throws EspalierError `ERR_VALIDATION_BAD_RULE`: an unknown key or type, a key's value that it
 *   cannot have, a key that says nothing about this type, a range that nothing fits in
 */
export function parseRule(field: string, rule: unknown): ParsedRule {
  if (isStandardSchema(rule)) throw badRule(field, schemaProblem(field));
  if (!isRecord(rule)) throw notARule(field, rule);
  for (const [key, value] of Object.entries(rule)) {
    if (!ruleKeys.includes(key)) {
      // Where the rules of a source are not objects, they look like the keys of a rule for a field of that name.
      if (isNamedAsSource(field) && !isRecord(value) && !hasRuleKey(rule))
        throw notARule(key, value);
      const hint = nearestNames(key, ruleKeys, 99);
      throw badRule(field, `"${key}" is not a key of rules.${hint}${sourceHint(field)}`);
    }
  }
  const reader = new KeyReader(field, rule);
  const items = ownValue(rule, "items");
  const schema = reader.schema();
  const type = reader.type() ?? (items === undefined ? undefined : "array");
  const parsed: ParsedRule = {
    type: type ?? (schema === undefined ? undefined : "object"),
    required: reader.flag("required"),
    nullable: reader.flag("nullable"),
    allowEmpty: reader.flag("allowEmpty"),
    min: greater(reader.number("min"), reader.length("minLength")),
    max: lesser(reader.number("max"), reader.length("maxLength")),
    pattern: reader.pattern(),
    protocols: reader.protocols(),
    members: reader.members(),
    items,
    schema,
    fallback: reader.fallback(),
    message: reader.message(),
    custom: reader.custom(),
  };
  assertKeysSuitType(field, rule, parsed);
  assertFallback(field, parsed);
  return parsed;
}

function notARule(field: string, given: unknown): Error {
  const expected = 'a rule must be an object such as { type: "string", required: true }';
  return badRule(field, `${expected}, got ${describe(given)}.`);
}

function isNamedAsSource(field: string): boolean {
  return sources.some((source) => source === field);
}

function hasRuleKey(rule: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(rule).some(
    (key) => ruleKeys.includes(key) || findNearNames(key, ruleKeys).length > 0,
  );
}

/** Suggests a source for a misspelt one: `{ boddy: { title: … } }` declares a field named `boddy`. */
function sourceHint(field: string): string {
  const [source] = findNearNames(field, sources);
  if (source === undefined) return "";
  return (
    ` If the source "${source}" is meant: its name is spelled so, ` +
    `and each key beside it is one of ${sources.join(", ")}.`
  );
}

/** Describes a Standard Schema in place of a rule: for one field, or next to a misspelt source. */
function schemaProblem(field: string): string {
  return isNamedAsSource(field)
    ? `a schema is a source only where each key beside it is one of ${sources.join(", ")}.`
    : "a schema of a library is a whole source, { body: schema }, or the key of a rule, " +
        `{ schema }.${sourceHint(field)}`;
}

/** Reads the keys of one rule and checks their values. */
class KeyReader {
  readonly #field: string;
  readonly #rule: Readonly<Record<string, unknown>>;

  constructor(field: string, rule: Readonly<Record<string, unknown>>) {
    this.#field = field;
    this.#rule = rule;
  }

  flag(key: string): boolean {
    const value = ownValue(this.#rule, key);
    if (value === undefined || typeof value === "boolean") return value === true;
    throw this.#mustBe(key, "true or false");
  }

  number(key: string): number | undefined {
    const value = ownValue(this.#rule, key);
    if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return value;
    throw this.#mustBe(key, "a finite number");
  }

  length(key: string): number | undefined {
    const value = this.number(key);
    if (value === undefined || isLength(value)) return value;
    throw this.#mustBe(key, "0 or a positive integer");
  }

  type(): RuleType | undefined {
    const value = ownValue(this.#rule, "type");
    if (value === undefined || isRuleType(value)) return value;
    if (typeof value !== "string") throw this.#mustBe("type", 'the name of a type, as in "string"');
    const hint = nearestNames(value, Object.keys(valueTypes), 99);
    throw badRule(this.#field, `"${value}" is not a type.${hint}`);
  }

  pattern(): RegExp | undefined {
    const value = ownValue(this.#rule, "pattern");
    if (value === undefined) return undefined;
    if (!(value instanceof RegExp)) throw this.#mustBe("pattern", "a RegExp");
    // Copied, so that the lastIndex of a g or y pattern is not shared with the application.
    return new RegExp(value.source, value.flags);
  }

  protocols(): readonly string[] | undefined {
    const value = ownValue(this.#rule, "protocols");
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length > 0 && value.every(isProtocol)) {
      return value.map((name) => name.toLowerCase());
    }
    throw this.#mustBe("protocols", 'a list such as ["https", "ftp"], without colons');
  }

  members(): readonly EnumMember[] | undefined {
    const value = ownValue(this.#rule, "enum");
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length > 0 && value.every(isEnumMember)) return [...value];
    throw this.#mustBe("enum", "a list of at least one string, number, boolean or null");
  }

  schema(): Readonly<Record<string, unknown>> | StandardSchemaV1 | undefined {
    const value = ownValue(this.#rule, "schema");
    if (value === undefined || isStandardSchema(value) || isRecord(value)) return value;
    throw this.#mustBe("schema", "a map of rules or a Standard Schema");
  }

  fallback(): (() => unknown) | undefined {
    const value = ownValue(this.#rule, "default");
    if (value === undefined) return undefined;
    if (typeof value === "function") throw this.#mustBe("default", "a value, not a function");
    if (typeof value !== "object" || value === null || value instanceof Blob) return () => value;
    try {
      structuredClone(value);
    } catch {
      throw this.#mustBe("default", "a value that can be copied for each request");
    }
    // Copied per request, because a handler may mutate the value.
    return () => structuredClone(value);
  }

  message(): string | undefined {
    const value = ownValue(this.#rule, "message");
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    throw this.#mustBe("message", "a text");
  }

  custom(): Custom | undefined {
    const value = ownValue(this.#rule, "custom");
    if (value === undefined || isFunction(value)) return value;
    throw this.#mustBe("custom", "a function");
  }

  #mustBe(key: string, description: string): Error {
    return badRule(this.#field, `its "${key}" must be ${description}.`);
  }
}

/**
 * Rejects keys that have no meaning for the type, such as `max` of a boolean, which would check nothing.
 */
function assertKeysSuitType(
  field: string,
  rule: Readonly<Record<string, unknown>>,
  { type, min, max }: ParsedRule,
): void {
  const refuse = (key: string): never => {
    const hint = type === "array" ? ' Put it into "items" to check each element.' : "";
    throw badRule(field, `its "${key}" does not apply to the type "${type}".${hint}`);
  };
  const has = (key: string): boolean => ownValue(rule, key) !== undefined;
  if (has("items") && type !== "array") refuse("items");
  if (has("schema") && type !== "object") refuse("schema");
  if (has("protocols") && type !== "url") {
    throw badRule(field, 'its "protocols" applies only to the type "url".');
  }
  if (type !== undefined) {
    const { measure, isText } = valueTypes[type];
    const hasLength = measure === "text" || measure === "list";
    for (const key of ["min", "max"]) if (has(key) && measure === undefined) refuse(key);
    for (const key of ["minLength", "maxLength"]) if (has(key) && !hasLength) refuse(key);
    if (has("pattern") && !isText) refuse("pattern");
    if (has("allowEmpty") && !isText) refuse("allowEmpty");
    if (has("enum") && (type === "array" || type === "object" || type === "file")) refuse("enum");
    for (const [key, bound] of [["min", min] as const, ["max", max] as const]) {
      if (hasLength && bound !== undefined && !isLength(bound)) {
        throw badRule(field, `its "${key}" is a length, so it must be 0 or a positive integer.`);
      }
    }
  }
  if (min !== undefined && max !== undefined && min > max) {
    throw badRule(field, `its "min" (${min}) must not exceed its "max" (${max}).`);
  }
}

function assertFallback(field: string, rule: ParsedRule): void {
  const { fallback, type } = rule;
  if (fallback === undefined || type === undefined) return;
  const value = fallback();
  // A client's empty string counts as missing, but it is a sensible default.
  if (value === null || (value === "" && valueTypes[type].isText)) return;
  if (!isOfType(valueTypeOf(type, rule.protocols), value)) {
    throw badRule(field, `its "default" ${valueTypes[type].message}.`);
  }
}

function isLength(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isProtocol(value: unknown): value is string {
  return typeof value === "string" && /^[a-z][a-z\d+.-]*$/i.test(value);
}

function isEnumMember(value: unknown): value is EnumMember {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean"
  );
}

function isFunction(value: unknown): value is Custom {
  return typeof value === "function";
}

function greater(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function lesser(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
