import type { RequestContext } from "../http/context.ts";
import type { AddedMembers } from "../pipeline/added-members.ts";
import type { MiddlewareReference } from "../pipeline/registry.ts";
import type { InferSchema, InferValidated, IsSourceMap } from "../validation/infer.ts";
import type { Source } from "../validation/rules.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { Strict } from "../validation/strict-options.ts";
import type { JoinParams } from "./path-types.ts";
import type { ControllerClass, RouteOptions } from "./route.ts";

/** Shape of the validated values: one object of all fields, grouped by source, or a schema's output. */
type Shape = "none" | "flat" | "sources" | "schema";

/** Types that the groups around a route contribute to the context of its handler. */
export interface Surroundings {
  /** Members that the middleware of the groups adds. */
  readonly added: unknown;
  /** Values that the rules of the groups validate. */
  readonly validated: unknown;
  readonly shape: Shape;
}

/** The surroundings of a route outside groups. */
export interface NoSurroundings extends Surroundings {
  readonly shape: "none";
}

type ShapeOf<Rules> = Rules extends StandardSchemaV1
  ? "schema"
  : IsSourceMap<Rules> extends true
    ? "sources"
    : "flat";

/**
 * The values that `Rules` validate inside of groups. Rules by source group the values of all layers by source;
 * flat ones are combined with flat ones. For all other combinations the type is unknown.
 */
type ValidatedWithin<Around extends Surroundings, Rules> =
  ShapeOf<Rules> extends "sources"
    ? InferValidated<Rules>
    : Around["shape"] extends "none"
      ? InferValidated<Rules>
      : [Around["shape"], ShapeOf<Rules>] extends ["flat", "flat"]
        ? Omit<Around["validated"], keyof InferValidated<Rules>> & InferValidated<Rules>
        : unknown;

/** The surroundings of the routes in a group with these options. */
export interface GroupSurroundings<Around extends Surroundings, Options> {
  readonly added: Around["added"] & AddedMembers<Options>;
  readonly validated: Options extends { readonly validation: infer Rules }
    ? ValidatedWithin<Around, Rules>
    : Around["validated"];
  readonly shape: Options extends { readonly validation: infer Rules }
    ? ShapeOf<Rules>
    : Around["shape"];
}

/** `ctx.validated` of a route without rules of its own; no member if its groups have none either. */
type ValidatedByGroups<Around extends Surroundings> = Around["shape"] extends "none"
  ? unknown
  : { readonly validated: Around["validated"] };

/** `ctx.validated` of a route with these options. */
type Validated<Around extends Surroundings, Options> = Options extends {
  readonly validation: infer Rules;
}
  ? { readonly validated: ValidatedWithin<Around, Rules> }
  : [keyof Options & Source] extends [never]
    ? ValidatedByGroups<Around>
    : { readonly validated: { [Name in keyof Options & Source]: InferSchema<Options[Name]> } };

/**
 * The context of a handler function: typed by the pattern, by the groups around the route, and by its options.
 */
export type HandlerContext<
  Params extends object,
  Around extends Surroundings,
  Options,
> = RouteOptions extends Options
  ? RequestContext<Params> & Around["added"] & ValidatedByGroups<Around>
  : RequestContext<Params> & Around["added"] & AddedMembers<Options> & Validated<Around, Options>;

/** Options in which an unknown name, or an unknown key of a rule, does not compile. */
export type StrictOptions<Options, Known> = Known & Strict<Options, Known>;

/**
 * Argument with options behind a handler, or a callback, whose types depend on them. `Options` must extend
 * {@link Strict}; this type checks the values.
 *
 * The compiler infers nothing from a value with functions that need their context, such as `middleware: [async (ctx,
 * next) => …]`, before the types of the handler are fixed, except from the other members of a mapped type, or the
 * other elements of a mapped list.
 */
export type OptionsAfterHandler<Options, Known> = Checked<
  "middleware" extends keyof Options
    ? {
        readonly [Name in keyof Options]: "middleware" extends Name
          ? MiddlewareList<Options[Name]>
          : Options[Name];
      }
    : Options,
  Known
>;

/** Intersecting the two would compare a schema that contains itself without end. */
type Checked<Options, Known> = Options extends Known ? Options : Known;

/**
 * A list of middleware with its own types; in place of an element that is no middleware, what is expected there. A
 * literal of unknown length, such as `[...protected, "auth"]`, has to be a plain list.
 */
type MiddlewareList<List> =
  number extends LengthOf<List>
    ? readonly MiddlewareReference[]
    : {
        readonly [Index in keyof List]: List[Index] extends MiddlewareReference
          ? List[Index]
          : MiddlewareReference;
      };

type LengthOf<List> = List extends { readonly length: infer Length } ? Length : never;

/** A handler whose context type has been checked by the method that registers it. */
export type RegisteredHandler = ControllerClass | ((ctx: never) => Response | Promise<Response>);

/** Handler of a route: a controller class, or a function of a context with these types. */
export type HandlerOf<
  Params extends object,
  Path extends string,
  Around extends Surroundings,
  Options,
> =
  | ControllerClass
  | ((
      ctx: HandlerContext<JoinParams<Params, Path>, Around, Options>,
    ) => Response | Promise<Response>);
