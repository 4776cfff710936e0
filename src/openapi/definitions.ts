import type { JsonSchema } from "../validation/standard-json-schema.ts";

/** A schema, and the definitions that its references name. */
export interface SplitSchema {
  readonly root: JsonSchema;
  /** The schema's `$defs`; and the schema itself, under its id or `#`, if it has an id or refers to itself. */
  readonly definitions: ReadonlyMap<string, JsonSchema>;
}

/** Target of a reference inside a schema: a definition, and a JSON Pointer from there (RFC 6901). */
interface Target {
  readonly name: string;
  readonly pointer: string;
}

/** Name of a definition that is the whole schema, unless it has an id; also the reference to it. */
const rootName = "#";

/** Separates a schema from its definitions. */
export function splitDefinitions(schema: JsonSchema): SplitSchema {
  const { $defs, definitions, ...root } = schema;
  const found = new Map(
    Object.entries({ ...(definitions as object), ...($defs as object) }).map(
      ([name, definition]) => [name, withoutId(definition as JsonSchema)] as const,
    ),
  );
  const { id } = root;
  const parts = [root, ...found.values()];
  const isRecursive = parts.flatMap(targetsIn).some(({ name }) => name === rootName);
  if (typeof id !== "string" && !isRecursive) return { root, definitions: found };
  const name = typeof id === "string" ? id : rootName;
  const place = (target: string): string => localReference(target === rootName ? name : target);
  const all = [...found, [name, withoutId(root)] as const];
  return {
    root: { $ref: localReference(name) },
    definitions: new Map(all.map(([key, part]) => [key, replaceReferences(part, place)])),
  };
}

/** Older versions of Zod repeat the name of a schema as a keyword that JSON Schema does not have. */
function withoutId(schema: JsonSchema): JsonSchema {
  const { id, ...rest } = schema;
  return typeof id === "string" ? rest : schema;
}

/**
 * Returns the names of the definitions that `schema` refers to, directly and through others, in the order in
 * which they are found.
 */
export function namesFrom(
  schema: JsonSchema,
  definitions: ReadonlyMap<string, JsonSchema>,
): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (part: JsonSchema): void => {
    for (const { name } of targetsIn(part)) {
      const definition = definitions.get(name);
      if (definition === undefined || names.has(name)) continue;
      names.add(name);
      collect(definition);
    }
  };
  collect(schema);
  return names;
}

/** Returns a definition with all that it refers to as text, which is equal for equal definitions. */
export function definitionText(
  name: string,
  definitions: ReadonlyMap<string, JsonSchema>,
): string | undefined {
  const definition = definitions.get(name);
  if (definition === undefined) return undefined;
  const others = [...namesFrom(definition, definitions)];
  return JSON.stringify([definition, others.map((other) => [other, definitions.get(other)])]);
}

/** Replaces the references to definitions; `place` returns the new reference of a definition. */
export function replaceReferences(schema: JsonSchema, place: (name: string) => string): JsonSchema {
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const target = key === "$ref" ? targetOf(member) : undefined;
        if (target === undefined) return [key, replaced(member)];
        return [key, place(target.name) + target.pointer];
      }),
    );
  };
  return replaced(schema) as JsonSchema;
}

function targetsIn(value: unknown): readonly Target[] {
  if (typeof value !== "object" || value === null) return [];
  const own = targetOf(Reflect.get(value, "$ref"));
  const inside = Object.values(value).flatMap(targetsIn);
  return own === undefined ? inside : [own, ...inside];
}

/** Parses a reference; returns undefined for one to another document, or to a component of this one. */
function targetOf(reference: unknown): Target | undefined {
  if (typeof reference !== "string" || !/^#(?:$|\/(?!components\/))/.test(reference))
    return undefined;
  const [, name, pointer = ""] = /^#\/(?:\$defs|definitions)\/([^/]+)(.*)$/.exec(reference) ?? [];
  if (name === undefined) return { name: rootName, pointer: reference.slice(1) };
  return { name: decodePointer(name), pointer };
}

function localReference(name: string): string {
  if (name === rootName) return rootName;
  return `#/$defs/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`;
}

function decodePointer(part: string): string {
  return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
}
