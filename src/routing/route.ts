import type { RequestContext } from "../http/context.ts";
import type { MiddlewareReference } from "../pipeline/registry.ts";
import { hasMethods } from "../util/has-methods.ts";
import type { RouteValidation, RuleMap, SourceMap } from "../validation/rules.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";

/** A class whose instances handle requests; instantiated for each request. */
export interface ControllerClass {
  new (...dependencies: never[]): { handle(ctx: RequestContext): Response | Promise<Response> };
  /** Names of the services passed to the constructor. */
  readonly inject?: readonly string[];
  /** Rules of the class; those of the route override them. */
  readonly validation?: RouteValidation | undefined;
  /** The argument of `Controller.for`. */
  readonly contract?: HandlerContract;
}

/** The contract of a controller, as its routes read it. */
export interface HandlerContract extends SourceMap {
  /** Names of the services in `this.services`; promises are awaited. */
  readonly inject?: readonly string[];
  /** Middleware of each of its routes, after that of the groups and of the route, unless listed there. */
  readonly middleware?: readonly MiddlewareReference[];
  /** The responses of its handler, by status; those of the route's options override them. */
  readonly responses?: ResponseDocumentations;
}

/** A handler function, for small endpoints. */
export type RouteFunction<Params extends object = Record<string, string>> = (
  ctx: RequestContext<Params>,
) => Response | Promise<Response>;

/** Handler of a route: a controller class or a function. */
export type RouteHandler<Params extends object = Record<string, string>> =
  | ControllerClass
  | RouteFunction<Params>;

/** Rules or a Standard Schema of a value in a response; `[schema]` is a list of such values. */
export type ResponseSchema = RuleMap | StandardSchemaV1 | readonly [RuleMap | StandardSchemaV1];

/** Description of a response, in the OpenAPI document and for the types of a contract. */
export interface ResponseDocumentation {
  /** Description of the response; by default the status's reason phrase. */
  readonly description?: string;
  /** Media type; default `application/json` if there is a schema or an example. */
  readonly type?: string;
  /** Schema of `data` in the envelope of `success` and `created`. */
  readonly data?: ResponseSchema;
  /** Schema of a whole JSON body without an envelope. */
  readonly body?: ResponseSchema;
  /** A JSON Schema (2020-12) of the body, or a Standard Schema that can be converted to one. */
  readonly schema?: Readonly<Record<string, unknown>> | StandardSchemaV1;
  /** An example body. */
  readonly example?: unknown;
}

/** Documentation of a route in the OpenAPI document, in addition to its path and its rules. */
export interface RouteDocumentation {
  /** Summary of the route in one line. */
  readonly summary?: string;
  /** Detailed description in CommonMark. */
  readonly description?: string;
  /** Tags of the operation; by default the name of its router group, else the first segment of its path. */
  readonly tags?: readonly string[];
  /** Marks the route as deprecated; default false. */
  readonly deprecated?: boolean;
  /** Operation ID, used by generated clients; by default the route's name, else method and path. */
  readonly operationId?: string;
  /** Examples of the request body, by name. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Descriptions of parameters and body fields, by name. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Media types of the body; by default JSON, or multipart if the rules contain files. */
  readonly bodyTypes?: readonly string[];
  /** Responses of the handler, by status; a string is the description. */
  readonly responses?: ResponseDocumentations;
}

/** Responses by status; a string is the description. */
export type ResponseDocumentations = Readonly<Record<number, string | ResponseDocumentation>>;

/**
 * The options of one route. `params`, `query`, `body` and `headers` are rules or schemas of these sources, in
 * place of `validation`.
 */
export interface RouteOptions extends RouteDocumentation, SourceMap {
  /** Names of registered middleware, `"can:edit"` with an argument, or middleware itself. */
  readonly middleware?: readonly MiddlewareReference[];
  /** Validation rules, which override those of the controller and of the groups. */
  readonly validation?: RouteValidation;
  /** Name for `router.url`, prefixed with the names of its groups and a dot. */
  readonly name?: string;
  /** `false` leaves the body unread, for handlers that stream it. */
  readonly bodyParser?: boolean;
  /** Maximum body size in bytes; overrides the application's limit. */
  readonly bodyLimit?: number;
  /** Infrastructure route: excluded from OpenAPI, rate limiting and `allowedHosts`, since probes use addresses. */
  readonly internal?: boolean;
  /** `true` skips global middleware for this route. */
  readonly bypassMiddleware?: boolean;
}

/** The options of a group; they apply to all routes inside it. */
export type GroupOptions = Pick<RouteOptions, "middleware" | "validation" | "name">;

/** A registered route, including the options inherited from its groups. */
export interface RouteRecord {
  /** `"ALL"` for a route for all methods. */
  readonly method: string;
  /** The full pattern, including the prefixes of its groups. */
  readonly pattern: string;
  /** Names of the parameters in the pattern, from left to right. */
  readonly parameters: readonly string[];
  readonly name: string | undefined;
  /** The joined name of its groups; undefined if none has a name. */
  readonly groupName: string | undefined;
  /** Handler of the route. */
  readonly handler: ControllerClass | RouteFunction;
  /** Middleware of the groups, outer first, then of the route, in execution order. */
  readonly middleware: readonly MiddlewareReference[];
  /** Rules of the groups, outer first, then of the route; later ones take precedence. */
  readonly validation: readonly RouteValidation[];
  /** False leaves the body unread; undefined uses the application's option. */
  readonly bodyParser: boolean | undefined;
  /** Maximum body size in bytes; undefined uses the application's limit. */
  readonly bodyLimit: number | undefined;
  /** True for an infrastructure route, excluded from OpenAPI, rate limiting and `allowedHosts`. */
  readonly internal: boolean;
  /** True if global middleware is skipped. */
  readonly bypassMiddleware: boolean;
  /** Documentation in the OpenAPI document. */
  readonly documentation: RouteDocumentation;
}

/** A route as listed by `routes()`. */
export type RouteDescription = Pick<
  RouteRecord,
  "method" | "pattern" | "name" | "middleware" | "handler"
>;

/** Returns whether a handler is a controller class. */
export function isControllerClass(handler: unknown): handler is ControllerClass {
  return typeof handler === "function" && hasMethods(handler.prototype, "handle");
}
