import type { InferRules } from "./infer.ts";
import type { RuleMap } from "./rules.ts";
import type { StandardSchemaV1 } from "./standard-schema.ts";

/** A nested schema, items or rule as the client sends it. */
type SentPart<Part> = Part extends StandardSchemaV1
  ? StandardSchemaV1<SentOf<Part>>
  : Part extends RuleMap
    ? SentMap<Part>
    : Part;

/** A rule without its default: a field that has one need not be sent. */
type SentRule<Rule> = {
  readonly [Key in keyof Rule as Key extends DroppedKey<Rule> ? never : Key]: Key extends "schema"
    ? SentPart<Rule[Key]>
    : Key extends "items"
      ? SentRule<Rule[Key]>
      : Rule[Key];
};

type DroppedKey<Rule> = "default" extends keyof Rule ? "default" | "required" : never;

type SentMap<Rules> = { readonly [Name in keyof Rules]: SentRule<Rules[Name]> };

type SentOf<Schema extends StandardSchemaV1> = NonNullable<Schema["~standard"]["types"]>["input"];

/**
 * The type that a client sends for one source: a field with a default is optional, and a Standard Schema has
 * its input type.
 *
 * @example
 * InferInput<{ page: { type: "integer"; default: 1 }; q: { type: "string"; required: true } }>
 * // { page?: number; q: string }
 */
export type InferInput<Schema> = Schema extends StandardSchemaV1
  ? SentOf<Schema>
  : Schema extends RuleMap
    ? SentMap<Schema> extends infer Sent extends RuleMap
      ? InferRules<Sent>
      : never
    : never;
