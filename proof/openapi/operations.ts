import { type Schema, sampleOf } from "./sample-value.ts";

/** An operation of a document with sample arguments, which are source texts. */
export interface Operation {
  readonly id: string;
  /** In lower case. */
  readonly method: string;
  readonly path: string;
  /** Path parameters in the order of the path. */
  readonly pathParameters: readonly Argument[];
  readonly query: readonly Argument[];
  readonly body: Body | undefined;
  /** False if a successful response is declared with another media type than JSON. */
  readonly isJson: boolean;
}

interface Argument {
  readonly name: string;
  readonly value: string;
}

interface Body {
  readonly type: string;
  readonly value: string;
  /** Names of the properties of a form. */
  readonly fields: readonly string[];
}

interface Media {
  readonly schema?: Schema;
}

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly { in: string; name: string; schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

/** Returns every operation of a document. */
export function operationsOf(text: string): readonly Operation[] {
  const document: Document = JSON.parse(text);
  const resolve = (reference: string): Schema => {
    const keys = reference.replace("#/", "").split("/");
    return keys.reduce<unknown>(
      (value, key) => Reflect.get(Object(value), key),
      document,
    ) as Schema;
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { operationId: id, parameters = [], requestBody, responses } = operation;
      const word = `sample-${id.toLowerCase().replace(/[^a-z]/g, "")}`.slice(0, 30);
      const sample = (schema: Schema): string => sampleOf(schema, { word, resolve });
      const argumentsIn = (place: string): readonly Argument[] =>
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema }) => ({ name, value: sample(schema) }));
      const [body] = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => ({
        type,
        value: sample(schema),
        fields: Object.keys(schema.properties ?? {}),
      }));
      const types = Object.entries(responses)
        .filter(([status]) => status.startsWith("2"))
        .flatMap(([, { content = {} }]) => Object.keys(content));
      return {
        id,
        method,
        path,
        pathParameters: argumentsIn("path"),
        query: argumentsIn("query"),
        body,
        isJson: types.length === 0 || types.some((type) => type.includes("json")),
      };
    }),
  );
}
