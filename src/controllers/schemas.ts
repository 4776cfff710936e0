import type { InferSchema } from "../validation/infer.ts";
import type { RuleMap } from "../validation/rules.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";

/** One source of input: a map of rules, or a Standard Schema (Zod, Valibot, ArkType). */
export type SourceSchema = RuleMap | StandardSchemaV1;

/** What `Controller.for` takes. */
export interface ControllerSchemas {
  /** Of the path parameters. */
  readonly params?: SourceSchema;
  /** Of the query. */
  readonly query?: SourceSchema;
  /** Of the parsed body. */
  readonly body?: SourceSchema;
  /** Of the request headers, by their names in lower case. */
  readonly headers?: SourceSchema;
}

/** The type of one validated source, or what it is while no schema is given for it. */
export type SourceValue<
  Schemas extends ControllerSchemas,
  Source extends keyof ControllerSchemas,
  Unvalidated,
> =
  Schemas extends Readonly<Record<Source, infer Schema extends SourceSchema>>
    ? InferSchema<Schema>
    : Unvalidated;
