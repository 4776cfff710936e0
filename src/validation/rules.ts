import type { RequestContext } from "../http/context.ts";
import type { StandardSchemaV1 } from "./standard-schema.ts";

/**
 * The TypeScript type of a valid value for each `type` of a rule.
 *
 * A `date` remains the string that was sent, so that it is stored or forwarded exactly as the client
 * wrote it; `new Date(value)` parses every accepted date.
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

/** The possible types of a rule. */
export type RuleType = keyof RuleValues;

/** A member of `enum`. */
export type EnumMember = string | number | boolean | null;

/** Result of `custom`: true for valid, false for invalid, or an error message. */
export type CustomResult = boolean | string;

/** The keys of a rule whose valid values have the type `Value`. */
export interface RuleKeys<Value> {
  /**
   * Requires the field to be present: not absent, not null (unless `nullable`), not `""` (unless
   * `allowEmpty`). Default false.
   */
  readonly required?: boolean;
  /**
   * Accepts `""` whatever the other rules say: in a required field, as a url that may be cleared, and in sources
   * that contain only strings, where it counts as missing otherwise. For types that are strings; default false.
   */
  readonly allowEmpty?: boolean;
  /** Minimum value of a number, code points of a string or items of an array. */
  readonly min?: number;
  /** Maximum value of a number, code points of a string or items of an array. */
  readonly max?: number;
  /** Minimum number of code points of a string or items of an array. */
  readonly minLength?: number;
  /** Maximum number of code points of a string or items of an array. */
  readonly maxLength?: number;
  /** Pattern that a string must match. It runs on untrusted input: avoid nested repetition (ReDoS). */
  readonly pattern?: RegExp;
  /** The schemes of a `url`, without the colon, such as `["https", "ftp"]`; default http and https. */
  readonly protocols?: readonly string[];
  /** The allowed values. */
  readonly enum?: readonly EnumMember[];
  /** Rule of every element of an array. An element is always present, so null fails its `type`. */
  readonly items?: ValidationRule;
  /** Rules of an object's fields; fields without a rule are omitted from `ctx.validated`. */
  readonly schema?: RuleMap | StandardSchemaV1;
  /**
   * Accepts null as a value. Default false: null counts as a missing field. In sources that contain only
   * strings, `""` becomes null too, unless the field is required or has a default: a form cannot send null.
   */
  readonly nullable?: boolean;
  /** Value of a missing field; objects and arrays are copied for each request. */
  readonly default?: Value | null;
  /** Replaces every error message of this field, except one that `custom` returns. */
  readonly message?: string;
  /**
   * Runs last, on the coerced value of a field that is present. Only `true` is valid; a string is the
   * error message. A promise makes the validation asynchronous.
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
 * The validation rule of one field.
 *
 * @example { required: true, type: "string", min: 2, max: 50 }
 */
export type ValidationRule = { [Type in RuleType]: TypedRule<Type> }[RuleType] | UntypedRule;

/**
 * Rules by field. A name may be dotted: `address.city` is a field of an object, `items.*.id` one of
 * each element of an array.
 */
export type RuleMap = Readonly<Record<string, ValidationRule>>;

/** The parts of a request that fields are read from. */
export type Source = "params" | "query" | "body" | "headers";

/** Rules or a Standard Schema by source. */
export interface SourceMap {
  /** Rules or schema of the path parameters. */
  readonly params?: RuleMap | StandardSchemaV1;
  /** Rules or schema of the query parameters. */
  readonly query?: RuleMap | StandardSchemaV1;
  /** Rules or schema of the parsed body. */
  readonly body?: RuleMap | StandardSchemaV1;
  /** Rules or schema of the headers, by lower-case name. */
  readonly headers?: RuleMap | StandardSchemaV1;
}

/**
 * Validation of a route (`validation`) or of a controller (`schema`), in one of three forms.
 *
 * - A map of rules: a field is a path parameter if the pattern names it, else it is read from the
 *   query (GET, HEAD, DELETE without a body) or the body.
 * - A map of sources, `{ params, query, body, headers }`: recognised when it has no other key and
 *   each value is itself a map of rules or a Standard Schema, so a field may be named `body`.
 * - A Standard Schema: validates the body, or the query for methods without a body.
 */
export type RouteValidation = RuleMap | SourceMap | StandardSchemaV1;

/**
 * A rule as TypeScript infers it without `as const`, for `schema = { … }` in a class: there
 * `type: "string"` is widened to `string`. Its keys and values are checked when it is compiled.
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
