import type { BodyLimits } from "../http/body.ts";
import { parseTrustProxy, type TrustedProxies, type TrustProxy } from "../http/client-address.ts";
import type { CorsOptions } from "../middleware/cors.ts";
import type { Logger } from "../observability/logger.ts";

/** How bodies are read before the first middleware. */
export interface BodyParserOptions {
  /** Bytes of a JSON or urlencoded body; default 1 MiB. */
  readonly limit?: number;
  /** Bytes of a multipart body; default 20 MiB. */
  readonly multipartLimit?: number;
}

/** What `new Application` takes (specification, Application constructor options). */
export interface ApplicationOptions {
  /** Port that `listen()` binds; default 3000. */
  readonly port?: number;
  /** Host that `listen()` binds; default "localhost". */
  readonly host?: string;
  /**
   * Answers pages of other origins: `true` lets every page read responses, without credentials; or the
   * options of `CorsMiddleware`; default false.
   */
  readonly cors?: boolean | CorsOptions;
  /** Parses JSON and form bodies into `ctx.body`; default true. */
  readonly bodyParser?: boolean | BodyParserOptions;
  /** Shows message, stack and cause of unexpected errors in responses; default false. */
  readonly debug?: boolean;
  /**
   * Whether `X-Forwarded-For` tells the client's address: the number of trusted proxies in front, or
   * their CIDR ranges; default false.
   */
  readonly trustProxy?: TrustProxy;
  /** Answers 405 with `Allow` when only other methods have the path; false makes it 404; default true. */
  readonly methodNotAllowed?: boolean;
  /** "ignore" makes `/a/` the same path as `/a`, "strict" keeps them apart; default "ignore". */
  readonly trailingSlash?: "ignore" | "strict";
  /** Name of the KV binding to use; default: the first there is of `ESPALIER_KV`, `KV` and `CACHE`. */
  readonly kv?: string;
  /** Name of the Cloudflare Queues producer binding to use; default `QUEUE`. */
  readonly queue?: string;
  /** Where errors, warnings and access records go; default: JSON lines on `console`. */
  readonly logger?: Logger;
}

/** The options with every default filled in. */
export interface ResolvedOptions {
  readonly port: number;
  readonly host: string;
  readonly bodyLimits: BodyLimits | undefined;
  readonly debug: boolean;
  readonly trustProxy: TrustedProxies;
  readonly methodNotAllowed: boolean;
  readonly trailingSlash: "ignore" | "strict";
  readonly kv: string | undefined;
  readonly queue: string;
}

const defaultLimitBytes = 1024 * 1024;
const defaultMultipartLimitBytes = 20 * 1024 * 1024;

/**
 * Fills in the defaults of the specification and of ours.
 *
 * @throws EspalierError for a `trustProxy` that is neither hops nor addresses
 */
export function resolveOptions(options: ApplicationOptions): ResolvedOptions {
  return {
    port: options.port ?? 3000,
    host: options.host ?? "localhost",
    bodyLimits: resolveBodyLimits(options.bodyParser ?? true),
    debug: options.debug ?? false,
    trustProxy: parseTrustProxy(options.trustProxy ?? false),
    methodNotAllowed: options.methodNotAllowed ?? true,
    trailingSlash: options.trailingSlash ?? "ignore",
    kv: options.kv,
    queue: options.queue ?? "QUEUE",
  };
}

function resolveBodyLimits(bodyParser: boolean | BodyParserOptions): BodyLimits | undefined {
  if (bodyParser === false) return undefined;
  const { limit, multipartLimit } = bodyParser === true ? {} : bodyParser;
  return {
    limitBytes: limit ?? defaultLimitBytes,
    multipartLimitBytes: multipartLimit ?? defaultMultipartLimitBytes,
  };
}
