import type { JsonSchema } from "../../validation/standard-json-schema.ts";
import type { OpenApiDocument } from "../document.ts";

/** Maximum depth of displayed nested schemas, which may be recursive. */
export const deepestLevel = 5;

/** Resolves a schema that refers to another one. */
export function resolveSchema(schema: unknown, document: OpenApiDocument): JsonSchema {
  let current: unknown = schema;
  // References may be chained, or circular.
  for (let step = 0; step < 8; step += 1) {
    if (!isObject(current)) return {};
    const reference = current["$ref"];
    if (typeof reference !== "string") break;
    current = followPointer(reference, document);
  }
  if (!isObject(current)) return {};
  return Array.isArray(current["allOf"]) ? mergeAll(current, document) : current;
}

/** Merges the parts of an `allOf` into one schema, which is easier to read. */
function mergeAll(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  const { allOf, ...rest } = schema;
  const parts = (allOf as readonly unknown[]).map((part) => resolveSchema(part, document));
  const merged: Record<string, unknown> = Object.assign({}, ...parts, rest);
  const properties = Object.assign({}, ...parts.map((part) => part["properties"]));
  if (Object.keys(properties).length > 0) merged["properties"] = properties;
  const required = parts.flatMap((part) => requiredOf(part));
  if (required.length > 0) merged["required"] = required;
  return merged;
}

/** Returns the names of the required properties. */
export function requiredOf(schema: JsonSchema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.map(String) : [];
}

/** Returns the properties of an object schema. */
export function propertiesOf(schema: JsonSchema): readonly [string, unknown][] {
  return isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
}

function followPointer(reference: string, document: OpenApiDocument): unknown {
  let current: unknown = document;
  for (const part of reference.split("/").slice(1)) {
    if (!isObject(current)) return undefined;
    current = current[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return current;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
