/** A JSON Schema, as far as samples need it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Strings by format. */
const formats: Readonly<Record<string, string>> = {
  uuid: "0b5308fc-2bce-4c7e-b21f-e1fb44e1dc78",
  date: "2026-11-29",
  "date-time": "2026-11-29T09:30:00.000Z",
  uri: "https://example.org/picture.png",
};
/** Other strings, tried in this order until one satisfies the pattern and the lengths. */
const strings: readonly string[] = [
  "a long pass phrase",
  "9780141439587",
  "2026-11-29",
  "+44 20 7946 0000",
];

/** A picture of one pixel would be longer: applications look at the first bytes. */
const file = 'new Blob([Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)], { type: "image/png" })';

/** Context of a sample, beside its schema. */
export interface SampleContext {
  /** Lower-case letters that other operations do not use: names and addresses may have to be unique. */
  readonly word: string;
  resolve(reference: string): Schema;
}

/**
 * Returns the source text of a valid value: an object has all its properties, and an alternative is the first.
 *
 * @throws for a schema of which it has no sample
 */
export function sampleOf(schema: Schema, context: SampleContext): string {
  const { $ref, enum: choices, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return sampleOf(context.resolve($ref), context);
  if (choices !== undefined) return JSON.stringify(choices[0]);
  const [alternative] = anyOf ?? oneOf ?? [];
  if (alternative !== undefined) return sampleOf(alternative, context);
  const [kind] = [type].flat();
  switch (kind ?? (schema.properties === undefined ? undefined : "object")) {
    case "object":
      return `{ ${Object.entries(schema.properties ?? {})
        .map(([name, inner]) => `${JSON.stringify(name)}: ${sampleOf(inner, context)}`)
        .join(", ")} }`;
    case "array":
      return `[${sampleOf(schema.items ?? {}, context)}]`;
    case "integer":
    case "number":
      return String(schema.minimum ?? 1);
    case "boolean":
      return "true";
    case "string":
      return schema.format === "binary" ? file : JSON.stringify(stringOf(schema, context));
    default:
      throw new Error(`No sample of ${JSON.stringify(schema)}`);
  }
}

function stringOf(schema: Schema, { word }: SampleContext): string {
  const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const known = format === "email" ? `${word}@example.org` : formats[format ?? ""];
  const found = (known === undefined ? [word, ...strings] : [known]).find(
    (text) =>
      text.length >= minLength &&
      text.length <= maxLength &&
      (pattern === undefined || new RegExp(pattern, "u").test(text)),
  );
  if (found === undefined) throw new Error(`No sample of ${JSON.stringify(schema)}`);
  return found;
}
