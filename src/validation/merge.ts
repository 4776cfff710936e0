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

/** All that is to be checked of one source. */
export interface MergedSource {
  readonly rules: Map<string, OrderedRule>;
  /** Checked as well as the rules. */
  schema: StandardSchemaV1 | undefined;
  schemaOrder: number;
}

/** Layers made one. */
export interface MergedLayers {
  /** False as soon as one layer names its sources: then the result is by source too. */
  readonly isFlat: boolean;
  readonly sources: ReadonlyMap<Source, MergedSource>;
}

const SOURCES: readonly Source[] = ["params", "query", "body", "headers"];

/**
 * Makes one of what a controller, groups and a route demand: fields of all are united, and of two
 * rules for a field the later one stands, whole, in the place of the earlier.
 *
 * A Standard Schema cannot be taken apart: it is checked beside the rules of its source, and only
 * another schema replaces it.
 *
 * @param parameters names that come from the path
 * @param payload where fields come from that are not in the path
 * @throws EspalierError `ERR_VALIDATION_BAD_RULE` for a layer that is none of these, and for a path
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
      for (const source of SOURCES) merger.addSource(source, layer[source]);
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

/** A parameter that is misspelt would be missing in every request, and each of them answered 422. */
function refuseUnknownParameters(
  params: MergedSource | undefined,
  parameters: readonly string[],
): void {
  for (const [field, { rule }] of params?.rules ?? []) {
    const isDemanded = isRecord(rule) && rule["required"] === true && rule["default"] === undefined;
    if (!isDemanded || field.includes(".") || parameters.includes(field)) continue;
    const names = parameters.length === 0 ? " The path has none." : nearestNames(field, parameters);
    throw badRule(field, `it is required, and the path has no parameter "${field}".${names}`);
  }
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

/**
 * Whether a layer names its sources, rather than having fields that are called `body` or `query`.
 */
function isSourceMap(layer: LooseRouteValidation): layer is LooseSourceMap {
  if (!isRecord(layer)) return false;
  const entries = Object.entries(layer).filter(([, value]) => value !== undefined);
  const names: readonly string[] = SOURCES;
  const isSource = ([name, value]: [string, unknown]): boolean =>
    names.includes(name) && (isStandardSchema(value) || isRuleMap(value));
  return entries.length > 0 && entries.every(isSource);
}

/**
 * Whether `value` is a map of rules and not a rule: a rule says something with a text, a number or
 * a flag, or its `schema` is a map itself, where a field called `schema` would have a rule.
 */
function isRuleMap(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const isObject = (rule: unknown): boolean => isRecord(rule) && !isStandardSchema(rule);
  if (!Object.values(value).every(isObject)) return false;
  const nested = Object.values(ownValue(value, "schema") ?? {});
  return nested.length === 0 || !nested.every(isObject);
}
