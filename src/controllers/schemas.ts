import type { InferSchema } from "../validation/infer.ts";
import type { RuleMap } from "../validation/rules.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";

/** One source of input: a map of rules, or a Standard Schema (Zod, Valibot, ArkType). */
export type SourceSchema = RuleMap | StandardSchemaV1;

/** The schemas by source that `Controller.for` accepts. */
export interface ControllerSchemas {
  /** Schema of the path parameters. */
  readonly params?: SourceSchema;
  /** Schema of the query parameters. */
  readonly query?: SourceSchema;
  /** Schema of the parsed body. */
  readonly body?: SourceSchema;
  /** Schema of the request headers, by lower-case name. */
  readonly headers?: SourceSchema;
}

/** The type of one validated source, or `Unvalidated` if it has no schema. */
export type SourceValue<
  Schemas extends ControllerSchemas,
  Source extends keyof ControllerSchemas,
  Unvalidated,
> =
  Schemas extends Readonly<Record<Source, infer Schema extends SourceSchema>>
    ? InferSchema<Schema>
    : Unvalidated;
