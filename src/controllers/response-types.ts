import type { JsonInput } from "../util/json-types.ts";
import type { InferSchema } from "../validation/infer.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";

/** The value that a response schema describes, as the client receives it. */
export type ResponseValue<Schema> = Schema extends readonly [infer Element]
  ? InferSchema<Element>[]
  : InferSchema<Schema>;

/** The message is the type that the compiler shows as expected. */
type Undeclared<Status extends number> = `the contract declares no response with status ${Status}`;

/** The `data` that the responses declare for a status; `unknown` for one without a schema. */
export type DeclaredData<Responses, Status extends number> = Status extends keyof Responses
  ? Responses[Status] extends { readonly data: infer Schema }
    ? JsonInput<ResponseValue<Schema>>
    : unknown
  : Undeclared<Status>;

/** The body that the responses declare for a status; `unknown` for one without a schema. */
export type DeclaredBody<Responses, Status extends number> = Status extends keyof Responses
  ? Responses[Status] extends { readonly body: infer Schema }
    ? JsonInput<ResponseValue<Schema>>
    : Responses[Status] extends { readonly schema: infer Schema extends StandardSchemaV1 }
      ? JsonInput<InferSchema<Schema>>
      : unknown
  : Undeclared<Status>;

type Elements<List> = List extends readonly (infer Element)[] ? Element : never;

/** The keys that some member of a union has. */
type KeysOf<Union> = Union extends unknown ? keyof Union : never;

type Additional<Value, Declared> =
  Exclude<keyof Value, KeysOf<Declared>> extends never
    ? unknown
    : {
        readonly [Key in Exclude<
          keyof Value,
          KeysOf<Declared>
        >]?: "this field is not declared in responses, and would be sent";
      };

/** Rejects fields that are not declared: they would be sent to the client. */
export type WithoutAdditional<Value, Declared> = unknown extends Declared
  ? unknown
  : Value extends readonly (infer Element)[]
    ? readonly Additional<Element, Elements<Declared>>[]
    : Value extends object
      ? Additional<Value, Exclude<Declared, { toJSON(): unknown }>>
      : unknown;
