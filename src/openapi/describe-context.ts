import type { BoundMiddleware } from "../pipeline/compose.ts";
import type { RouteRecord } from "../routing/route.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { Components } from "./components.ts";
import type { JsonSchema } from "./document.ts";
import type { RouteInput } from "./route-input.ts";
import type { RuleSchemaOptions } from "./rule-schema.ts";

/** One route, and all that its description is made of. */
export interface DescribedRoute {
  readonly record: RouteRecord;
  readonly input: RouteInput;
  /** Global, group and route middleware, in the order they run. */
  readonly middleware: readonly BoundMiddleware[];
  readonly components: Components;
  readonly isExact: boolean;
}

/** How the rules of one of its sources become schemas. */
export function ruleSchemaOptions(route: DescribedRoute, isText: boolean): RuleSchemaOptions {
  const { record, components, isExact } = route;
  return {
    isExact,
    isText,
    descriptions: record.documentation.fields ?? {},
    standard: (schema) => standardSchema(schema, record, components),
  };
}

/** A Standard Schema; what has to become a component is called after the route. */
export function standardSchema(
  schema: StandardSchemaV1,
  record: RouteRecord,
  components: Components,
): JsonSchema {
  const place = record.name ?? `${record.method.toLowerCase()}${record.pattern}`;
  return components.standard(schema, place);
}
