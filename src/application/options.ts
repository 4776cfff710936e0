import type { RuleCompiler } from "../controllers/function-handler.ts";
import type { ControllerLifecycle } from "../controllers/lifecycle.ts";
import type { RefuseHost } from "../http/allowed-hosts.ts";
import type { BodyLimits } from "../http/body-limits.ts";
import type { BodyParserOptions } from "../http/body-options.ts";
import type { TrustedProxies, TrustProxy } from "../http/client-address-input.ts";
import type { BodyModule } from "../http/context-input.ts";
import type { CompleteParts, RequestParts } from "../http/request-parts.ts";
import type { CorsOptions } from "../middleware/cors-options.ts";
import type { Logger } from "../observability/logger.ts";
import type { Handler } from "../pipeline/compose.ts";
import type { RouteRecord } from "../routing/route.ts";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { ruleValidator } from "../validation/compile.ts";
import type { warnAboutProduction } from "./boot/production-warnings.ts";
import type { createDebugResponse } from "./request/debug-response.ts";
import type { ApplicationCacheOptions, ApplicationQueueOptions } from "./service-options.ts";

/** Options of `new Application`. */
export interface ApplicationOptions {
  /** Port that `listen()` binds; default 3000. */
  readonly port?: number;
  /** Host that `listen()` binds; default "localhost". */
  readonly host?: string;
  /**
   * Enables CORS: `true` allows all origins without credentials; or the options of `CorsMiddleware`; default
   * false.
   */
  readonly cors?: boolean | CorsOptions;
  /** Parses JSON and form bodies into `ctx.body`; default true. */
  readonly bodyParser?: boolean | BodyParserOptions;
  /**
   * Includes message, stack and causes of errors in responses, as a page for browsers; ignored if `NODE_ENV` is
   * `production`; default false.
   */
  readonly debug?: boolean;
  /**
   * The trusted proxies in front: their number, or their addresses and CIDR ranges. Their `X-Forwarded-For`,
   * `X-Forwarded-Proto` and `X-Forwarded-Host`, or else their `Forwarded`, determine the client's address and
   * the scheme and host of the URL. The proxies must overwrite these headers; default false.
   */
  readonly trustProxy?: TrustProxy;
  /**
   * The hosts that the application serves: `example.com`, `*.example.com` for all subdomains, with a port or
   * for every port. A request for another host is a 421, except to health endpoints; default: every host.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Responds with 405 and `Allow` if the path exists only for other methods; false responds with 404; default
   * true.
   */
  readonly methodNotAllowed?: boolean;
  /** "ignore" treats `/a/` and `/a` as the same path, "strict" as different ones; default "ignore". */
  readonly trailingSlash?: "ignore" | "strict";
  /** Name of the KV binding; default: the first that exists of `ESPALIER_KV`, `KV` and `CACHE`. */
  readonly kv?: string;
  /** Options of the queue, or only the name of its binding, which is `QUEUE` by default. */
  readonly queue?: string | ApplicationQueueOptions;
  /** Options of the cache. */
  readonly cache?: ApplicationCacheOptions;
  /**
   * Checks responses against the `responses` of their route, for development and tests: one that differs becomes
   * a 500. Buffers and parses the JSON bodies of these routes; default false.
   */
  readonly validateResponses?: boolean;
  /**
   * Time in milliseconds that boot has, and then the `ready` hooks: register and boot hooks of plugins and
   * providers, and handlers of `app.booted` and `app.ready`. Startup fails if one of the two takes
   * longer, and the next request tries again; default 30,000.
   */
  readonly bootTimeoutMs?: number;
  /** Receives errors, warnings and access records; default: JSON lines on `console`, or text on a terminal. */
  readonly logger?: Logger;
}

/** Options that configure a service which the application of `espalier/core` lacks. */
type ServiceOptionName = "cors" | "kv" | "queue" | "cache" | "validateResponses" | "bootTimeoutMs";

/** Options of `new Application` of `espalier/core`: those that do not configure a service. */
export interface CoreApplicationOptions
  extends Omit<ApplicationOptions, ServiceOptionName>,
    RequestParts {
  /** The validator `ruleValidator` of `espalier/core`; required if routes have rules. */
  readonly validation?: ValidationCompiler;
}

/** Compiles the rules of a route into a validator; returns undefined for a route without rules. */
export type ValidationCompiler = typeof ruleValidator;

/** Loads the compiler of the rules of these routes, at boot. */
export type LoadValidator = (
  records: readonly RouteRecord[],
) => RuleCompiler | Promise<RuleCompiler>;

/**
 * Returns the code that reads bodies, or loads it.
 *
 * @param usedBy the route that needs it, for messages
 * @throws EspalierError `ERR_APPLICATION_MISSING_PART` if the application was created without it
 */
export type LoadBodyReader = (usedBy: string) => BodyModule | Promise<BodyModule>;

/** The parts of the framework that the two applications choose differently. */
export interface ApplicationParts {
  /** Parts that requests and the router use. */
  readonly parts: CompleteParts;
  readonly loadBodyReader: LoadBodyReader;
  /** Checks the option `bodyParser`; undefined in an application that was created without a body parser. */
  readonly resolveBodyLimits: ((options: BodyParserOptions) => BodyLimits) | undefined;
  /** Undefined in an application that refuses controllers that do not extend `Controller`. */
  readonly loadHandlerSupport?: LoadHandlerSupport;
  readonly loadValidator: LoadValidator;
  /** Loads the responses of the option `debug`. */
  readonly loadDebugResponse: LoadDebugResponse;
  /** Loads the checks of a boot in production. */
  readonly loadProductionWarnings?: () => Promise<WarnAboutProduction>;
}

export type CreateDebugResponse = typeof createDebugResponse;
export type LoadDebugResponse = () => CreateDebugResponse | Promise<CreateDebugResponse>;
export type WarnAboutProduction = typeof warnAboutProduction;

/** The options with all defaults applied. */
export interface ResolvedOptions extends ApplicationParts {
  readonly port: number;
  readonly host: string;
  readonly parsesBodies: boolean;
  /** Undefined if bodies are not parsed, or the application cannot parse them. */
  readonly bodyLimits: BodyLimits | undefined;
  readonly debug: boolean;
  readonly trustProxy: TrustedProxies;
  /** Undefined if every host is allowed. */
  readonly refuseHost: RefuseHost | undefined;
  readonly methodNotAllowed: boolean;
  readonly trailingSlash: "ignore" | "strict";
  readonly logger: Logger | undefined;
}

/** Loads what handlers of these routes need, at boot. */
export type LoadHandlerSupport = (records: readonly RouteRecord[]) => Promise<HandlerSupport>;

/** What handlers need beside their code. */
export interface HandlerSupport {
  /** Runs controllers that do not extend `Controller`; undefined if there are none. */
  readonly controllerLifecycle: ControllerLifecycle | undefined;
  /** Adds the check of responses; undefined if they are not checked. */
  readonly wrap: WrapHandler | undefined;
}

/** Wraps the handler of a route. */
export type WrapHandler = (handler: Handler, record: RouteRecord) => Handler;

/** Names of the options, to refuse a misspelt one instead of silently using the default. */
const commonNames: OptionNames<Omit<CoreApplicationOptions, "validation" | keyof RequestParts>> = {
  port: true,
  host: true,
  bodyParser: true,
  debug: true,
  trustProxy: true,
  allowedHosts: true,
  methodNotAllowed: true,
  trailingSlash: true,
  logger: true,
};
export const serviceOptionNames: OptionNames<Pick<ApplicationOptions, ServiceOptionName>> = {
  cors: true,
  kv: true,
  queue: true,
  cache: true,
  validateResponses: true,
  bootTimeoutMs: true,
};

const owner = { code: "ERR_APPLICATION_BAD_OPTION", name: "Application" } as const;

/**
 * Applies the defaults of the specification and of the framework.
 *
 * @param ownNames option names that only this kind of application accepts
 * @throws EspalierError `ERR_APPLICATION_BAD_OPTION` for an unknown option or an invalid value,
 *   `ERR_HTTP_BAD_TRUST_PROXY`
 */
export function resolveOptions(
  options: ApplicationOptions | CoreApplicationOptions,
  ownNames: Readonly<Record<string, unknown>>,
  parts: ApplicationParts,
): ResolvedOptions {
  checkOptionNames(owner, options, { ...commonNames, ...ownNames });
  const { allowedHosts, bodyParser = true, trailingSlash = "ignore", trustProxy = false } = options;
  if (trailingSlash !== "ignore" && trailingSlash !== "strict") {
    throw badOption(owner, "trailingSlash", trailingSlash, '"ignore" or "strict"');
  }
  return {
    ...parts,
    port: options.port ?? 3000,
    host: options.host ?? "localhost",
    parsesBodies: bodyParser !== false,
    bodyLimits:
      bodyParser === false
        ? undefined
        : parts.resolveBodyLimits?.(bodyParser === true ? {} : bodyParser),
    debug: options.debug ?? false,
    trustProxy: trustProxy !== false && parts.parts.clientAddress.parseTrustProxy(trustProxy),
    refuseHost: allowedHosts && parts.parts.hostCheck(allowedHosts),
    methodNotAllowed: options.methodNotAllowed ?? true,
    trailingSlash,
    logger: options.logger,
  };
}
