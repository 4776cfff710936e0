import type { RuleNode } from "../validation/rule-tree.ts";
import type { JsonSchema } from "../validation/standard-json-schema.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import {
  type DescribedRoute,
  middlewareDocumentation,
  ruleSchemaOptions,
  sourceSchema,
} from "./describe-context.ts";
import type { ParameterObject } from "./document.ts";
import type { PathTemplate, TemplateParameter } from "./path-template.ts";
import { fieldSchema, isRequired } from "./rule-schema.ts";

/** Header parameters that OpenAPI ignores, because other parts of the document describe them. */
const describedElsewhere: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "authorization",
]);

/**
 * Returns the parameters of an operation: path parameters, then query parameters, then headers.
 *
 * @param names names of the path parameters in the document
 */
export function describeParameters(
  route: DescribedRoute,
  template: PathTemplate,
  names: readonly string[],
): readonly ParameterObject[] {
  const ofPath = template.parameters.map((parameter, index) =>
    pathParameter(route, parameter, names[index] ?? parameter.name),
  );
  const ofHeaders = sourceParameters(route, "headers", "header").filter(
    ({ name }) => !describedElsewhere.has(name.toLowerCase()),
  );
  const known = new Set(ofHeaders.map(({ name }) => name.toLowerCase()));
  const ofMiddleware = middlewareHeaders(route).filter(
    ({ name }) => !known.has(name.toLowerCase()),
  );
  const ofQuery = sourceParameters(route, "query", "query");
  return [...ofPath, ...ofQuery, ...ofHeaders, ...ofMiddleware];
}

/** Returns the headers that middleware reads; a rule of the route for the same header takes precedence. */
function middlewareHeaders(route: DescribedRoute): readonly ParameterObject[] {
  const headers = middlewareDocumentation(route).flatMap((documentation) =>
    Object.entries(documentation.headers ?? {}),
  );
  return [...new Map(headers)].map(([name, { description, required = false }]) => {
    return { name, in: "header", required, description, schema: { type: "string" } };
  });
}

function pathParameter(
  route: DescribedRoute,
  parameter: TemplateParameter,
  name: string,
): ParameterObject {
  const schema = pathSchema(route, parameter);
  const { description, ...rest } = schema;
  const said =
    description ??
    ownDescription(route, parameter.name) ??
    (parameter.isWildcard ? "The rest of the path; it may contain slashes." : undefined);
  return {
    name,
    in: "path",
    required: true,
    ...(typeof said === "string" ? { description: said } : {}),
    schema: rest,
  };
}

function pathSchema(route: DescribedRoute, parameter: TemplateParameter): JsonSchema {
  const ruled = ruledPathSchema(route, parameter.name);
  const { pattern, isWildcard } = parameter;
  const schema: JsonSchema = ruled ?? { type: "string" };
  const { type } = route.components.resolve(schema);
  const isFreeText = schema["type"] === "string" && schema["enum"] === undefined;
  // A segment is never empty; the rest of a path may be.
  const filled = isFreeText && !isWildcard ? { ...schema, minLength: minLength(schema) } : schema;
  // The pattern of the text says nothing about the number: both together would allow no value.
  if (pattern === undefined || (typeof type === "string" && type !== "string")) return filled;
  if (filled["pattern"] === undefined && isFreeText) return { ...filled, pattern };
  return { allOf: [filled, { type: "string", pattern }] };
}

function ruledPathSchema(route: DescribedRoute, name: string): JsonSchema | undefined {
  const source = route.input.get("params");
  const field = source?.fields.get(name);
  if (field !== undefined) {
    // Path parameters are always present, so variants for missing values are irrelevant.
    return fieldSchema(field, { ...ruleSchemaOptions(route, true), isExact: false });
  }
  if (source?.schema === undefined) return undefined;
  return propertiesOf(wholeSource(route, source.schema)).get(name);
}

/** Returns the schema of a source, whose properties are parameters. */
function wholeSource(route: DescribedRoute, schema: StandardSchemaV1): JsonSchema {
  return route.components.resolve(sourceSchema(schema, route));
}

function minLength(schema: JsonSchema): number {
  const given = schema["minLength"];
  return typeof given === "number" ? Math.max(1, given) : 1;
}

function sourceParameters(
  route: DescribedRoute,
  source: "query" | "headers",
  place: "query" | "header",
): readonly ParameterObject[] {
  const input = route.input.get(source);
  if (input === undefined) return [];
  const ofRules = [...input.fields.values()]
    .flatMap(leaves)
    .map((field) => fieldParameter(route, field, place));
  if (input.schema === undefined) return ofRules;
  const schema = wholeSource(route, input.schema);
  return [...ofRules, ...schemaParameters(route, schema, source, place)];
}

/** Returns the leaves of a nested field, which a source of strings addresses by dotted names. */
function leaves(field: RuleNode): readonly RuleNode[] {
  return field.properties.size === 0 ? [field] : [...field.properties.values()].flatMap(leaves);
}

function fieldParameter(
  route: DescribedRoute,
  field: RuleNode,
  place: "query" | "header",
): ParameterObject {
  const { description, ...schema } = fieldSchema(field, ruleSchemaOptions(route, true));
  return {
    name: field.name,
    in: place,
    required: isRequired(field),
    ...(typeof description === "string" ? { description } : {}),
    schema,
  };
}

function schemaParameters(
  route: DescribedRoute,
  schema: JsonSchema,
  source: string,
  place: "query" | "header",
): readonly ParameterObject[] {
  const properties = propertiesOf(schema);
  if (properties.size === 0) {
    // An exploded object becomes one parameter per member.
    const exploded = place === "query" ? { style: "form", explode: true } : {};
    return [{ name: source, in: place, ...exploded, schema }];
  }
  const required: unknown = schema["required"];
  return [...properties].map(([name, property]) => {
    const description = ownDescription(route, name);
    return {
      name,
      in: place,
      required: Array.isArray(required) && required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: property,
    };
  });
}

function propertiesOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const { properties } = schema;
  if (typeof properties !== "object" || properties === null) return new Map();
  return new Map(Object.entries(properties as Readonly<Record<string, JsonSchema>>));
}

function ownDescription({ record }: DescribedRoute, name: string): string | undefined {
  const { fields = {} } = record.documentation;
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
