import type { BoundMiddleware } from "../pipeline/compose.ts";
import type { RouteRecord } from "../routing/route.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { Components } from "./components.ts";
import type { JsonSchema } from "./document.ts";
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

/** Returns the options for converting the rules of one source to schemas. */
export function ruleSchemaOptions(route: DescribedRoute, isText: boolean): RuleSchemaOptions {
  const { record, components, isExact } = route;
  return {
    isExact,
    isText,
    descriptions: record.documentation.fields ?? {},
    standard: (schema) => standardSchema(schema, record, components),
  };
}

/** Converts a Standard Schema; the route determines the name of a component. */
export function standardSchema(
  schema: StandardSchemaV1,
  record: RouteRecord,
  components: Components,
): JsonSchema {
  const place = record.name ?? `${record.method.toLowerCase()}${record.pattern}`;
  return components.standard(schema, place);
}
