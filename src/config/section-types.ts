import type { Config } from "../register.ts";
import type { ConfigField, ConfigRule } from "./field.ts";

/** An untyped section: any field, any value. */
export type LooseConfigSection = Record<string, unknown>;

/** The valid declarations of a field of type `Value`. */
type FieldOf<Value> = unknown extends Value
  ? ConfigField
  : [NonNullable<Value>] extends [string]
    ? StringConstructor | ConfigRule
    : [NonNullable<Value>] extends [number]
      ? NumberConstructor | ConfigRule
      : [NonNullable<Value>] extends [boolean]
        ? BooleanConstructor | ConfigRule
        : [NonNullable<Value>] extends [readonly unknown[]]
          ? ArrayConstructor | ConfigRule
          : ConfigRule;

/** Sources of a section's values, in order of precedence. */
export interface ConfigSectionSource<Section extends object = LooseConfigSection> {
  /**
   * Values by field name, or by the name of the environment variable, so that an environment object can be
   * passed unchanged.
   */
  readonly source?: Readonly<Record<string, unknown>>;
  /** Prefix of environment variables; default: the section's name in upper snake case and `_`. */
  readonly envPrefix?: string;
  /** Values of fields that have no other value. */
  readonly defaults?: { readonly [Field in keyof Section]?: Section[Field] | undefined };
}

/** A section declared by constructors and defaults. */
export interface ConfigSectionOptions<Section extends object = LooseConfigSection>
  extends ConfigSectionSource<Section> {
  /** The fields; a field without a default is optional. */
  readonly schema?: { readonly [Field in keyof Section]?: FieldOf<Section[Field]> };
}

/** A section declared by rules. */
export type ConfigSectionRules<Section extends object = LooseConfigSection> = {
  readonly [Field in keyof Section]?: FieldOf<Section[Field]>;
};

/** A section declaration, in either form. */
export type ConfigSectionDeclaration<Section extends object = LooseConfigSection> =
  | ConfigSectionOptions<Section>
  | ConfigSectionRules<Section>;

/** A name that `Register.config` does not declare. */
export type UndeclaredConfigSection<Name extends string> = Name extends keyof Config ? never : Name;

/** The type of the values that a field accepts. */
type ValueOf<Field> = Field extends StringConstructor | { readonly type: "string" }
  ? string
  : Field extends NumberConstructor | { readonly type: "number" | "integer" }
    ? number
    : Field extends BooleanConstructor | { readonly type: "boolean" }
      ? boolean
      : Field extends ArrayConstructor | { readonly type: "array" }
        ? readonly unknown[]
        : unknown;

/** The fields that always have a value: required, or with a default. */
type GivenFields<Fields, Defaults> = {
  [Field in keyof Fields]: Field extends keyof Defaults
    ? Field
    : Fields[Field] extends { readonly required: true }
      ? Field
      : never;
}[keyof Fields];

/**
 * Infers the type of a section from its rules (or schema) and its defaults.
 *
 * ```ts
 * const rules = { port: { type: "number", required: true } } satisfies ConfigSectionRules;
 * declare module "espalier" {
 *   interface Register { config: { app: InferConfigSection<typeof rules> } }
 * }
 * ```
 */
export type InferConfigSection<
  Fields extends object,
  Defaults extends object = Record<never, never>,
> = {
  readonly [Field in GivenFields<Fields, Defaults>]: ValueOf<Fields[Field]>;
} & {
  readonly [Field in Exclude<keyof Fields, GivenFields<Fields, Defaults>>]?: ValueOf<Fields[Field]>;
} & {
  readonly [Field in Exclude<keyof Defaults, keyof Fields>]: Defaults[Field];
};
