/**
 * The part of the Standard Schema interface (version 1, standardschema.dev) that is used here. Zod,
 * Valibot and ArkType schemas implement it, so they need no adapter.
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Exists for TypeScript only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The output, or the issues: a result with `issues` is a failure. */
export type StandardResult<Output = unknown> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One problem that a schema found. Without a path, it concerns the value as a whole. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The output type of `Schema`. */
export type StandardOutput<Schema extends StandardSchemaV1> = NonNullable<
  Schema["~standard"]["types"]
>["output"];

/** Returns whether `value` is a Standard Schema; ArkType's are functions, the others' are objects. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  if (!("~standard" in value)) return false;
  const standard = value["~standard"];
  return (
    typeof standard === "object" &&
    standard !== null &&
    "validate" in standard &&
    typeof standard.validate === "function"
  );
}
