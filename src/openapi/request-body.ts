import type { JsonSchema } from "../validation/standard-json-schema.ts";
import type { Components } from "./components.ts";
import { type DescribedRoute, ruleSchemaOptions, sourceSchema } from "./describe-context.ts";
import type { MediaTypeObject, RequestBodyObject } from "./document.ts";
import { fieldsSchema } from "./rule-schema.ts";

/** Returns the request body of a route; undefined if none is documented. */
export function describeRequestBody(route: DescribedRoute): RequestBodyObject | undefined {
  const { bodyTypes, examples } = route.record.documentation;
  const input = route.input.get("body");
  if (input === undefined && bodyTypes === undefined) return undefined;
  const schema = bodySchema(route);
  const media: MediaTypeObject = {
    schema,
    ...(examples === undefined ? {} : { examples: namedExamples(examples) }),
  };
  const { components } = route;
  const isForm = holdsFile(schema, components);
  const types = bodyTypes ?? [isForm ? "multipart/form-data" : "application/json"];
  return {
    required: demandsField(schema, components),
    content: Object.fromEntries(types.map((type) => [type, media])),
  };
}

function bodySchema(route: DescribedRoute): JsonSchema {
  const input = route.input.get("body");
  if (input === undefined) return {};
  const ofSchema = input.schema === undefined ? undefined : sourceSchema(input.schema, route);
  if (input.fields.size === 0) return ofSchema ?? {};
  const ofFields = fieldsSchema(input.fields, ruleSchemaOptions(route, false));
  const ofRules = route.isExact ? withoutNeedlessType(ofFields) : ofFields;
  return ofSchema === undefined ? ofRules : { allOf: [ofRules, ofSchema] };
}

/** Drops the type `object` where no field is required: any other body then counts as an empty object. */
function withoutNeedlessType(schema: JsonSchema): JsonSchema {
  if (schema["required"] !== undefined) return schema;
  const { type: _type, ...rest } = schema;
  return rest;
}

function namedExamples(
  examples: Readonly<Record<string, unknown>>,
): Readonly<Record<string, { readonly value: unknown }>> {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

function demandsField(schema: JsonSchema, components: Components): boolean {
  const { required, allOf } = components.resolve(schema);
  if (Array.isArray(required) && required.length > 0) return true;
  return Array.isArray(allOf) && allOf.some((part: JsonSchema) => demandsField(part, components));
}

/** Returns whether a schema contains a file, which only a multipart form can transmit. */
function holdsFile(schema: unknown, components: Components, seen = new Set<unknown>()): boolean {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return false;
  // Schemas may be recursive.
  seen.add(schema);
  const resolved = components.resolve(schema as JsonSchema);
  if (resolved !== schema) return holdsFile(resolved, components, seen);
  if (Reflect.get(schema, "format") === "binary") return true;
  return Object.values(schema).some((part) => holdsFile(part, components, seen));
}
