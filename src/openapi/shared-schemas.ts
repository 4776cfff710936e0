import type { JsonSchema } from "../validation/standard-json-schema.ts";
import {
  definitionText,
  namesFrom,
  replaceReferences,
  type SplitSchema,
  splitDefinitions,
} from "./definitions.ts";

/** Use of a schema, which determines the names of its components. */
export interface SchemaUse {
  /** Name of definitions without a name. */
  readonly hint: string;
  /** The output of a schema whose input is used: a definition that differs there is named `…Input`. */
  readonly output?: (() => JsonSchema | undefined) | undefined;
}

/** Names that libraries generate for definitions of recursive schemas without a name. */
const generatedName = /^(?:#|(?:__schema|alias|intersection|type|union)?\d+)$/;

const prefix = "#/components/schemas/";

/**
 * The named schemas of a document. A definition of a schema becomes one, so that operations which use it
 * share it, and tools generate one type for it.
 */
export class SharedSchemas {
  readonly #schemas: Map<string, JsonSchema> = new Map();
  /** Each definition as text, by the name of its component. */
  readonly #texts: Map<string, string> = new Map();
  readonly #reserved: ReadonlySet<string>;

  /** @param reserved names of components that are added without a definition */
  constructor(reserved: readonly string[]) {
    this.#reserved = new Set(reserved);
  }

  add(name: string, schema: JsonSchema): void {
    this.#schemas.set(name, schema);
  }

  toObject(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#schemas);
  }

  /** Follows the reference of a schema that is only a reference. */
  resolve(schema: JsonSchema): JsonSchema {
    let current = schema;
    // References may be chained, or circular.
    for (let step = 0; step < 8; step += 1) {
      const { $ref: reference } = current;
      if (typeof reference !== "string" || !reference.startsWith(prefix)) return current;
      current = this.#schemas.get(reference.slice(prefix.length)) ?? {};
    }
    return current;
  }

  /** Moves the definitions of a schema to components, and returns the schema with references to them. */
  lift(schema: JsonSchema, use: SchemaUse): JsonSchema {
    const split = splitDefinitions(schema);
    if (split.definitions.size === 0) return split.root;
    const names = this.#nameAll(split, use);
    const place = (name: string): string => prefix + (names.get(name)?.name ?? name);
    for (const [definition, { name, isNew }] of names) {
      if (!isNew) continue;
      this.#schemas.set(name, replaceReferences(split.definitions.get(definition) ?? {}, place));
    }
    return replaceReferences(split.root, place);
  }

  #nameAll(
    { root, definitions }: SplitSchema,
    { hint, output }: SchemaUse,
  ): ReadonlyMap<string, { readonly name: string; readonly isNew: boolean }> {
    const other = output?.();
    const outputs = other === undefined ? undefined : splitDefinitions(other).definitions;
    const names = new Map<string, { name: string; isNew: boolean }>();
    for (const definition of namesFrom(root, definitions)) {
      const text = definitionText(definition, definitions) ?? "";
      const outputText = outputs && definitionText(definition, outputs);
      const isInputOnly = outputText !== undefined && outputText !== text;
      const own = generatedName.test(definition) ? hint : definition;
      names.set(definition, this.#reserve(isInputOnly ? `${own}Input` : own, text));
    }
    return names;
  }

  /** Returns a free name, or that of an equal definition. */
  #reserve(wanted: string, text: string): { name: string; isNew: boolean } {
    const base = wanted.replace(/[^\w.-]+/g, "-");
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}-${number}`;
      if (this.#texts.get(name) === text) return { name, isNew: false };
      if (this.#texts.has(name) || this.#schemas.has(name) || this.#reserved.has(name)) continue;
      this.#texts.set(name, text);
      return { name, isNew: true };
    }
  }
}
