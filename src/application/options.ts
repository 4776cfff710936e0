import {
  type AllowedHostCheck,
  createAllowedHostCheck,
  normalHostEntry,
} from "../http/allowed-hosts.ts";
import type { BodyLimits } from "../http/body-limits.ts";
import { BufferBudget } from "../http/buffer-budget.ts";
import type { TrustedProxies, TrustProxy } from "../http/client-address-input.ts";
import type { BodyReader } from "../http/context-input.ts";
import { type RequestParts, requirePart } from "../http/request-parts.ts";
import type { CorsOptions } from "../middleware/cors-options.ts";
import type { Logger } from "../observability/logger.ts";
import type { Handler } from "../pipeline/compose.ts";
import type { RouteRecord } from "../routing/route.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { ruleValidator } from "../validation/compile.ts";
import type { warnAboutProduction } from "./boot/production-warnings.ts";
import type { createDebugResponse } from "./request/debug-response.ts";
import type { ApplicationCacheOptions, ApplicationQueueOptions } from "./service-options.ts";

/** Limits of the body parser. Exceeding one results in a 413; exceeding `totalLimit` in a 503. */
export interface BodyParserOptions {
  /** Maximum bytes of a JSON or urlencoded body; default 1 MiB. */
  readonly limit?: number;
  /** Maximum bytes of a multipart body; default 20 MiB. */
  readonly multipartLimit?: number;
  /** Maximum bytes that all requests of the application buffer together; default 256 MiB. */
  readonly totalLimit?: number;
  /** Maximum fields of a form; default 1,000. */
  readonly maxFields?: number;
  /** Maximum parts of a multipart form, fields and files together; default 1,000. */
  readonly maxParts?: number;
  /** Maximum files of a multipart form, also empty ones; default 100. */
  readonly maxFiles?: number;
  /** Maximum header lines of one part; default 32. */
  readonly maxPartHeaderLines?: number;
  /** Maximum header bytes of one part; default 16 KiB. */
  readonly maxPartHeaderBytes?: number;
  /** Maximum characters of a part's name, and of its filename; default 1,024. */
  readonly maxNameLength?: number;
  /** Maximum bytes of one text field of a multipart form; default 1 MiB. */
  readonly maxFieldBytes?: number;
  /** Maximum nesting of arrays and objects in JSON; default 100. */
  readonly maxJsonDepth?: number;
  /** Maximum number of different member names in JSON, beyond one for every 256 characters; default 500. */
  readonly maxJsonNames?: number;
}

const bodyParserDefaults: Readonly<Required<BodyParserOptions>> = {
  limit: 1024 * 1024,
  multipartLimit: 20 * 1024 * 1024,
  totalLimit: 256 * 1024 * 1024,
  maxFields: 1000,
  maxParts: 1000,
  maxFiles: 100,
  maxPartHeaderLines: 32,
  maxPartHeaderBytes: 16 * 1024,
  maxNameLength: 1024,
  maxFieldBytes: 1024 * 1024,
  maxJsonDepth: 100,
  maxJsonNames: 500,
};

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
  /** Receives errors, warnings and access records; default: JSON lines on `console`, or text on a terminal. */
  readonly logger?: Logger;
}

/** Options that configure a service which the application of `espalier/core` lacks. */
type ServiceOptionName = "cors" | "kv" | "queue" | "cache" | "validateResponses";

/** Options of `new Application` of `espalier/core`: those that do not configure a service. */
export interface CoreApplicationOptions
  extends Omit<ApplicationOptions, ServiceOptionName>,
    RequestParts {
  /** The validator `ruleValidator` of `espalier/core`; required if routes have rules. */
  readonly validation?: ValidationCompiler;
}

/** Compiles the rules of a route into a validator; returns undefined for a route without rules. */
export type ValidationCompiler = typeof ruleValidator;

/** Returns the validator, or loads it. */
export type LoadValidator = () => ValidationCompiler | Promise<ValidationCompiler>;

/**
 * Returns the code that reads bodies, or loads it.
 *
 * @param usedBy the route that needs it, for messages
 * @throws EspalierError `ERR_APPLICATION_MISSING_PART` if the application was created without it
 */
export type LoadBodyReader = (usedBy: string) => BodyReader | Promise<BodyReader>;

/** The parts of the framework that the two applications choose differently. */
export interface ApplicationParts {
  /** Parts that requests and the router use. */
  readonly parts: RequestParts;
  readonly loadBodyReader: LoadBodyReader;
  /** Undefined in an application that was created without a validator. */
  readonly loadValidator: LoadValidator | undefined;
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
  readonly bodyLimits: BodyLimits | undefined;
  readonly debug: boolean;
  readonly trustProxy: TrustedProxies;
  readonly isAllowedHost: AllowedHostCheck | undefined;
  readonly methodNotAllowed: boolean;
  readonly trailingSlash: "ignore" | "strict";
  readonly logger: Logger | undefined;
  /** Loads the check of responses; undefined if they are not checked. */
  readonly loadResponseCheck?: LoadResponseCheck;
}

/** Loads the function that wraps the handler of a route in a check of its responses. */
export type LoadResponseCheck = () => Promise<WrapHandler>;

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
};

const owner = { code: "ERR_APPLICATION_BAD_OPTION", name: "Application" } as const;
const bodyParserOwner = { code: "ERR_APPLICATION_BAD_OPTION", name: "bodyParser" } as const;

/**
 * Applies the defaults of the specification and of the framework.
 *
 * @param ownNames option names that only this kind of application accepts
 * @throws EspalierError `ERR_APPLICATION_BAD_OPTION` for an unknown option or an invalid value,
 *   `ERR_HTTP_BAD_TRUST_PROXY`
 */
export function resolveOptions(
  options: ApplicationOptions | CoreApplicationOptions,
  ownNames: Readonly<Record<string, true>>,
  parts: ApplicationParts,
): ResolvedOptions {
  checkOptionNames(owner, options, { ...commonNames, ...ownNames });
  const { trailingSlash = "ignore", trustProxy = false } = options;
  const checks: unknown = "validateResponses" in options ? options.validateResponses : undefined;
  if (checks !== undefined && typeof checks !== "boolean") {
    throw badOption(owner, "validateResponses", checks, "a boolean");
  }
  if (trailingSlash !== "ignore" && trailingSlash !== "strict") {
    throw badOption(owner, "trailingSlash", trailingSlash, '"ignore" or "strict"');
  }
  return {
    ...parts,
    port: options.port ?? 3000,
    host: options.host ?? "localhost",
    bodyLimits: resolveBodyLimits(options.bodyParser ?? true),
    debug: options.debug ?? false,
    trustProxy:
      trustProxy !== false &&
      requirePart(parts.parts, "clientAddress", "trustProxy").parseTrustProxy(trustProxy),
    isAllowedHost: resolveAllowedHosts(options.allowedHosts),
    methodNotAllowed: options.methodNotAllowed ?? true,
    trailingSlash,
    logger: options.logger,
  };
}

function resolveAllowedHosts(hosts: unknown): AllowedHostCheck | undefined {
  if (hosts === undefined) return undefined;
  const entries = Array.isArray(hosts) ? hosts.map(normalHostEntry) : [];
  if (entries.length > 0 && entries.every((entry) => entry !== undefined)) {
    return createAllowedHostCheck(entries);
  }
  throw badOption(
    owner,
    "allowedHosts",
    hosts,
    'a list of hosts such as "example.com" or "*.example.com"',
  );
}

function resolveBodyLimits(bodyParser: boolean | BodyParserOptions): BodyLimits | undefined {
  if (bodyParser === false) return undefined;
  const options = bodyParser === true ? {} : bodyParser;
  checkOptionNames(bodyParserOwner, options, bodyParserDefaults);
  const limit = (name: keyof BodyParserOptions): number =>
    checkInteger(owner, `bodyParser.${name}`, options[name] ?? bodyParserDefaults[name], 0);
  return {
    limitBytes: limit("limit"),
    multipartLimitBytes: limit("multipartLimit"),
    maxFields: limit("maxFields"),
    maxJsonDepth: limit("maxJsonDepth"),
    maxJsonNames: limit("maxJsonNames"),
    multipart: {
      maxParts: limit("maxParts"),
      maxFiles: limit("maxFiles"),
      maxFields: limit("maxFields"),
      maxHeaderLines: limit("maxPartHeaderLines"),
      maxHeaderBytes: limit("maxPartHeaderBytes"),
      maxNameLength: limit("maxNameLength"),
      maxFieldBytes: limit("maxFieldBytes"),
    },
    budget: new BufferBudget(limit("totalLimit")),
  };
}
