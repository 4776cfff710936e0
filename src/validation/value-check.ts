import { ruleValidator } from "./compile.ts";
import { isRecord } from "./null-object.ts";
import type { RuleMap, ValidationRule } from "./rules.ts";
import { isStandardSchema, type StandardSchemaV1 } from "./standard-schema.ts";

/** Compares a JSON value with a schema. Resolves to the differences, each as `data.title: title is required`. */
export type ValueCheck = (value: unknown, path: string) => Promise<readonly string[]>;

/**
 * Compiles the check of a value that is sent: rules, a Standard Schema, or by `[schema]` a list of such values. A
 * field without a rule is a difference too.
 *
 * @throws EspalierError `ERR_VALIDATION_BAD_RULE`
 */
export function compileValueCheck(
  schema: RuleMap | StandardSchemaV1 | readonly [RuleMap | StandardSchemaV1],
): ValueCheck {
  if (isList(schema)) return compileListCheck(schema[0]);
  if (isStandardSchema(schema)) return compileSchemaCheck(schema);
  const compiled = ruleValidator([{ body: withEmptyStrings(schema) }], {
    method: "POST",
    parameters: [],
  });
  return async (value, path) => {
    if (!isRecord(value)) return [`${path}: must be an object`];
    const result = await compiled?.run(inputOf(value));
    if (result === undefined) return additionalFields(value, {}, path);
    if (!result.ok) {
      return result.errors.map(({ field, message }) => `${path}.${field}: ${message}`);
    }
    return additionalFields(value, (result.value as { readonly body: unknown }).body, path);
  };
}

function isList(schema: unknown): schema is readonly [RuleMap | StandardSchemaV1] {
  return Array.isArray(schema);
}

function compileListCheck(element: RuleMap | StandardSchemaV1): ValueCheck {
  const check = compileValueCheck(element);
  return async (value, path) => {
    if (!Array.isArray(value)) return [`${path}: must be an array`];
    const differences: string[] = [];
    for (const [index, item] of value.entries()) {
      differences.push(...(await check(item, `${path}.${index}`)));
    }
    return differences;
  };
}

function compileSchemaCheck(schema: StandardSchemaV1): ValueCheck {
  return async (value, path) => {
    const result = await schema["~standard"].validate(value);
    return (result.issues ?? []).map(({ message, path: within = [] }) => {
      const keys = within.map((part) => String(typeof part === "object" ? part.key : part));
      return `${[path, ...keys].join(".")}: ${message}`;
    });
  };
}

/** In input, `""` counts as a missing value of a required string; in a response it is a string. */
function withEmptyStrings(rules: RuleMap): RuleMap {
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, withEmpty(rule)]));
}

function withEmpty(rule: ValidationRule): ValidationRule {
  const { schema, items } = rule;
  return {
    ...rule,
    ...(rule.type === "string" ? { allowEmpty: true } : {}),
    ...(items === undefined ? {} : { items: withEmpty(items) }),
    ...(schema === undefined || isStandardSchema(schema)
      ? {}
      : { schema: withEmptyStrings(schema) }),
  } as ValidationRule;
}

/** Returns the fields that validation has omitted: those without a rule, and null for an optional field. */
function additionalFields(value: unknown, validated: unknown, path: string): readonly string[] {
  if (Array.isArray(value) && Array.isArray(validated)) {
    return value.flatMap((item, index) =>
      additionalFields(item, validated[index], `${path}.${index}`),
    );
  }
  if (!isRecord(value) || !isRecord(validated)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}.${name}`;
    if (Object.hasOwn(validated, name)) return additionalFields(member, validated[name], at);
    return member === null ? [`${at}: must not be null`] : [`${at}: is not declared`];
  });
}

function inputOf(
  body: unknown,
): Parameters<NonNullable<ReturnType<typeof ruleValidator>>["run"]>[0] {
  return {
    method: "POST",
    params: {},
    query: {},
    queries: () => [],
    headers: new Headers(),
    body,
    bodyKind: "json",
    context: undefined,
  };
}
