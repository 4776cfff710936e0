import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import type {
  InferRule,
  InferRules,
  InferSchema,
  InferValidated,
} from "../../src/validation/infer.ts";
import type {
  LooseRouteValidation,
  RouteValidation,
  RuleMap,
  SourceMap,
  ValidationRule,
} from "../../src/validation/rules.ts";

/*
 * Types that are inferred from rules, checked by the compiler alone: nothing in here runs.
 */

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expectType<A, B>(isEqual: Equal<A, B>): void;

declare function ofRules<const Rules extends RuleMap>(rules: Rules): InferRules<Rules>;
declare function ofRoute<const Validation extends RouteValidation>(
  validation: Validation,
): InferValidated<Validation>;
declare function controllerFor<const Schemas extends SourceMap>(
  schemas: Schemas,
): { [Name in keyof Schemas]: InferSchema<Schemas[Name]> };

// Every type, without an annotation and without `as const`.
const types = ofRules({
  text: { type: "string", required: true },
  number: { type: "number", required: true },
  flag: { type: "boolean", required: true },
  list: { type: "array", required: true },
  integer: { type: "integer", required: true },
  object: { type: "object", required: true },
  email: { type: "email", required: true },
  url: { type: "url", required: true },
  uuid: { type: "uuid", required: true },
  date: { type: "date", required: true },
  file: { type: "file", required: true },
  any: { required: true },
});
expectType<
  typeof types,
  {
    text: string;
    number: number;
    flag: boolean;
    list: unknown[];
    integer: number;
    object: Record<string, unknown>;
    email: string;
    url: string;
    uuid: string;
    date: string;
    file: File;
    any: unknown;
  }
>(true);

// Presence, null, members, elements and nested rules.
const keys = ofRules({
  optional: { type: "string", required: false },
  fallback: { type: "integer", default: 1 },
  emptyList: { type: "array", items: { type: "string" }, default: [] },
  nullable: { type: "string", nullable: true, required: true },
  nullByDefault: { type: "string", default: null },
  role: { enum: ["admin", "user"], required: true },
  page: { type: "integer", enum: [1, 2] },
  ids: { type: "array", items: { type: "uuid" }, required: true },
  grid: { items: { items: { type: "number", nullable: true } } },
  address: {
    required: true,
    schema: { city: { type: "string", required: true }, zip: { type: "string" } },
  },
  people: { items: { schema: { name: { type: "string", required: true } } } },
  book: { required: true, schema: z.object({ title: z.string() }) },
});
expectType<
  typeof keys,
  {
    fallback: number;
    emptyList: string[];
    nullable: string | null;
    nullByDefault: string | null;
    role: "admin" | "user";
    ids: string[];
    address: { city: string; zip?: string };
    book: { title: string };
    optional?: string;
    page?: 1 | 2;
    grid?: (number | null)[][];
    people?: { name: string }[];
  }
>(true);

// Dotted names.
const dotted = ofRules({
  name: { type: "string", required: true },
  "address.city": { type: "string", required: true },
  "address.geo.lat": { type: "number" },
  "meta.note": { type: "string" },
  "paging.size": { type: "integer", default: 20 },
  items: { type: "array", required: true, min: 1 },
  "items.*.id": { type: "integer", required: true },
  "items.*.tags.*": { type: "string" },
  "ids.*": { type: "uuid" },
  parent: { type: "object", nullable: true, required: true },
  "parent.id": { type: "integer", required: true },
});
expectType<
  typeof dotted,
  {
    name: string;
    address: { city: string; geo?: { lat?: number } };
    paging: { size: number };
    items: { id: number; tags?: string[] }[];
    parent: { id: number } | null;
    meta?: { note?: string };
    ids?: string[];
  }
>(true);

// The value that `custom` is given follows the type; the context is the request's.
ofRules({
  name: { type: "string", custom: (value) => value.trim() !== "" },
  age: { type: "integer", custom: async (value, ctx) => value > 1 || `not for ${ctx.id}` },
  any: { custom: (value) => typeof value === "string" },
  // @ts-expect-error a number is not a string
  size: { type: "number", custom: (value) => value.trim() !== "" },
});

// Sources, each with rules or with the schema of a library.
const input = controllerFor({
  params: { id: { type: "integer", required: true } },
  query: v.object({ page: v.optional(v.number()) }),
  body: z.object({ at: z.string().transform((text) => new Date(text)) }),
  headers: type({ "x-version": "'1' | '2'" }),
});
expectType<(typeof input)["params"], { id: number }>(true);
expectType<(typeof input)["query"], { page?: number | undefined }>(true);
expectType<(typeof input)["body"], { at: Date }>(true);
expectType<(typeof input)["headers"], { "x-version": "1" | "2" }>(true);
// @ts-expect-error an unknown parameter
input.params.name;
// @ts-expect-error no such source has been named
controllerFor({ body: { a: {} } }).query;

// A whole validation: by source, flat, or a schema.
const bySource = ofRoute({ body: { name: { type: "string", required: true } }, query: {} });
expectType<(typeof bySource)["body"], { name: string }>(true);
const flat = ofRoute({ body: { type: "string", required: true }, query: { type: "integer" } });
expectType<typeof flat, { body: string; query?: number }>(true);
const whole = ofRoute(z.object({ name: z.string() }));
expectType<typeof whole, { name: string }>(true);
const list = ofRoute(z.array(z.number()));
expectType<typeof list, number[]>(true);

// Where literals are lost, so are the types.
expectType<InferRules<RuleMap>, Record<string, unknown>>(true);
expectType<InferRule<{ type: "string"; nullable: boolean }>, string>(true);

// What a rule cannot be.
// @ts-expect-error no such type
ofRules({ name: { type: "strin" } });
// @ts-expect-error a bound is a number
ofRules({ name: { type: "string", min: "1" } });
// @ts-expect-error a pattern is a RegExp
ofRules({ name: { pattern: "^a$" } });
// @ts-expect-error the default is not of the type
ofRules({ name: { type: "integer", default: "1" } });
// @ts-expect-error no such source
controllerFor({ bodi: { name: { type: "string" } } });
// @ts-expect-error an unknown key, where the type is written down
export const misspelt: ValidationRule = { type: "string", requird: true };
// @ts-expect-error the same in a map
export const misspeltMap: RouteValidation = { name: { type: "string", requird: true } };

// A schema that is a field of a class, without `as const`.
class Base {
  protected readonly schema: LooseRouteValidation = {};
}
export class Flat extends Base {
  protected override readonly schema = {
    name: { required: true, type: "string", min: 2, custom: (value: string) => value !== "x" },
    tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    address: { schema: { city: { type: "string" } } },
  };
}
export class BySource extends Base {
  protected override readonly schema = {
    query: { page: { type: "integer", default: 1 } },
    body: z.object({ name: z.string() }),
  };
}
export const loose: readonly LooseRouteValidation[] = [
  {} satisfies RouteValidation,
  { name: { type: "string" } } satisfies RouteValidation,
];
