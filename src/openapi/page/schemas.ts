import type { JsonSchema, OpenApiDocument } from "../document.ts";

/** How deep nested schemas are shown: one may contain itself. */
export const deepestLevel = 5;

/** The schema itself, where another one refers to it. */
export function resolveSchema(schema: unknown, document: OpenApiDocument): JsonSchema {
  let current: unknown = schema;
  // A reference may lead to another one, and in the end to itself.
  for (let step = 0; step < 8; step += 1) {
    if (!isObject(current)) return {};
    const reference = current["$ref"];
    if (typeof reference !== "string") break;
    current = followPointer(reference, document);
  }
  if (!isObject(current)) return {};
  return Array.isArray(current["allOf"]) ? mergeAll(current, document) : current;
}

/** The parts of an `allOf` as one schema, which is how people think of it. */
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

/** The names of the properties that have to be there. */
export function requiredOf(schema: JsonSchema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.map(String) : [];
}

/** The properties of an object's schema. */
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
