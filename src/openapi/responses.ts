import { reasonPhrase } from "../http/status.ts";
import type { ResponseDocumentation, ResponseSchema } from "../routing/route.ts";
import type { RuleMap } from "../validation/rules.ts";
import type { JsonSchema } from "../validation/standard-json-schema.ts";
import { isStandardSchema, type StandardSchemaV1 } from "../validation/standard-schema.ts";
import {
  type DescribedRoute,
  hintOf,
  middlewareDocumentation,
  ruleSchemaOptions,
} from "./describe-context.ts";
import type { MediaTypeObject, ResponseObject } from "./document.ts";
import type { PathTemplate } from "./path-template.ts";
import { ruleFields } from "./route-input.ts";
import { fieldsSchema } from "./rule-schema.ts";
import { successPhrases } from "./success-phrases.ts";

/**
 * Returns the responses of an operation: those of the framework before the handler, those of middleware, and
 * those documented by the route.
 *
 * Without documented responses, 200 stands for success and `default` for any others.
 */
export function describeResponses(
  route: DescribedRoute,
  template: PathTemplate,
  hasBody: boolean,
): Readonly<Record<string, ResponseObject>> {
  const { components, record } = route;
  const problem = (description: string): ResponseObject => ({
    description,
    content: components.error(),
  });
  const responses = new Map<string, ResponseObject>();
  for (const documentation of middlewareDocumentation(route)) {
    for (const [status, said] of Object.entries(documentation.responses ?? {})) {
      const known = responses.get(status)?.description;
      // Two middleware may respond with the same status for different reasons.
      const description = known === undefined || known === said ? said : `${known} ${said}`;
      const isError = Number(status) >= 400;
      responses.set(status, isError ? problem(description) : { description });
    }
  }
  // Also without parameters and body: the query or the Host header may be malformed.
  responses.set("400", problem("The request is malformed."));
  if (template.isConstrained) responses.set("404", problem("No route matches the path."));
  if (hasBody && record.bodyParser !== false) {
    responses.set("413", problem("The body is too large."));
    responses.set("415", problem("The body's charset or encoding is not supported."));
  }
  if (route.input.size > 0) {
    const known = responses.get("422")?.description;
    const invalid = "A field of the request is invalid.";
    responses.set("422", {
      description: known === undefined ? invalid : `${invalid} ${known}`,
      content: components.validationError(),
    });
  }
  const own = Object.entries(record.documentation.responses ?? {});
  for (const [status, documentation] of own) {
    const response = ownResponse(status, documentation, route);
    responses.set(status, withTypes(response, responses.get(status)?.content));
  }
  if (own.length === 0) {
    if (route.isExact) {
      // An undocumented handler may use these statuses with any content.
      for (const [status, known] of responses) {
        responses.set(status, withTypes(known, { "*/*": {} }));
      }
    }
    responses.set("200", { description: "Success." });
    responses.set("default", { description: "Any other response of the handler." });
  }
  return Object.fromEntries([...responses].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Merges content types: the handler and the framework may use different ones for the same status. */
function withTypes(response: ResponseObject, content: ResponseObject["content"]): ResponseObject {
  // Without content any type is already allowed.
  if (response.content === undefined || content === undefined) return response;
  return { ...response, content: { ...content, ...response.content } };
}

function ownResponse(
  status: string,
  documentation: string | ResponseDocumentation,
  route: DescribedRoute,
): ResponseObject {
  const given = typeof documentation === "string" ? { description: documentation } : documentation;
  const code = Number(status);
  const description = given.description ?? successPhrases.get(code) ?? reasonPhrase(code);
  const media = mediaOf(given, route);
  if (media !== undefined) {
    return { description, content: { [given.type ?? "application/json"]: media } };
  }
  if (given.type !== undefined) return { description, content: { [given.type]: {} } };
  // An error without documented content is an HttpError, which the framework renders.
  const isError = Number(status) >= 400;
  if (!isError) return { description };
  return { description, content: route.components.error() };
}

function mediaOf(
  documentation: ResponseDocumentation,
  route: DescribedRoute,
): MediaTypeObject | undefined {
  const { example } = documentation;
  const schema = schemaOf(documentation, route);
  if (schema === undefined && example === undefined) return undefined;
  return {
    ...(schema === undefined ? {} : { schema }),
    ...(example === undefined ? {} : { example }),
  };
}

function schemaOf(
  { data, body, schema }: ResponseDocumentation,
  route: DescribedRoute,
): JsonSchema | undefined {
  const { record, components } = route;
  if (data !== undefined) {
    return {
      type: "object",
      properties: { success: { const: true }, data: valueSchema(data, route) },
      required: ["success", "data"],
    };
  }
  if (body !== undefined) return valueSchema(body, route);
  return schema === undefined ? undefined : components.response(schema, hintOf(record));
}

/** Converts rules, a Standard Schema, or a list of either. */
function valueSchema(schema: ResponseSchema, route: DescribedRoute): JsonSchema {
  if (isList(schema)) return { type: "array", items: valueSchema(schema[0], route) };
  const { record, components } = route;
  if (isStandardSchema(schema)) return components.response(schema, hintOf(record));
  const options = { ...ruleSchemaOptions(route, false), isExact: false };
  return fieldsSchema(ruleFields(schema), options);
}

function isList(schema: ResponseSchema): schema is readonly [RuleMap | StandardSchemaV1] {
  return Array.isArray(schema);
}
