import type { FetchOptions, Middleware } from "openapi-fetch";
import type { DefinedRoute, DefinedRoutes } from "../routing/define-routes.ts";
import type { RouteInput } from "./route-input.ts";
import type { IsText, Parsed, RouteAnswers } from "./route-output.ts";
import type { JoinPath, TemplateOf } from "./template-types.ts";

/** A route with the options of the group around it. Its types are computed by the calls that use it. */
export interface Endpoint<Route, Group> {
  readonly route: Route;
  readonly group: Group;
}

/** The endpoints of defined routes, by method and path template: `"GET /books/{id}"`. */
type EndpointsOf<Defined> =
  Defined extends DefinedRoutes<infer Prefix, infer Group, infer Routes>
    ? {
        [Index in keyof Routes & `${number}` as NameOf<Prefix, Routes[Index]>]: Endpoint<
          Routes[Index],
          Group
        >;
      }
    : never;

type NameOf<Prefix extends string, Route> =
  Route extends DefinedRoute<infer Method, infer Path>
    ? `${Method} ${TemplateOf<JoinPath<Prefix, Path>>}`
    : never;

/** The names of the endpoints in each member of a union. */
type NamesOf<Endpoints> = Endpoints extends unknown ? keyof Endpoints : never;

type PathsOf<Name, Method extends string> = Name extends `${Method} ${infer Path}` ? Path : never;

/** The endpoint of a name, in the member of a union that has it. */
type Find<Endpoints, Name extends string> =
  Endpoints extends Readonly<Record<Name, infer Found>> ? Found : never;

/** Options of `fetch` and of `openapi-fetch` that each call has. */
type CallSettings = Omit<FetchOptions<unknown>, "params" | "body" | "parseAs">;

/** A response that is text needs `parseAs`, because bodies are parsed as JSON by default. */
type ParseOption<Found, As> =
  IsText<Found> extends true
    ? { readonly parseAs: As extends "json" ? Exclude<keyof Parsed, "json"> : As }
    : { readonly parseAs?: As };

type OptionsOf<Found, Path, As> = CallSettings & ParseOption<Found, As> & RouteInput<Found, Path>;

/** The options of a call, which may be omitted if all of them may. */
type ArgumentsOf<Options> =
  Record<never, never> extends Options ? [options?: Options] : [options: Options];

type IsUnion<Type, All = Type> = Type extends unknown
  ? [All] extends [Type]
    ? false
    : true
  : never;

/** For an unknown path the compiler takes all paths; a message about their options would hide that one. */
type ArgumentsOfOne<Paths, Path, Arguments> = [Paths] extends [Path]
  ? IsUnion<Paths> extends true
    ? [options?: object]
    : Arguments
  : Arguments;

/** Calls the routes of one method. `Found` is not given: with it, the compiler searches once for each call. */
type RouteCall<Endpoints, Method extends string, Paths extends string> = <
  Path extends Paths,
  As extends keyof Parsed = "json",
  Found = Find<Endpoints, `${Method} ${Path}`>,
>(
  path: Path,
  ...options: ArgumentsOfOne<Paths, Path, ArgumentsOf<OptionsOf<Found, Path, As>>>
) => Promise<RouteAnswers<Found, As>>;

type CallsOf<Endpoints, Method extends string> = RouteCall<
  Endpoints,
  Method,
  PathsOf<NamesOf<Endpoints>, Method>
>;

/**
 * Typed client of the routes of `defineRoutes`; of several with a union of their types. Each method resolves to
 * `status`, `data` and `response`, and rejects with a `ProblemError` for an unsuccessful status.
 */
export interface RouteClient<Defined extends DefinedRoutes> {
  /** Calls the `GET` route of a path. */
  readonly GET: CallsOf<EndpointsOf<Defined>, "GET">;
  /** Calls the `POST` route of a path. */
  readonly POST: CallsOf<EndpointsOf<Defined>, "POST">;
  /** Calls the `PUT` route of a path. */
  readonly PUT: CallsOf<EndpointsOf<Defined>, "PUT">;
  /** Calls the `PATCH` route of a path. */
  readonly PATCH: CallsOf<EndpointsOf<Defined>, "PATCH">;
  /** Calls the `DELETE` route of a path. */
  readonly DELETE: CallsOf<EndpointsOf<Defined>, "DELETE">;
  /** Adds openapi-fetch middleware. */
  use(...middleware: Middleware[]): void;
}
