import type { DefinedRoute } from "../routing/define-routes.ts";
import type { ControllerClass } from "../routing/route.ts";
import type { IsSourceMap } from "../validation/infer.ts";
import type { InferInput } from "../validation/infer-input.ts";
import type { Source } from "../validation/rules.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { TemplateNames } from "./template-types.ts";

/** Source of flat rules, apart from path parameters. */
type FlatSource<Method> = Method extends "GET" | "DELETE" ? "query" : "body";

/** Flat rules of a source: a field is a path parameter if the path names it. */
type FlatRules<Rules, Name extends Source, Method, Names> = Name extends "params"
  ? Pick<Rules, keyof Rules & Names>
  : Name extends FlatSource<Method>
    ? Omit<Rules, Names & string>
    : never;

type RulesOf<Validation, Name extends Source, Method, Names> = Validation extends StandardSchemaV1
  ? Name extends FlatSource<Method>
    ? Validation
    : never
  : IsSourceMap<Validation> extends true
    ? Name extends keyof Validation
      ? Validation[Name]
      : never
    : FlatRules<Validation, Name, Method, Names>;

/** Input that one layer of options reads from a source; never without rules. */
type LayerInput<Options, Name extends Source, Method, Names> =
  Options extends Readonly<Record<Name, infer Schema>>
    ? InferInput<Schema>
    : Options extends { readonly validation: infer Validation }
      ? InferInput<RulesOf<Validation, Name, Method, Names>>
      : never;

/** Fields of the later layer replace those of the earlier one. */
type Merge<Earlier, Later> = [Earlier] extends [never]
  ? Later
  : [Later] extends [never]
    ? Earlier
    : Omit<Earlier, keyof Later> & Later;

/** Input that the rules of controller, group and route, in this order, read from a source; never without rules. */
type SourceInput<Endpoint, Path, Name extends Source> = [Endpoint] extends [
  {
    readonly route: DefinedRoute<infer Method, string, infer Controller, unknown, infer Options>;
    readonly group: infer Group;
  },
]
  ? Merge<
      Merge<
        LayerInput<ContractOf<Controller>, Name, Method, TemplateNames<Path>>,
        LayerInput<Group, Name, Method, TemplateNames<Path>>
      >,
      LayerInput<Options, Name, Method, TemplateNames<Path>>
    >
  : never;

/** The contract of a controller; unknown for a function and for a class without one. */
export type ContractOf<Controller> = ControllerClass extends Controller
  ? unknown
  : Controller extends { readonly contract: infer Contract }
    ? Contract
    : unknown;

type PathInput<Names, Declared> = [Names] extends [never]
  ? never
  : {
      readonly [Name in Names & string]: [Declared] extends [never]
        ? string | number
        : Name extends keyof Declared
          ? NonNullable<Declared[Name]>
          : string | number;
    };

/** A member that is optional if all its members are; no member for `never`. */
type Member<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

type ParamsOf<Endpoint, Path> = Member<
  "path",
  PathInput<TemplateNames<Path>, SourceInput<Endpoint, Path, "params">>
> &
  Member<"query", SourceInput<Endpoint, Path, "query">> &
  Member<"header", SourceInput<Endpoint, Path, "headers">>;

/** A body with a file is sent as a form. */
type BodyOf<Sent> = [Sent] extends [never]
  ? never
  : [Extract<Sent[keyof Sent], Blob | readonly Blob[]>] extends [never]
    ? Sent
    : FormData;

/** The members `params` and `body` of a call. */
export type RouteInput<Endpoint, Path> = (unknown extends ParamsOf<Endpoint, Path>
  ? unknown
  : Member<"params", ParamsOf<Endpoint, Path>>) &
  Member<"body", BodyOf<SourceInput<Endpoint, Path, "body">>>;
