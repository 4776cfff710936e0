import type { JsonSchema } from "../../validation/standard-json-schema.ts";
import type { MediaTypeObject, OpenApiDocument } from "../document.ts";
import { deepestLevel, isObject, propertiesOf, resolveSchema } from "./schemas.ts";

const samples: Readonly<Record<string, string>> = {
  email: "ada@example.com",
  uri: "https://example.com/",
  uuid: "0b0f8a52-6f0e-4c52-9a53-0d2f6c6d3c11",
  date: "2024-02-29",
  "date-time": "2024-02-29T12:30:00Z",
  binary: "(file)",
};

/** Returns an example body: a documented one, else one generated from the schema. */
export function sampleOfMedia(media: MediaTypeObject, document: OpenApiDocument): unknown {
  if (media.example !== undefined) return media.example;
  const [first] = Object.values(media.examples ?? {});
  return first === undefined ? sampleOf(media.schema, document) : first.value;
}

/** Generates a value that is valid for a schema, as far as possible; patterns are not supported. */
export function sampleOf(schema: unknown, document: OpenApiDocument, level = 0): unknown {
  const resolved = resolveSchema(schema, document);
  const said = saidValue(resolved);
  if (said !== undefined) return said;
  const alternatives = resolved["anyOf"] ?? resolved["oneOf"];
  if (Array.isArray(alternatives) && resolved["type"] === undefined) {
    return sampleOf(alternatives[0], document, level);
  }
  switch (typeOf(resolved)) {
    case "object":
      return sampleObject(resolved, document, level);
    case "array":
      return level >= deepestLevel ? [] : [sampleOf(resolved["items"], document, level + 1)];
    case "integer":
    case "number":
      return typeof resolved["minimum"] === "number" && resolved["minimum"] > -1e15
        ? resolved["minimum"]
        : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return sampleText(resolved);
  }
}

function saidValue(schema: JsonSchema): unknown {
  const { const: constant, examples, example, default: fallback, enum: members } = schema;
  if (constant !== undefined) return constant;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (example !== undefined) return example;
  if (fallback !== undefined) return fallback;
  return Array.isArray(members) ? members[0] : undefined;
}

function typeOf(schema: JsonSchema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type[0];
  return type ?? (isObject(schema["properties"]) ? "object" : undefined);
}

function sampleObject(schema: JsonSchema, document: OpenApiDocument, level: number): object {
  if (level >= deepestLevel) return {};
  const sample: Record<string, unknown> = Object.create(null);
  for (const [name, property] of propertiesOf(schema)) {
    sample[name] = sampleOf(property, document, level + 1);
  }
  return sample;
}

function sampleText(schema: JsonSchema): string {
  const { format, minLength } = schema;
  const known = typeof format === "string" ? samples[format] : undefined;
  if (known !== undefined) return known;
  const alternatives = schema["anyOf"];
  if (Array.isArray(alternatives) && isObject(alternatives[0])) return sampleText(alternatives[0]);
  return "string".padEnd(typeof minLength === "number" ? Math.min(minLength, 40) : 0, "…");
}
