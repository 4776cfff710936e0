import type { RequestContext } from "../http/context.ts";
import type { StandardSchemaV1 } from "./standard-schema.ts";

/**
 * For each `type` that a rule can name, the TypeScript type of a valid value.
 *
 * A `date` stays the string that was sent, so that what is stored or passed on is what the client
 * wrote; `new Date(value)` reads each accepted one.
 */
export interface RuleValues {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly array: readonly unknown[];
  readonly integer: number;
  readonly object: Readonly<Record<string, unknown>>;
  readonly email: string;
  readonly url: string;
  readonly uuid: string;
  readonly date: string;
  readonly file: File;
}

/** The types a rule can name. */
export type RuleType = keyof RuleValues;

/** What one of `enum`'s members can be. */
export type EnumMember = string | number | boolean | null;

/** What `custom` says: valid, not valid, or not valid and why. */
export type CustomResult = boolean | string;

/** The keys of a rule whose valid values are `Value`s. */
export interface RuleKeys<Value> {
  /** The field must be there: not absent, not null (unless `nullable`), not `""`. Default false. */
  readonly required?: boolean;
  /** Least value of a number, code points of a string, items of an array. */
  readonly min?: number;
  /** Greatest value of a number, code points of a string, items of an array. */
  readonly max?: number;
  /** Least number of code points of a string or items of an array. */
  readonly minLength?: number;
  /** Greatest number of code points of a string or items of an array. */
  readonly maxLength?: number;
  /** What a string must match. It runs on what clients send: keep it free of nested repetition. */
  readonly pattern?: RegExp;
  /** The schemes of a `url`, without the colon, such as `["https", "ftp"]`; default http and https. */
  readonly protocols?: readonly string[];
  /** The values there are. */
  readonly enum?: readonly EnumMember[];
  /** Rule of every element of an array. An element is always there, so null fails its `type`. */
  readonly items?: ValidationRule;
  /** Rules of an object's fields; what has no rule is left out of `ctx.validated`. */
  readonly schema?: RuleMap | StandardSchemaV1;
  /**
   * Whether null is a value. Default false: null is a missing field. Of what is sent as text `""` is null,
   * too, unless the field is required or has a default: a form cannot say null.
   */
  readonly nullable?: boolean;
  /** Stands in for a missing field; objects and arrays are copied for each request. */
  readonly default?: Value | null;
  /** Replaces the message of whatever fails in this field, but not one that `custom` gives itself. */
  readonly message?: string;
  /**
   * Runs last, on the coerced value of a field that is there. Only `true` is valid; a string is the
   * message. A promise makes the validation asynchronous.
   */
  custom?(value: Value, ctx: RequestContext): CustomResult | Promise<CustomResult>;
}

interface TypedRule<Type extends RuleType> extends RuleKeys<RuleValues[Type]> {
  readonly type: Type;
}

interface UntypedRule extends RuleKeys<unknown> {
  readonly type?: never;
}

/**
 * What one field must be.
 *
 * @example { required: true, type: "string", min: 2, max: 50 }
 */
export type ValidationRule = { [Type in RuleType]: TypedRule<Type> }[RuleType] | UntypedRule;

/**
 * Rules by field. A name may be dotted: `address.city` is a field of an object, `items.*.id` one of
 * each element of an array.
 */
export type RuleMap = Readonly<Record<string, ValidationRule>>;

/** The places that fields come from. */
export type Source = "params" | "query" | "body" | "headers";

/** Rules or a Standard Schema for each source that is named. */
export type SourceMap = { readonly [Name in Source]?: RuleMap | StandardSchemaV1 };

/**
 * What a route's `validation` and a controller's `schema` may be.
 *
 * - A map of rules: a field is a path parameter if the pattern names it, else it comes from the
 *   query (GET, HEAD, DELETE without a body) or the body.
 * - A map of sources, `{ params, query, body, headers }`: recognised when it has no other key and
 *   each value is itself a map of rules or a Standard Schema, so a field may be called `body`.
 * - A Standard Schema: of the body, or of the query for methods without one.
 */
export type RouteValidation = RuleMap | SourceMap | StandardSchemaV1;

/**
 * A rule as TypeScript infers it without `as const`, for `schema = { … }` in a class: there
 * `type: "string"` has widened to `string`. What it says is checked when it is compiled.
 */
export interface LooseRule extends Omit<RuleKeys<unknown>, "items" | "schema" | "enum"> {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: LooseRule;
  readonly schema?: LooseRuleMap | StandardSchemaV1;
}

/** Rules by field, as inferred without `as const`. */
export type LooseRuleMap = Readonly<Record<string, LooseRule>>;

/** Sources by name, as inferred without `as const`. */
export type LooseSourceMap = { readonly [Name in Source]?: LooseRuleMap | StandardSchemaV1 };

/** A `RouteValidation` as inferred without `as const`; every `RouteValidation` is one. */
export type LooseRouteValidation = LooseRuleMap | LooseSourceMap | StandardSchemaV1;
