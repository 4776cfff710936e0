import { coercionOf } from "./coerce.ts";
import { createConstraints } from "./constraints.ts";
import { runCustom } from "./custom.ts";
import { isRecord, NullObject, ownValue } from "./null-object.ts";
import type { ParsedRule } from "./parse-rule.ts";
import type { RuleNode } from "./rule-tree.ts";
import type { RuleType } from "./rules.ts";
import { checkNestedSchema } from "./source-schema.ts";
import type { ValidationRun } from "./validation-run.ts";
import { valueTypeOf } from "./value-types.ts";

/**
 * Checks the raw value of one field and returns its validated value. Returns undefined for a missing
 * field, and for an invalid one, whose error is recorded in `run`.
 */
export type Check = (raw: unknown, run: ValidationRun) => unknown;

/** A field under its last name segment, with its check. */
export interface Property {
  readonly name: string;
  readonly field: RuleNode;
  readonly check: Check;
}

const noRule: Partial<ParsedRule> = {};
const nothingSent: Readonly<Record<string, unknown>> = Object.freeze({});

/** Compiles the checks of sibling fields. */
export function compileProperties(fields: ReadonlyMap<string, RuleNode>): readonly Property[] {
  return [...fields].map(([name, field]) => ({
    name,
    field,
    check: compilePresence(field, compileValue(field)),
  }));
}

/** Handles a missing field (null, default, required); `checkValue` sees present values only. */
function compilePresence(field: RuleNode, checkValue: Check): Check {
  const { required = false, nullable = false, allowEmpty = false, fallback } = field.rule ?? noRule;
  const isFile = field.rule?.type === "file";
  const isDemanded = field.isOnPath && field.properties.size > 0;
  // A form cannot send null: a cleared input is sent as the empty string.
  const canBeEmptied = nullable && !required && fallback === undefined;

  return function checkPresence(raw, run) {
    if (raw === "" && allowEmpty) return "";
    // An optional field of JSON keeps "": the client has said so, and could have said null.
    const isEmpty = raw === "" && (required || run.isText);
    const isThere = raw !== undefined && raw !== null && !isEmpty;
    if (isThere && !(isFile && isUnfilled(raw))) return checkValue(raw, run);
    if (raw === null && nullable) return null;
    if (raw === "" && canBeEmptied && run.isText) return null;
    if (fallback !== undefined) return fallback();
    if (required) return run.fail(field, "is required");
    if (!isDemanded) return undefined;
    // `address.city` may be required or have a default although `address` itself is optional.
    const value = checkValue(nothingSent, run);
    return isRecord(value) && Object.keys(value).length > 0 ? value : undefined;
  };
}

/**
 * Compiles the check of an array element. An element counts as present even if it is null or `""`:
 * its type decides, unless the rule has `required` or a default.
 */
function compileElement(field: RuleNode): Check {
  const checkValue = compileValue(field);
  const { required = false, nullable = false, fallback } = field.rule ?? noRule;
  if (required || fallback !== undefined) return compilePresence(field, checkValue);
  return (raw, run) => (raw === null && nullable ? null : checkValue(raw, run));
}

/** Checks type, constraints, nested fields and `custom`, in this order; reports the first failure only. */
function compileValue(field: RuleNode): Check {
  const rule = field.rule;
  const type = rule?.type ?? impliedType(field);
  const coerce = coercionOf(type ?? memberType(rule));
  const valueType = type === undefined ? undefined : valueTypeOf(type, rule?.protocols);
  const accepts = valueType?.accepts;
  const isAnyText = valueType !== undefined && accepts === undefined;
  const constraints = rule === undefined ? [] : createConstraints(rule);
  const checkInside = compileInside(field);
  const custom = rule?.custom;

  return function checkValue(raw, run) {
    const value = coerce !== undefined && run.isText ? coerce(raw) : raw;
    const isOfType = isAnyText ? typeof value === "string" : (accepts?.(value) ?? true);
    if (!isOfType) return run.fail(field, valueType?.message ?? "");
    for (const constraint of constraints) {
      const problem = constraint(value);
      if (problem !== undefined) return run.fail(field, problem);
    }
    if (checkInside === undefined) {
      return custom === undefined ? value : runCustom(custom, value, field, run);
    }
    const failuresBefore = run.failureCount;
    const inside = checkInside(value, run);
    const isValid = run.failureCount === failuresBefore;
    return custom === undefined || !isValid ? inside : runCustom(custom, inside, field, run);
  };
}

function compileInside(field: RuleNode): Check | undefined {
  if (field.element !== undefined) return compileList(field.element);
  if (field.properties.size > 0) return compileRecord(field);
  const { schema } = field;
  return schema && ((value, run) => checkNestedSchema(schema, value, field, run));
}

function compileList(element: RuleNode): Check {
  const check = compileElement(element);
  const depth = element.segments.filter((segment) => segment === "*").length - 1;

  return function checkList(value, run) {
    if (!Array.isArray(value)) return undefined;
    const values: unknown[] = [];
    for (let index = 0; index < value.length && !run.isFull; index += 1) {
      run.indexes[depth] = index;
      const raw: unknown = value[index];
      values.push(check(raw, run));
    }
    return values;
  };
}

function compileRecord(field: RuleNode): Check {
  const properties = compileProperties(field.properties);

  return function checkRecord(value, run) {
    if (!isRecord(value)) return undefined;
    const values = new NullObject();
    for (const { name, check } of properties) {
      const checked = check(ownValue(value, name), run);
      if (checked !== undefined) values[name] = checked;
    }
    return values;
  };
}

function impliedType(field: RuleNode): RuleType | undefined {
  if (field.element !== undefined) return "array";
  return field.properties.size > 0 || field.schema !== undefined ? "object" : undefined;
}

/** Returns the common type of an untyped `enum`'s members, for coercion: the page 2 is sent as "2". */
function memberType(rule: ParsedRule | undefined): RuleType | undefined {
  const types = new Set(rule?.members?.map((member) => typeof member));
  if (types.size !== 1) return undefined;
  return types.has("number") ? "number" : types.has("boolean") ? "boolean" : undefined;
}

/**
 * Recognises an empty file input, for which browsers send a file without name and content. With Bun's
 * parser, such a file has an undefined name.
 */
function isUnfilled(value: unknown): boolean {
  return value instanceof File && value.size === 0 && !value.name;
}
