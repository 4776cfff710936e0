type Callable = (...args: never[]) => unknown;

/** Values that JSON omits: a member of an object is left out, an element of an array becomes null. */
type Omitted = symbol | Callable | undefined;

/** One element of an array after JSON: an omitted value is null. */
type JsonElement<Item> = Item extends Omitted ? null : Jsonify<Item>;

type JsonObject<Value extends object> = {
  [Key in keyof Value as Key extends string | number
    ? Value[Key] extends symbol | Callable
      ? never
      : Key
    : never]: Jsonify<Value[Key]>;
};

/**
 * The type of a value after `JSON.parse(JSON.stringify(value))`: a `Date` is a string, methods are omitted,
 * `undefined` in an array is null, a `Map` is an empty object. A bigint, which JSON refuses, is `never`.
 *
 * @example Jsonify<{ at: Date; sizes: (number | undefined)[] }> // { at: string; sizes: (number | null)[] }
 */
export type Jsonify<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends { toJSON(...args: never[]): infer Written }
    ? Jsonify<Written>
    : Value extends bigint | symbol | Callable
      ? never
      : Value extends readonly unknown[]
        ? { [Index in keyof Value]: JsonElement<Value[Index]> }
        : Value extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? Record<never, never>
          : Value extends object
            ? JsonObject<Value>
            : unknown;

/**
 * {@link Jsonify} that returns `Value` itself if JSON does not change it, so that `Book` remains `Book` in
 * error messages and editors. The type of a cached value and of a job's payload.
 */
export type FromJson<Value> = [Value] extends [Jsonify<Value>]
  ? [Jsonify<Value>] extends [Value]
    ? Value
    : Jsonify<Value>
  : Jsonify<Value>;

/**
 * Types whose JSON is `Json`: a string may be given as a `Date` or any other object with that result of
 * `toJSON`, also inside arrays and objects.
 */
export type JsonInput<Json> = Json extends string | number | boolean | null
  ? Json | { toJSON(): Json }
  : Json extends undefined
    ? Json
    : Json extends readonly (infer Element)[]
      ? readonly JsonInput<Element>[]
      : Json extends object
        ? { readonly [Key in keyof Json]: JsonInput<Json[Key]> } | { toJSON(): Json }
        : Json;
