import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";
import type { Strict } from "../validation/strict-options.ts";
import type {
  GroupSurroundings,
  HandlerContext,
  NoSurroundings,
  OptionsAfterHandler,
  RegisteredHandler,
  StrictOptions,
  Surroundings,
} from "./handler-context.ts";
import type { JoinParams, NoParams } from "./path-types.ts";
import type { ControllerClass, GroupOptions, RouteOptions } from "./route.ts";

declare const routeTypes: unique symbol;

/**
 * A route of {@link defineRoutes}.
 *
 * @typeParam Controller the class of its handler; `ControllerClass` itself for a function
 * @typeParam Returned what the function returns
 */
export interface DefinedRoute<
  Method extends string = string,
  Path extends string = string,
  Controller = unknown,
  Returned = unknown,
  Options = unknown,
> {
  /** HTTP method in upper case. */
  readonly method: Method;
  /** Pattern within the prefix of its routes. */
  readonly path: Path;
  /** Controller or function that handles requests. */
  readonly handler: RegisteredHandler;
  /** Options of the route, as for the methods of the router. */
  readonly options: RouteOptions | undefined;
  /** Exists for TypeScript only. */
  readonly [routeTypes]?: readonly [Controller, Returned, Options];
}

/**
 * Routes under a prefix, as returned by {@link defineRoutes}: `router.include` registers them, and a client is
 * inferred from their type.
 */
export interface DefinedRoutes<
  Prefix extends string = string,
  Options = unknown,
  Routes extends readonly DefinedRoute[] = readonly DefinedRoute[],
> {
  /** Path before that of each route. */
  readonly prefix: Prefix;
  /** Options of the group that the routes are registered as. */
  readonly options: GroupOptions;
  /** The routes in the order of their definition. */
  readonly routes: Routes;
  /** Exists for TypeScript only. */
  readonly [routeTypes]?: Options;
}

type Returnable = Response | Promise<Response>;

/** Defines a route of one method; see the method of the router with the same name. */
export type DefineRoute<
  Method extends string,
  Params extends object,
  Around extends Surroundings,
> = <
  Path extends string,
  Controller extends ControllerClass,
  Returned extends Returnable,
  const Options extends Strict<Options, RouteOptions> = RouteOptions,
>(
  path: Path,
  handler:
    | Controller
    | ((ctx: HandlerContext<JoinParams<Params, Path>, Around, Options>) => Returned),
  options?: OptionsAfterHandler<Options, RouteOptions>,
) => DefinedRoute<Method, Path, Controller, Returned, Options>;

/** Defines routes in the callback of {@link defineRoutes}. */
export interface RouteDefiner<
  Params extends object = NoParams,
  Around extends Surroundings = NoSurroundings,
> {
  /** Defines a route for GET, and for HEAD unless another route handles it. */
  readonly get: DefineRoute<"GET", Params, Around>;
  /** Defines a route for POST. */
  readonly post: DefineRoute<"POST", Params, Around>;
  /** Defines a route for PUT. */
  readonly put: DefineRoute<"PUT", Params, Around>;
  /** Defines a route for PATCH. */
  readonly patch: DefineRoute<"PATCH", Params, Around>;
  /** Defines a route for DELETE. */
  readonly delete: DefineRoute<"DELETE", Params, Around>;
}

/**
 * Defines routes as a value, which {@link Router.include} registers as a group, and from whose type
 * `createClient` of `espalier/client` infers a client without generated files.
 *
 * ```ts
 * export const books = defineRoutes("/books", { middleware: ["auth"] }, (r) => [
 *   r.get("/:id", ShowBook),
 *   r.post("/", (ctx) => created({ title: ctx.validated.body.title }), {
 *     body: { title: { type: "string", required: true } },
 *   }),
 * ]);
 *
 * app.getRouter().include(books);
 * const client = createClient<typeof books>({ baseUrl: "https://api.example.org" });
 * ```
 *
 * @param define returns the routes; an invalid one throws when it is registered
 * @throws EspalierError `ERR_ROUTE_BAD_OPTION` if the callback does not return a list
 */
export function defineRoutes<
  const Prefix extends string,
  const Routes extends readonly DefinedRoute[],
>(
  prefix: Prefix,
  define: (routes: RouteDefiner<JoinParams<NoParams, Prefix>>) => Routes,
): DefinedRoutes<Prefix, unknown, Routes>;
export function defineRoutes<
  const Prefix extends string,
  const Options extends StrictOptions<Options, GroupOptions>,
  const Routes extends readonly DefinedRoute[],
>(
  prefix: Prefix,
  options: Options,
  define: (
    routes: RouteDefiner<JoinParams<NoParams, Prefix>, GroupSurroundings<NoSurroundings, Options>>,
  ) => Routes,
): DefinedRoutes<Prefix, Options, Routes>;
export function defineRoutes(
  prefix: string,
  first: GroupOptions | DefineCallback,
  second?: DefineCallback,
): DefinedRoutes {
  const define = typeof first === "function" ? first : second;
  const options = typeof first === "function" ? {} : first;
  const routes: unknown = define?.(createDefiner());
  if (Array.isArray(routes)) return { prefix, options, routes };
  throw new EspalierError(
    "ERR_ROUTE_BAD_OPTION",
    `The callback of defineRoutes(${describe(prefix)}) must return a list of routes, such as ` +
      `(r) => [r.get("/", …)], got ${describe(routes)}.`,
  );
}

type DefineCallback = (routes: RouteDefiner) => readonly DefinedRoute[];

function createDefiner(): RouteDefiner {
  const define =
    (method: string) =>
    (path: string, handler: RegisteredHandler, options?: RouteOptions): DefinedRoute => ({
      method,
      path,
      handler,
      options,
    });
  const definer = {
    get: define("GET"),
    post: define("POST"),
    put: define("PUT"),
    patch: define("PATCH"),
    delete: define("DELETE"),
  };
  // Unchecked cast: the types of a route exist for TypeScript only.
  return definer as unknown as RouteDefiner;
}

/**
 * Checks and returns the argument of `include`.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_OPTION` if `defineRoutes` has not created it
 */
export function checkDefined<Defined extends { readonly routes: unknown }>(
  given: Defined,
): Defined {
  if (Array.isArray(given?.routes)) return given;
  throw new EspalierError(
    "ERR_ROUTE_BAD_OPTION",
    `include() must get the result of defineRoutes(), got ${describe(given)}.`,
  );
}
