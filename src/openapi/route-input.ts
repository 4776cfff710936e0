import type { RouteRecord } from "../routing/route.ts";
import { ruleValidator, type SourceDescription } from "../validation/compile.ts";
import { buildRuleTree, type RuleNode } from "../validation/rule-tree.ts";
import type { RouteValidation, RuleMap, Source } from "../validation/rules.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";

/** Validated input of one source. */
export interface SourceInput {
  readonly fields: ReadonlyMap<string, RuleNode>;
  readonly schema: StandardSchemaV1 | undefined;
}

/** Validated input by source; empty for a route without rules. */
export type RouteInput = ReadonlyMap<Source, SourceInput>;

/**
 * Returns the merged rules of a route and its controller, as the validator reads them.
 *
 * @param ofInstance the `schema` field of controller instances, if available
 * @throws EspalierError for rules that do not compile, as at boot
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

/** Returns the fields of rules that describe a response. */
export function ruleFields(rules: RuleMap): ReadonlyMap<string, RuleNode> {
  const compiled = ruleValidator([{ body: rules }], { method: "POST", parameters: [] });
  const described = compiled?.describe().get("body");
  return described === undefined ? new Map() : fieldsOf(described);
}

function fieldsOf({ rules }: SourceDescription): ReadonlyMap<string, RuleNode> {
  const ordered = [...rules].map(([name, rule], order) => [name, { rule, order }] as const);
  return buildRuleTree(new Map(ordered));
}
