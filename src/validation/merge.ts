import { nearestNames } from "../util/nearest-names.ts";
import { badRule } from "./bad-rule.ts";
import { isRecord, ownValue } from "./null-object.ts";
import type { OrderedRule } from "./rule-tree.ts";
import type {
  LooseRouteValidation,
  LooseRule,
  LooseRuleMap,
  LooseSourceMap,
  Source,
} from "./rules.ts";
import { isStandardSchema, type StandardSchemaV1 } from "./standard-schema.ts";

/** The merged rules and schema of one source. */
export interface MergedSource {
  readonly rules: Map<string, OrderedRule>;
  /** Checked in addition to the rules. */
  schema: StandardSchemaV1 | undefined;
  schemaOrder: number;
}

/** The result of merging all layers. */
export interface MergedLayers {
  /** False if any layer names its sources: then the result is grouped by source too. */
  readonly isFlat: boolean;
  readonly sources: ReadonlyMap<Source, MergedSource>;
}

const sourceNames: readonly Source[] = ["params", "query", "body", "headers"];

/**
 * Merges the validation of a controller, its groups and its route. The fields of all layers are combined;
 * a later rule for the same field replaces the earlier one entirely, in its position.
 *
 * A Standard Schema cannot be merged: it is checked in addition to the rules of its source, and only
 * another schema replaces it.
 *
 * @param parameters names of the path parameters
 * @param payload source of the fields that are not path parameters
 * @throws EspalierError `ERR_VALIDATION_BAD_RULE` for a layer of another type, and for a path
 *   parameter that is required and that the path does not have
 */
export function mergeLayers(
  layers: readonly LooseRouteValidation[],
  parameters: readonly string[],
  payload: "query" | "body",
): MergedLayers {
  const merger = new Merger();
  let isFlat = true;
  for (const layer of layers) {
    if (isStandardSchema(layer)) merger.addSchema(payload, layer);
    else if (isSourceMap(layer)) {
      isFlat = false;
      for (const source of sourceNames) merger.addSource(source, layer[source]);
    } else if (isRecord(layer)) {
      for (const [field, rule] of Object.entries(layer)) {
        merger.addRule(parameters.includes(field) ? "params" : payload, field, rule);
      }
    } else {
      throw badRule("validation", "it is neither a map of rules nor a Standard Schema.");
    }
  }
  refuseUnknownParameters(merger.sources.get("params"), parameters);
  return { isFlat, sources: merger.sources };
}

/** Rejects a misspelt parameter at boot: it would be missing in every request, each ending in a 422. */
function refuseUnknownParameters(
  params: MergedSource | undefined,
  parameters: readonly string[],
): void {
  for (const [field, { rule }] of params?.rules ?? []) {
    if (!isDemanded(rule) || field.includes(".") || parameters.includes(field)) continue;
    const names = parameters.length === 0 ? " The path has none." : nearestNames(field, parameters);
    throw badRule(field, `it is required, and the path has no parameter "${field}".${names}`);
  }
}

/** Returns whether a request without the field fails. */
export function isDemanded(rule: LooseRule): boolean {
  return isRecord(rule) && rule["required"] === true && rule["default"] === undefined;
}

class Merger {
  readonly sources: Map<Source, MergedSource> = new Map();
  #order = 0;

  addSource(name: Source, content: LooseRuleMap | StandardSchemaV1 | undefined): void {
    if (content === undefined) return;
    if (isStandardSchema(content)) this.addSchema(name, content);
    else {
      this.#source(name);
      for (const [field, rule] of Object.entries(content)) this.addRule(name, field, rule);
    }
  }

  addSchema(name: Source, schema: StandardSchemaV1): void {
    const source = this.#source(name);
    source.schema = schema;
    source.schemaOrder = this.#nextOrder();
  }

  addRule(name: Source, field: string, rule: LooseRule): void {
    const { rules } = this.#source(name);
    rules.set(field, { rule, order: rules.get(field)?.order ?? this.#nextOrder() });
  }

  #source(name: Source): MergedSource {
    const known = this.sources.get(name);
    if (known !== undefined) return known;
    const created: MergedSource = { rules: new Map(), schema: undefined, schemaOrder: 0 };
    this.sources.set(name, created);
    return created;
  }

  #nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }
}

/** Returns whether a layer is a map of sources, rather than rules of fields named `body` or `query`. */
function isSourceMap(layer: LooseRouteValidation): layer is LooseSourceMap {
  if (!isRecord(layer)) return false;
  const entries = Object.entries(layer).filter(([, value]) => value !== undefined);
  const names: readonly string[] = sourceNames;
  const isSource = ([name, value]: [string, unknown]): boolean =>
    names.includes(name) && (isStandardSchema(value) || isRuleMap(value));
  return entries.length > 0 && entries.every(isSource);
}

/**
 * Returns whether `value` is a map of rules and not a rule: a rule has a key with a string, number or
 * boolean value, or its `schema` is itself a map, whereas a field named `schema` would have a rule.
 */
function isRuleMap(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const isObject = (rule: unknown): boolean => isRecord(rule) && !isStandardSchema(rule);
  if (!Object.values(value).every(isObject)) return false;
  const nested = Object.values(ownValue(value, "schema") ?? {});
  return nested.length === 0 || !nested.every(isObject);
}
