import type { JsonSchema } from "../../validation/standard-json-schema.ts";
import type { OpenApiDocument } from "../document.ts";
import { type Html, html } from "./html.ts";
import { deepestLevel, isObject, propertiesOf, requiredOf, resolveSchema } from "./schemas.ts";

/** Renders the fields of a schema as a list; undefined for a schema without fields. */
export function fieldList(schema: unknown, document: OpenApiDocument, level = 0): Html | undefined {
  const resolved = withFields(resolveSchema(schema, document), document);
  const properties = propertiesOf(resolved);
  if (properties.length === 0 || level >= deepestLevel) return undefined;
  const required = requiredOf(resolved);
  return html`<ul class="fields">${properties.map(([name, property]) =>
    fieldItem(name, property, required.includes(name), document, level),
  )}</ul>`;
}

function fieldItem(
  name: string,
  schema: unknown,
  isRequired: boolean,
  document: OpenApiDocument,
  level: number,
): Html {
  const { description } = resolveSchema(schema, document);
  return html`<li><code class="name">${name}</code>${typeLine(schema, isRequired, document)}${
    typeof description === "string" ? html`<p>${description}</p>` : undefined
  }${fieldList(schema, document, level + 1)}</li>`;
}

/** Renders the type of a value, if it is required, and its constraints. */
export function typeLine(schema: unknown, isRequired: boolean, document: OpenApiDocument): Html {
  const resolved = resolveSchema(schema, document);
  return html` <span class="type">${typeName(resolved, document)}</span>${
    isRequired ? html` <span class="required">required</span>` : undefined
  }${constraintsOf(withValues(resolved, document)).map(
    ([words, value]) =>
      html` <span class="constraint">${words}${
        value === undefined ? undefined : html` <code>${value}</code>`
      }</span>`,
  )}`;
}

/** Returns the type of a value in a few words: `string (email)`, `list of integer`, `object or null`. */
function typeName(schema: JsonSchema, document: OpenApiDocument, level = 0): string {
  const { type, format, items, enum: members } = schema;
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") {
    if (items === undefined || level >= deepestLevel) return "list";
    return `list of ${typeName(resolveSchema(items, document), document, level + 1)}`;
  }
  if (typeof type === "string") return typeof format === "string" ? `${type} (${format})` : type;
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(alternatives) && level < deepestLevel) {
    const names = alternatives.map((part) =>
      typeName(resolveSchema(part, document), document, level + 1),
    );
    return [...new Set(names)].join(" or ");
  }
  if (isObject(schema["properties"])) return "object";
  if (Array.isArray(members)) return "value";
  return "anything";
}

/** Returns each constraint as words, with an optional literal value. */
function constraintsOf(schema: JsonSchema): readonly (readonly [string, string?])[] {
  const { enum: members, const: constant, pattern, default: fallback } = schema;
  const constraints: (readonly [string, string?])[] = [
    range(schema, "minLength", "maxLength", "character"),
    range(schema, "minItems", "maxItems", "item"),
    range(schema, "minimum", "maximum", ""),
  ].filter((words) => words !== undefined);
  if (Array.isArray(members)) constraints.push(["one of", members.map(shown).join(", ")]);
  if (constant !== undefined) constraints.push(["always", shown(constant)]);
  if (typeof pattern === "string") constraints.push(["matches", pattern]);
  if (fallback !== undefined) constraints.push(["default", shown(fallback)]);
  return constraints;
}

function range(
  schema: JsonSchema,
  low: string,
  high: string,
  unit: string,
): readonly [string] | undefined {
  const least = schema[low];
  const most = schema[high];
  const counted = (count: number): string =>
    unit === "" ? `${count}` : `${count} ${unit}${count === 1 ? "" : "s"}`;
  // A minimum length of 1 is already expressed by "required".
  const isTrivial = low === "minLength" && (least === 1 || least === 0);
  if (typeof least === "number" && !isTrivial) {
    return [
      typeof most === "number" ? `${least} to ${counted(most)}` : `at least ${counted(least)}`,
    ];
  }
  return typeof most === "number" ? [`at most ${counted(most)}`] : undefined;
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** Returns the schema with fields: of an array its items, of alternatives the first that has any. */
function withFields(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  if (propertiesOf(schema).length > 0) return schema;
  const inner = schema["items"] ?? firstAlternative(schema);
  return inner === undefined ? schema : resolveSchema(inner, document);
}

/** Returns the schema with values: constraints and enum members may be inside alternatives. */
function withValues(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  const first = firstAlternative(schema);
  return first === undefined ? schema : { ...resolveSchema(first, document), ...schema };
}

function firstAlternative(schema: JsonSchema): unknown {
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(alternatives) ? alternatives[0] : undefined;
}
