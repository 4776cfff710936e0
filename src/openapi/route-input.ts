import type { RouteRecord } from "../routing/route.ts";
import { ruleValidator, type SourceDescription } from "../validation/compile.ts";
import { buildRuleTree, type RuleNode } from "../validation/rule-tree.ts";
import type { RouteValidation, Source } from "../validation/rules.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";

/** What a route demands of one source. */
export interface SourceInput {
  readonly fields: ReadonlyMap<string, RuleNode>;
  readonly schema: StandardSchemaV1 | undefined;
}

/** What a route demands, by source; empty when it checks nothing. */
export type RouteInput = ReadonlyMap<Source, SourceInput>;

/**
 * The merged rules of a route and of its controller, as the validation itself reads them.
 *
 * @param ofInstance the `schema` field of the controller's instances, where it is known
 * @throws EspalierError for rules that do not compile, as the route itself would at boot
 */
export function routeInput(
  record: RouteRecord,
  ofInstance: RouteValidation | undefined,
): RouteInput {
  const { handler } = record;
  const ofClass = "validation" in handler ? handler.validation : undefined;
  const own = [ofClass, ofInstance].filter((layer) => layer !== undefined);
  const compiled = ruleValidator([...own, ...record.validation], record);
  const input = new Map<Source, SourceInput>();
  for (const [source, described] of compiled?.describe() ?? []) {
    input.set(source, { fields: fieldsOf(described), schema: described.schema });
  }
  return input;
}

function fieldsOf({ rules }: SourceDescription): ReadonlyMap<string, RuleNode> {
  const ordered = [...rules].map(([name, rule], order) => [name, { rule, order }] as const);
  return buildRuleTree(new Map(ordered));
}
