import type { RuleKeys, RuleMap, Source } from "./rules.ts";
import type { StandardSchemaV1 } from "./standard-schema.ts";

type RuleKey = keyof RuleKeys<unknown> | "type";
/** Keys whose value contains no further rules. */
type PlainRuleKey = Exclude<RuleKey, "items" | "schema">;

/** The keys of all rules of a map. */
type KeysOfRules<Rules> = { [Name in keyof Rules]: keyof Rules[Name] }[keyof Rules];

/** The message is the type that the compiler shows as expected. */
type StrictKey<Rule, Key extends keyof Rule> = Key extends RuleKey
  ? Key extends "items"
    ? StrictRule<Rule[Key]>
    : Key extends "schema"
      ? StrictSource<Rule[Key]>
      : unknown
  : `a rule has no key ${Key & string}`;

type StrictRule<Rule> = { readonly [Key in keyof Rule]: StrictKey<Rule, Key> };

/** The types of all rules of a map. */
type TypesOf<Rule> = Rule extends { readonly type: infer Type } ? Type : never;

/** The message is the type that the compiler shows as expected. */
type Widened = "these rules have lost their literal types: declare them with rules({ ... })";

/**
 * `unknown` for rules in which every key is known; otherwise the rules with a message in place of each unknown
 * key. Most rules are plain, and then no type is created for their single keys.
 */
export type StrictRules<Rules> =
  KeysOfRules<Rules> extends PlainRuleKey
    ? string extends TypesOf<Rules[keyof Rules]>
      ? Widened
      : unknown
    : { readonly [Name in keyof Rules]: StrictRule<Rules[Name]> };

/** {@link StrictRules} for one source of input; a Standard Schema is always valid. */
export type StrictSource<Schema> = Schema extends StandardSchemaV1 ? unknown : StrictRules<Schema>;

/** {@link StrictRules} for each form of the option `validation`. */
export type StrictValidation<Validation> = Validation extends StandardSchemaV1
  ? unknown
  : [keyof Validation] extends [Source]
    ? { readonly [Name in keyof Validation]: StrictSource<Validation[Name]> }
    : StrictRules<Validation>;

/**
 * Returns validation rules that several places use, with their literal types. A misspelt key does not compile.
 *
 * @example const bookParams = rules({ book: { type: "uuid", required: true } });
 */
export function rules<const Rules extends RuleMap & StrictRules<Rules>>(map: Rules): Rules {
  return map;
}
