import { badRule } from "./bad-rule.ts";
import { type ParsedRule, parseRule } from "./parse-rule.ts";
import type { LooseRule } from "./rules.ts";
import { isStandardSchema, type StandardSchemaV1 } from "./standard-schema.ts";

/** A field and its nested fields. Dotted names, `schema` and `items` all build this tree. */
export interface RuleNode {
  /** The full name, with `*` for an index: `items.*.id`. */
  readonly name: string;
  readonly segments: readonly string[];
  /** Position of the rule that created it, which determines the position of its errors. */
  readonly order: number;
  /** Undefined if the field occurs only as a parent in longer names. */
  rule: ParsedRule | undefined;
  /** True if it is a parent in a dotted name, which may require it although it is optional itself. */
  isOnPath: boolean;
  readonly properties: Map<string, RuleNode>;
  element: RuleNode | undefined;
  schema: StandardSchemaV1 | undefined;
}

/** An unparsed rule with its position among all rules. */
export interface OrderedRule {
  readonly rule: LooseRule;
  readonly order: number;
}

/** Maximum nesting of fields. Checks recurse along the rules only, never deeper into a client's input. */
const maxDepth = 32;

/**
 * Builds the tree of fields that `rules` describe, by the first segment of their names.
 *
 * @throws EspalierError `ERR_VALIDATION_BAD_RULE`: a rule that does not parse, a name with an empty
 *   segment, a field that would have to be two things at once, more than 32 levels (which is also
 *   what a rule that contains itself comes to)
 */
export function buildRuleTree(rules: ReadonlyMap<string, OrderedRule>): Map<string, RuleNode> {
  const root = createField([], 0);
  for (const [name, { rule, order }] of rules) addField(root, name, rule, order);
  for (const field of root.properties.values()) assertOneShape(field);
  return root.properties;
}

function createField(segments: readonly string[], order: number): RuleNode {
  return {
    name: segments.join("."),
    segments,
    order,
    rule: undefined,
    isOnPath: false,
    properties: new Map(),
    element: undefined,
    schema: undefined,
  };
}

function addField(parent: RuleNode, name: string, rule: unknown, order: number): void {
  let field = parent;
  for (const segment of name.split(".")) {
    if (field !== parent) field.isOnPath = true;
    field = childOf(field, segment, order);
    if (segment === "" || (segment === "*" && field.segments.length === 1)) {
      throw badRule(name, "a name is made of parts joined by dots, such as address.city or ids.*.");
    }
  }
  setRule(field, rule, order);
}

function childOf(parent: RuleNode, segment: string, order: number): RuleNode {
  const known = segment === "*" ? parent.element : parent.properties.get(segment);
  if (known !== undefined) return known;
  const child = createField([...parent.segments, segment], order);
  if (child.segments.length > maxDepth) {
    throw badRule(parent.name, `it nests deeper than ${maxDepth} levels, or contains itself.`);
  }
  if (segment === "*") parent.element = child;
  else parent.properties.set(segment, child);
  return child;
}

function setRule(field: RuleNode, rule: unknown, order: number): void {
  const parsed = parseRule(field.name, rule);
  field.rule = parsed;
  // A rule that a dotted name has already set for a nested field is more specific and takes precedence.
  if (parsed.items !== undefined && field.element?.rule === undefined) {
    setRule(childOf(field, "*", order), parsed.items, order);
  }
  if (isStandardSchema(parsed.schema)) field.schema = parsed.schema;
  else if (parsed.schema !== undefined) {
    for (const [name, nested] of Object.entries(parsed.schema)) {
      if (field.properties.get(name)?.rule === undefined) addField(field, name, nested, order);
    }
  }
}

function assertOneShape(field: RuleNode): void {
  const { name, rule, properties, element, schema } = field;
  const refuse = (what: string): never => {
    throw badRule(name, `it is ${what}, and other rules are for fields inside it.`);
  };
  if (element !== undefined && properties.size > 0) refuse("a list with elements");
  if (schema !== undefined && properties.size > 0) refuse("validated by a Standard Schema");
  const type = rule?.type;
  if (element !== undefined && type !== undefined && type !== "array") refuse(`of type "${type}"`);
  if (properties.size > 0 && type !== undefined && type !== "object") refuse(`of type "${type}"`);
  if (element !== undefined) assertOneShape(element);
  for (const property of properties.values()) assertOneShape(property);
}
