import type { BoundMiddleware } from "../pipeline/compose.ts";
import type { MiddlewareDocumentation } from "../pipeline/middleware.ts";
import type { RouteRecord } from "../routing/route.ts";
import type { JsonSchema } from "../validation/standard-json-schema.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { Components } from "./components.ts";
import type { RouteInput } from "./route-input.ts";
import type { RuleSchemaOptions } from "./rule-schema.ts";

/** A route with the context for its documentation. */
export interface DescribedRoute {
  readonly record: RouteRecord;
  readonly input: RouteInput;
  /** Global, group and route middleware, in execution order. */
  readonly middleware: readonly BoundMiddleware[];
  readonly components: Components;
  readonly isExact: boolean;
}

/** Returns the documentation of the middleware that applies to the method of a route, in execution order. */
export function middlewareDocumentation({
  middleware,
  record,
}: DescribedRoute): readonly MiddlewareDocumentation[] {
  return middleware
    .flatMap(({ metadata: { documentation } }) => documentation ?? [])
    .filter(({ methods }) => methods === undefined || methods.includes(record.method));
}

/** Returns the options for converting the rules of one source to schemas. */
export function ruleSchemaOptions(route: DescribedRoute, isText: boolean): RuleSchemaOptions {
  const { record, components, isExact } = route;
  return {
    isExact,
    isText,
    descriptions: record.documentation.fields ?? {},
    standard: (schema) => components.request(schema, hintOf(record)),
  };
}

/** Returns a name for the components of a route whose schemas have none. */
export function hintOf({ name, method, pattern }: RouteRecord): string {
  return name ?? `${method.toLowerCase()}${pattern}`;
}

/** Returns the JSON Schema of a source that a Standard Schema validates. */
export function sourceSchema(schema: StandardSchemaV1, route: DescribedRoute): JsonSchema {
  return route.components.request(schema, hintOf(route.record));
}
