import type { InferSchema } from "../validation/infer.ts";
import type { SourceMap } from "../validation/rules.ts";

/** The schemas by source that a contract may contain; headers by lower-case name. */
export type ControllerSchemas = SourceMap;

/** The type of one validated source, or `Unvalidated` if it has no schema. */
export type SourceValue<
  Schemas extends ControllerSchemas,
  Source extends keyof ControllerSchemas,
  Unvalidated,
> = Source extends keyof Schemas ? InferSchema<Schemas[Source]> : Unvalidated;
