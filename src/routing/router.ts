import type { RouteName } from "../register.ts";
import type { Strict } from "../validation/strict-options.ts";
import { createMatcher } from "./create-matcher.ts";
import { checkDefined, type DefinedRoutes } from "./define-routes.ts";
import {
  createRootScope,
  enterGroup,
  type GroupScope,
  joinRouteName,
  patternInScope,
  type SharedWithGroup,
} from "./group.ts";
import type {
  GroupSurroundings,
  HandlerOf,
  NoSurroundings,
  OptionsAfterHandler,
  RegisteredHandler,
  StrictOptions,
  Surroundings,
} from "./handler-context.ts";
import { documentationOf } from "./option-names.ts";
import type { JoinParams, NoParams } from "./path-types.ts";
import {
  checkGroup,
  checkHandler,
  checkMethods,
  checkResource,
  checkRouteOptions,
  checkSynchronous,
} from "./registration.ts";
import { type ResourceHandlers, type ResourceOptions, resourceActions } from "./resource.ts";
import type {
  ControllerClass,
  GroupOptions,
  RouteDescription,
  RouteOptions,
  RouteRecord,
} from "./route.ts";
import { documentationWith, middlewareOf, validationOf } from "./route-layers.ts";
import type { RouteMatch, RouteMatcher } from "./route-match.ts";
import { RouteTable, type RouteTableParts } from "./route-table.ts";
import type { UrlArguments, UrlParams } from "./url.ts";

/** Options of a router, which apply to all its routes. */
export interface RouterOptions {
  /** `"ignore"` (the default): `/a/` equals `/a`. `"strict"`: they are different paths. */
  readonly trailingSlash?: "ignore" | "strict";
}

/** Registers the routes of a group. */
export type GroupCallback<Params extends object, Around extends Surroundings = NoSurroundings> = (
  router: Router<Params, Around>,
) => void;

/**
 * Registers routes and finds them.
 *
 * ```ts
 * router.get("/books/:id", ShowBook, { middleware: ["auth"], name: "books.show" });
 * router.group("/admin", { middleware: ["auth", "can:administer"] }, (admin) => {
 *   admin.delete("/books/:id", DeleteBook);
 * });
 * router.url("books.show", { id: 7 }); // "/books/7"
 * ```
 *
 * Every registration method throws immediately if the route is invalid, with an EspalierError that names the
 * route: a malformed pattern, a shape or name that is taken, an invalid handler, or an unknown option.
 *
 * @typeParam Params the parameters in the prefixes of the groups around this router
 * @typeParam Around the types that these groups contribute to the context of handlers
 */
export class Router<
  Params extends object = NoParams,
  Around extends Surroundings = NoSurroundings,
> {
  readonly #table: RouteTable;
  readonly #scope: GroupScope;

  /** @param parts those of a new table; or what a group's router shares, for `group` alone */
  constructor(options: RouterOptions, parts: RouteTableParts | SharedWithGroup) {
    if ("table" in parts) {
      this.#table = parts.table;
      this.#scope = parts.scope;
      return;
    }
    const ignoreTrailingSlash = options.trailingSlash !== "strict";
    this.#table = new RouteTable(createMatcher({ ignoreTrailingSlash }), parts);
    this.#scope = createRootScope();
  }

  /** Registers a route for GET, and for HEAD unless another route handles it. */
  get<Path extends string, const Options extends Strict<Options, RouteOptions> = RouteOptions>(
    path: Path,
    handler: HandlerOf<Params, Path, Around, Options>,
    options?: OptionsAfterHandler<Options, RouteOptions>,
  ): this {
    return this.#register("GET", path, handler, options);
  }

  /** Registers a route for POST. */
  post<Path extends string, const Options extends Strict<Options, RouteOptions> = RouteOptions>(
    path: Path,
    handler: HandlerOf<Params, Path, Around, Options>,
    options?: OptionsAfterHandler<Options, RouteOptions>,
  ): this {
    return this.#register("POST", path, handler, options);
  }

  /** Registers a route for PUT. */
  put<Path extends string, const Options extends Strict<Options, RouteOptions> = RouteOptions>(
    path: Path,
    handler: HandlerOf<Params, Path, Around, Options>,
    options?: OptionsAfterHandler<Options, RouteOptions>,
  ): this {
    return this.#register("PUT", path, handler, options);
  }

  /** Registers a route for PATCH. */
  patch<Path extends string, const Options extends Strict<Options, RouteOptions> = RouteOptions>(
    path: Path,
    handler: HandlerOf<Params, Path, Around, Options>,
    options?: OptionsAfterHandler<Options, RouteOptions>,
  ): this {
    return this.#register("PATCH", path, handler, options);
  }

  /** Registers a route for DELETE. */
  delete<Path extends string, const Options extends Strict<Options, RouteOptions> = RouteOptions>(
    path: Path,
    handler: HandlerOf<Params, Path, Around, Options>,
    options?: OptionsAfterHandler<Options, RouteOptions>,
  ): this {
    return this.#register("DELETE", path, handler, options);
  }

  /** Registers a route for OPTIONS, replacing the automatic response that lists the allowed methods. */
  options<Path extends string, const Options extends Strict<Options, RouteOptions> = RouteOptions>(
    path: Path,
    handler: HandlerOf<Params, Path, Around, Options>,
    options?: OptionsAfterHandler<Options, RouteOptions>,
  ): this {
    return this.#register("OPTIONS", path, handler, options);
  }

  /** Registers a route for HEAD, replacing the one for GET. */
  head<Path extends string, const Options extends Strict<Options, RouteOptions> = RouteOptions>(
    path: Path,
    handler: HandlerOf<Params, Path, Around, Options>,
    options?: OptionsAfterHandler<Options, RouteOptions>,
  ): this {
    return this.#register("HEAD", path, handler, options);
  }

  /** Registers a route for all methods that have no other route on this path. */
  all<Path extends string, const Options extends Strict<Options, RouteOptions> = RouteOptions>(
    path: Path,
    handler: HandlerOf<Params, Path, Around, Options>,
    options?: OptionsAfterHandler<Options, RouteOptions>,
  ): this {
    return this.#register("ALL", path, handler, options);
  }

  /** Registers one route for each of several methods, in upper case. */
  match<Path extends string, const Options extends Strict<Options, RouteOptions> = RouteOptions>(
    methods: readonly string[],
    path: Path,
    handler: HandlerOf<Params, Path, Around, Options>,
    options?: OptionsAfterHandler<Options, RouteOptions>,
  ): this {
    checkMethods(methods, path);
    this.#table.addAll(() => {
      this.#registerAll([...new Set(methods)], path, handler, options);
    });
    return this;
  }

  /**
   * Registers routes under a prefix. Middleware, rules and names of groups precede those of the groups and
   * routes inside; `/` inside is the prefix itself.
   */
  group<Prefix extends string, const Options extends Strict<Options, GroupOptions> = GroupOptions>(
    prefix: Prefix,
    callback: GroupCallback<JoinParams<Params, Prefix>, GroupSurroundings<Around, Options>>,
    options?: OptionsAfterHandler<Options, GroupOptions>,
  ): this;
  group<Prefix extends string, const Options extends StrictOptions<Options, GroupOptions>>(
    prefix: Prefix,
    options: Options,
    callback: GroupCallback<JoinParams<Params, Prefix>, GroupSurroundings<Around, Options>>,
  ): this;
  group(prefix: string, first: unknown, second?: unknown): this {
    const callback = typeof first === "function" ? first : second;
    const options = (typeof first === "function" ? second : first) ?? {};
    checkGroup(prefix, callback, options);
    if (typeof callback === "function" && typeof options !== "function") {
      checkSynchronous(prefix, callback(this.#within(prefix, options)));
    }
    return this;
  }

  /**
   * Registers the actions of a resource: `index` GET /, `store` POST /, `show` GET /:id, `update`
   * PUT and PATCH /:id, `destroy` DELETE /:id.
   *
   * With the option `name: "books"` the routes are named `books.index` and so on.
   */
  resource<
    Path extends string,
    Param extends string = "id",
    const Options extends Strict<Options, ResourceOptions<Param>> = ResourceOptions<Param>,
  >(
    path: Path,
    handlers: ResourceHandlers<
      JoinParams<Params, Path>,
      JoinParams<Params, Path> & Record<Param, string>,
      GroupSurroundings<Around, Options>
    >,
    options?: OptionsAfterHandler<Options, ResourceOptions<Param>>,
  ): this {
    const { param = "id", ...groupOptions }: ResourceOptions = options ?? {};
    checkResource(path, handlers, param);
    checkGroup(path, () => {}, groupOptions);
    const router = this.#within(path, groupOptions);
    const isGroupItself = path === "/" || (path as string) === "";
    const isNamed = groupOptions.name !== undefined || (isGroupItself && this.#scope.hasOwnName);
    this.#table.addAll(() => {
      for (const { action, methods, path: actionPath } of resourceActions(param)) {
        const handler = handlers[action];
        if (handler === undefined) continue;
        router.#registerAll(methods, actionPath, handler, isNamed ? { name: action } : {});
      }
    });
    return this;
  }

  /** Registers the routes of `defineRoutes` as a group, or none of them if one is invalid. */
  include(defined: DefinedRoutes): this {
    const { prefix, options, routes } = checkDefined(defined);
    this.#table.addAll(() => {
      this.group(prefix, options, (group) => {
        for (const route of routes) {
          group.#register(route.method, route.path, route.handler, route.options);
        }
      });
    });
    return this;
  }

  /**
   * Returns the path of a named route: `router.url("books.show", { id: 7 }, { page: 2 })` is
   * `/books/7?page=2`.
   *
   * Values are percent-encoded, wildcards keep their slashes, and values without a matching parameter are
   * ignored.
   *
   * @throws EspalierError for an unknown name, a missing value, or a value that would lead to another route
   */
  url<const Name extends RouteName>(name: Name, ...[params, query]: UrlArguments<Name>): string {
    return this.#table.url(name, (params ?? {}) as UrlParams, query ?? {});
  }

  /** Lists all registered routes in registration order, for tools. */
  routes(): readonly RouteDescription[] {
    return this.records.map(({ method, pattern, name, middleware, handler }) => {
      return { method, pattern, name, middleware, handler };
    });
  }

  /** The routes with their inherited options; the index is the matcher's route index. */
  get records(): readonly RouteRecord[] {
    return this.#table.records;
  }

  /** The matcher of this router; it contains every route as soon as it is registered. */
  get matcher(): RouteMatcher {
    return this.#table.matcher;
  }

  /** Finds the route of a request by its method and absolute URL. Never throws. */
  find(method: string, url: string): RouteMatch {
    return this.#table.matcher.find(method, url);
  }

  #within(prefix: string, options: GroupOptions): Router {
    const scope = enterGroup(this.#scope, prefix, options);
    return new Router({}, { table: this.#table, scope });
  }

  /** Registers one route per method. They share a name, since they share the pattern. */
  #registerAll(
    methods: readonly string[],
    path: string,
    handler: RegisteredHandler,
    options?: RouteOptions,
  ): void {
    for (const [index, method] of methods.entries()) {
      this.#register(method, path, handler, options, index > 0);
    }
  }

  // Hot path at boot: it runs up to a thousand times before the engine compiles it, so every call counts.
  #register(
    method: string,
    path: string,
    handler: RegisteredHandler,
    options: RouteOptions = noOptions,
    sharesName = false,
  ): this {
    const table = this.#table;
    const scope = this.#scope;
    const pattern = patternInScope(scope, path);
    checkHandler(handler, method, pattern);
    let name: string | undefined;
    if (options !== noOptions) {
      checkRouteOptions(options, `${method} ${pattern}`);
      name = joinRouteName(scope.name, options.name);
      if (name !== undefined && !sharesName) table.refuseTakenName(name, method, pattern);
    }
    const parameters = table.insert(method, pattern);
    const { contract } = handler as ControllerClass;
    table.add({
      method,
      pattern,
      parameters,
      name,
      groupName: scope.name,
      // Unchecked cast: the pattern and the options determine the type of the handler's context.
      handler: handler as RouteRecord["handler"],
      middleware: middlewareOf(scope, options, contract),
      validation: options === noOptions ? scope.validation : validationOf(scope, options),
      bodyParser: options.bodyParser,
      bodyLimit: options.bodyLimit,
      internal: options.internal ?? false,
      bypassMiddleware: options.bypassMiddleware ?? false,
      documentation: documentationWith(
        options === noOptions ? noOptions : documentationOf(options),
        contract,
      ),
    });
    return this;
  }
}

/** Shared default of most routes; empty, so validation is skipped. */
const noOptions: RouteOptions = /* @__PURE__ */ Object.freeze({});
