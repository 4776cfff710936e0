import { type JsonSchema, standardJsonSchema } from "./standard-json-schema.ts";
import type { StandardSchemaV1 } from "./standard-schema.ts";

const nothing: ReadonlySet<string> = /* @__PURE__ */ new Set();

/**
 * Returns the names of the properties that a schema declares as arrays. A form or a query cannot express a
 * list of one value: `?tags=a` is sent for both `"a"` and `["a"]`, and the schema decides which one is meant.
 *
 * Known for libraries that export JSON Schema, and for Valibot without its converter; otherwise empty.
 */
export function listProperties(schema: StandardSchemaV1): ReadonlySet<string> {
  const exported = standardJsonSchema(schema, "input");
  if (exported !== undefined) return namesOfLists(exported, exported);
  return schema["~standard"].vendor === "valibot" ? listEntries(schema) : nothing;
}

function namesOfLists(schema: JsonSchema, document: JsonSchema, level = 0): ReadonlySet<string> {
  const { properties, allOf, anyOf, oneOf } = follow(schema, document);
  const names = new Set<string>();
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (isList(property, document)) names.add(name);
  }
  if (level > 3) return names;
  for (const part of [allOf, anyOf, oneOf].filter(Array.isArray).flat()) {
    for (const name of namesOfLists(part, document, level + 1)) names.add(name);
  }
  return names;
}

/** Returns whether a schema allows arrays, and no value that a single string could be. */
function isList(schema: JsonSchema, document: JsonSchema, level = 0): boolean {
  const { type, allOf, anyOf, oneOf } = follow(schema, document);
  if (type === "array") return true;
  if (Array.isArray(type)) return type.every((one) => one === "array" || one === "null");
  if (level > 3) return false;
  const isListPart = (part: JsonSchema): boolean => isList(part, document, level + 1);
  if (Array.isArray(allOf)) return allOf.some(isListPart);
  const alternatives: unknown = anyOf ?? oneOf;
  if (!Array.isArray(alternatives)) return false;
  const values = alternatives.filter((part: JsonSchema) => part["type"] !== "null");
  return values.length > 0 && values.every(isListPart);
}

/** Follows a reference to a definition of the same document. */
function follow(schema: JsonSchema, document: JsonSchema): JsonSchema {
  const { $ref: reference } = schema;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return schema;
  let found: unknown = document;
  for (const part of reference.slice(2).split("/")) {
    if (typeof found !== "object" || found === null) return {};
    found = Reflect.get(found, decodeURIComponent(part));
  }
  return typeof found === "object" && found !== null ? (found as JsonSchema) : {};
}

const listTypes: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  "array",
  "tuple",
  "loose_tuple",
  "strict_tuple",
  "tuple_with_rest",
]);

/** Returns the names of a Valibot object's entries that are lists, also optional ones, in itself or its alternatives. */
function listEntries(schema: object): ReadonlySet<string> {
  const options: unknown = Reflect.get(schema, "options");
  if (Array.isArray(options)) return new Set(options.flatMap((part) => [...listEntries(part)]));
  const entries: unknown = Reflect.get(schema, "entries");
  if (typeof entries !== "object" || entries === null) return nothing;
  const lists = Object.entries(entries).filter(([, entry]) => listTypes.has(innermostType(entry)));
  return new Set(lists.map(([name]) => name));
}

function innermostType(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return undefined;
  const wrapped: unknown = Reflect.get(schema, "wrapped");
  return wrapped === undefined ? Reflect.get(schema, "type") : innermostType(wrapped);
}
