import type { RuleMap, RuleType, Source, ValidationRule } from "./rules.ts";
import type { StandardOutput, StandardSchemaV1 } from "./standard-schema.ts";

/** The validated value of each `type`: like `RuleValues`, but mutable. */
interface ValidatedValues {
  string: string;
  number: number;
  boolean: boolean;
  array: unknown[];
  integer: number;
  object: Record<string, unknown>;
  email: string;
  url: string;
  uuid: string;
  date: string;
  file: File;
}

/** Flattens an intersection of mapped types into one mutable object type. */
type Plain<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Rule of a field that is always present after validation: required, or with a default. */
type PresentRule = { readonly required: true } | { readonly default: NonNullable<unknown> | null };

/** Null for a nullable rule and for one whose default is null; else never. */
type NullOf<Rule> = Rule extends { readonly nullable: true } | { readonly default: null }
  ? null
  : never;

/** The value without null, from the most specific key: `enum`, then `schema`, `items` and `type`. */
type ContentOf<Rule> = Rule extends { readonly enum: readonly (infer Member)[] }
  ? Member
  : Rule extends { readonly schema: infer Schema extends RuleMap | StandardSchemaV1 }
    ? InferSchema<Schema>
    : Rule extends { readonly items: infer Element extends ValidationRule }
      ? InferRule<Element>[]
      : Rule extends { readonly type: infer Type extends RuleType }
        ? ValidatedValues[Type]
        : unknown;

/** The type of one valid field that is present. */
export type InferRule<Rule extends ValidationRule> = ContentOf<Rule> | NullOf<Rule>;

type PresentNames<Rules extends RuleMap> = {
  [Name in keyof Rules]: Rules[Name] extends PresentRule ? Name : never;
}[keyof Rules];

type InferPlainRules<Rules extends RuleMap> = Plain<
  { [Name in PresentNames<Rules>]: InferRule<Rules[Name]> } & {
    [Name in Exclude<keyof Rules, PresentNames<Rules>>]?: InferRule<Rules[Name]>;
  }
>;

type HeadOf<Name> = Name extends `${infer Head}.${string}` ? Head : Name;

/** The rules of the fields under `Head.`, by the rest of their names. */
type RulesUnder<Rules extends RuleMap, Head extends PropertyKey> = {
  [Name in keyof Rules as Name extends `${Head & string}.${infer Rest}`
    ? Rest
    : never]: Rules[Name];
};

/** The rule of `Head` itself; an empty one if `Head` occurs only as a parent in dotted names. */
type RuleOf<Rules extends RuleMap, Head> = Head extends keyof Rules ? Rules[Head] : object;

/** The content of a field that is a parent in dotted names. */
type ContentUnder<Rule, Under extends RuleMap> =
  "*" extends HeadOf<keyof Under>
    ? InferElement<RuleOf<Under, "*">, RulesUnder<Under, "*">>[]
    : (Rule extends { readonly schema: unknown } ? ContentOf<Rule> : unknown) & InferRules<Under>;

type InferElement<Rule, Under extends RuleMap> =
  | (keyof Under extends never ? ContentOf<Rule> : ContentUnder<Rule, Under>)
  | NullOf<Rule>;

/** True if `Head` is always present, also as the parent of a required field such as `address.city`. */
type IsPresent<Rules extends RuleMap, Head> =
  RuleOf<Rules, Head> extends PresentRule
    ? true
    : true extends {
          [Name in keyof Rules]: Name extends `${Head & string}.${infer Rest}`
            ? Rest extends `${string}*${string}`
              ? false
              : Rules[Name] extends PresentRule
                ? true
                : false
            : false;
        }[keyof Rules]
      ? true
      : false;

type Heads<Rules extends RuleMap> = HeadOf<keyof Rules> & PropertyKey;

type PresentHeads<Rules extends RuleMap> = {
  [Head in Heads<Rules>]: IsPresent<Rules, Head> extends true ? Head : never;
}[Heads<Rules>];

type InferHead<Rules extends RuleMap, Head extends PropertyKey> = InferElement<
  RuleOf<Rules, Head>,
  RulesUnder<Rules, Head>
>;

type InferDottedRules<Rules extends RuleMap> = Plain<
  { [Head in PresentHeads<Rules>]: InferHead<Rules, Head> } & {
    [Head in Exclude<Heads<Rules>, PresentHeads<Rules>>]?: InferHead<Rules, Head>;
  }
>;

/**
 * The type of the validated object for a map of rules.
 *
 * A field is optional unless its rule has `required: true` or a `default`; dotted names become
 * nested objects. Rules without literal types result in a record of unknown values.
 *
 * @example
 * InferRules<{ name: { type: "string"; required: true }; age: { type: "integer" } }>
 * // { name: string; age?: number }
 */
export type InferRules<Rules extends RuleMap> = string extends keyof Rules
  ? Record<string, unknown>
  : Extract<keyof Rules, `${string}.${string}`> extends never
    ? InferPlainRules<Rules>
    : InferDottedRules<Rules>;

/** The type of one validated source: a map of rules, or a Standard Schema's output. */
export type InferSchema<Schema> = Schema extends StandardSchemaV1
  ? StandardOutput<Schema>
  : Schema extends RuleMap
    ? InferRules<Schema>
    : never;

/** True if `Validation` is a map of sources: no other keys, and a rule map or schema under each. */
export type IsSourceMap<Validation> = [keyof Validation] extends [never]
  ? false
  : [keyof Validation] extends [Source]
    ? [Validation[keyof Validation]] extends [RuleMap | StandardSchemaV1]
      ? true
      : false
    : false;

/**
 * The type of `ctx.validated` for a route's `validation` or a controller's `schema`: flat for a map
 * of rules, grouped by source for a map of sources, the output type for a Standard Schema.
 */
export type InferValidated<Validation> = Validation extends StandardSchemaV1
  ? StandardOutput<Validation>
  : IsSourceMap<Validation> extends true
    ? { -readonly [Name in keyof Validation]: InferSchema<Validation[Name]> }
    : Validation extends RuleMap
      ? InferRules<Validation>
      : never;
