import type { RequestContext } from "../http/context.ts";
import type { MiddlewareReference } from "../pipeline/registry.ts";
import type { RouteValidation } from "../validation/rules.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";

/** A class whose instances answer requests; one is made for each request. */
export interface ControllerClass {
  new (...dependencies: never[]): { handle(ctx: RequestContext): Response | Promise<Response> };
  /** Names of the services that the constructor gets. */
  readonly inject?: readonly string[];
  /** Rules that belong to the class; the route's come over them. */
  readonly validation?: RouteValidation;
}

/** A plain function as handler, for small endpoints. */
export type RouteFunction<Params extends object = Record<string, string>> = (
  ctx: RequestContext<Params>,
) => Response | Promise<Response>;

/** What answers a route: a controller class or a function. */
export type RouteHandler<Params extends object = Record<string, string>> =
  | ControllerClass
  | RouteFunction<Params>;

/** What the OpenAPI description says about a response. */
export interface ResponseDocumentation {
  /** What the response means; by default the status's reason phrase. */
  readonly description?: string;
  /** Media type; default `application/json` when there is a schema or an example. */
  readonly type?: string;
  /** A JSON Schema (2020-12), or a Standard Schema that knows its JSON Schema. */
  readonly schema?: Readonly<Record<string, unknown>> | StandardSchemaV1;
  /** A body. */
  readonly example?: unknown;
}

/** What the OpenAPI description says about a route beside its path and its rules. */
export interface RouteDocumentation {
  /** What the route does, in one line. */
  readonly summary?: string;
  /** The same at length, in CommonMark. */
  readonly description?: string;
  /** The groups it is listed in; by default that of its router group, else the first segment of its path. */
  readonly tags?: readonly string[];
  /** Advises against the route; default false. */
  readonly deprecated?: boolean;
  /** What generated clients call it; by default the route's name, else method and path. */
  readonly operationId?: string;
  /** Examples of the request body, by name. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Descriptions of parameters and of fields of the body, by their names. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Media types that the body may have; by default JSON, or multipart when there are files. */
  readonly bodyTypes?: readonly string[];
  /** The responses that the handler gives, by status; a text is the description. */
  readonly responses?: Readonly<Record<number, string | ResponseDocumentation>>;
}

/** The options of one route. */
export interface RouteOptions extends RouteDocumentation {
  /** Names of registered middleware, `"can:edit"` with an argument, or middleware itself. */
  readonly middleware?: readonly MiddlewareReference[];
  /** Rules for the input, over those of the controller and of the groups. */
  readonly validation?: RouteValidation;
  /** What `router.url` calls the route; behind the names of its groups and a dot. */
  readonly name?: string;
  /** `false` leaves the body unread, for a handler that streams it. */
  readonly bodyParser?: boolean;
  /** Bytes that the body may have, instead of the application's limit. */
  readonly bodyLimit?: number;
  /** `true` for a route of tools: it is not in the OpenAPI description, and not rate limited. */
  readonly internal?: boolean;
  /** `true` answers before global middleware, which then does not run for this route. */
  readonly bypassMiddleware?: boolean;
}

/** The options of a group; they apply to all routes nested in it. */
export type GroupOptions = Pick<RouteOptions, "middleware" | "validation" | "name">;

/** A registered route, with all that it inherits from its groups. */
export interface RouteRecord {
  /** `"ALL"` for a route of every method. */
  readonly method: string;
  /** The whole pattern, with the prefixes of its groups. */
  readonly pattern: string;
  /** The names of the parameters in the pattern, from left to right. */
  readonly parameters: readonly string[];
  readonly name: string | undefined;
  /** The joined name of the groups around it; undefined when none has a name. */
  readonly groupName: string | undefined;
  /** What answers it. */
  readonly handler: ControllerClass | RouteFunction;
  /** Of the groups, outer first, then of the route, in the order they run. */
  readonly middleware: readonly MiddlewareReference[];
  /** Of the groups, outer first, then of the route: a later one wins over an earlier. */
  readonly validation: readonly RouteValidation[];
  /** False leaves the body unread; undefined for what the application does. */
  readonly bodyParser: boolean | undefined;
  /** Bytes; undefined for the application's limit. */
  readonly bodyLimit: number | undefined;
  /** Whether it is a route of tools: neither described nor limited. */
  readonly internal: boolean;
  /** Whether it is answered before global middleware. */
  readonly bypassMiddleware: boolean;
  /** What the OpenAPI description says about it. */
  readonly documentation: RouteDocumentation;
}

/** What `routes()` tells of a route. */
export type RouteDescription = Pick<
  RouteRecord,
  "method" | "pattern" | "name" | "middleware" | "handler"
>;

/** Whether a handler is a controller class, as opposed to a function. */
export function isControllerClass(handler: unknown): handler is ControllerClass {
  if (typeof handler !== "function") return false;
  const prototype: unknown = handler.prototype;
  return (
    typeof prototype === "object" &&
    prototype !== null &&
    "handle" in prototype &&
    typeof prototype.handle === "function"
  );
}
