import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { RateLimitStore } from "../rate-limit/rate-limit-store.ts";
import { defaultStoreTimeoutMs } from "../resilience/store-caller.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";

/** Options of `RateLimitMiddleware`. */
export interface RateLimitOptions {
  /**
   * Maximum number of requests per window and key; default 60. A function, which may be async, is called
   * for each request: for a limit from the configuration or from the user's plan.
   */
  readonly limit?: RequestNumber;
  /** Length of the window in milliseconds, or a function as for `limit`; default 60,000. */
  readonly windowMs?: RequestNumber;
  /**
   * Returns the key that a request counts for; may be async. By default, or if it returns nothing: the id
   * of `ctx.user`, else the client's address (IPv6: its network), else one key for all unknown clients.
   */
  readonly key?: (ctx: RequestContext) => KeyResult | Promise<KeyResult>;
  /**
   * Length of the IPv6 network that is one client, in bits from 32 to 128; default 64, what one customer
   * has at least. Many providers assign a /56 or a /48: a smaller number counts them as one client.
   */
  readonly ipv6Prefix?: number;
  /**
   * Second limit, for all clients of a wider IPv6 network together; default none. It applies to requests
   * that count for an IPv6 address.
   */
  readonly ipv6Network?: Ipv6NetworkOptions;
  /** Store of the counts; default a new `MemoryRateLimitStore`, exact within one isolate. */
  readonly store?: RateLimitStore;
  /** Milliseconds for one call of the store; default 1,000. */
  readonly timeoutMs?: number;
  /** Returns true for requests that are not rate limited; may be async; default none. */
  readonly skip?: (ctx: RequestContext) => boolean | Promise<boolean>;
  /** Writes `RateLimit`, `RateLimit-Policy` and `X-RateLimit-*`; default true. */
  readonly headers?: boolean;
  /** Name of the limiter in these headers and in a shared store; default `default`. */
  readonly name?: string;
  /** Admits requests while the store fails or does not respond; default false: responds with 503. */
  readonly allowOnStoreError?: boolean;
}

/** Limit of an IPv6 network. */
export interface Ipv6NetworkOptions {
  /** Length of the network in bits, shorter than `ipv6Prefix`; default 48. */
  readonly prefix?: number;
  /** Maximum number of requests per window from the network. */
  readonly limit: number;
}

/** A number, or a function of the request that returns it. */
export type RequestNumber = number | ((ctx: RequestContext) => number | Promise<number>);

type KeyResult = string | number | null | undefined;

/** Subject of the messages about these options. */
export const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "RateLimitMiddleware" } as const;

const optionNames: OptionNames<RateLimitOptions> = {
  limit: true,
  windowMs: true,
  key: true,
  ipv6Prefix: true,
  ipv6Network: true,
  store: true,
  timeoutMs: true,
  skip: true,
  headers: true,
  name: true,
  allowOnStoreError: true,
};

/** Names of the limit in other libraries. */
const foreignNames = ["max", "maxRequests"];

/** Checks the names of the options. */
export function checkRateLimitNames(options: RateLimitOptions): void {
  const foreign = foreignNames.find((name) => Object.hasOwn(options ?? {}, name));
  if (foreign !== undefined) {
    throw new EspalierError(owner.code, `${owner.name}: unknown option "${foreign}". Use "limit".`);
  }
  checkOptionNames(owner, options, optionNames);
}

/** Returns the prefix of the networks that are one client. */
export function ipv6PrefixOf({ ipv6Prefix = 64 }: RateLimitOptions): number {
  return checkInteger(owner, "ipv6Prefix", ipv6Prefix, 32, 128);
}

/** Returns the limit of wider networks; undefined without one. */
export function networkLimitOf(
  { ipv6Network }: RateLimitOptions,
  ipv6Prefix: number,
  maxLimit: number | undefined,
): Required<Ipv6NetworkOptions> | undefined {
  if (ipv6Network === undefined) return undefined;
  const names = { prefix: true, limit: true } as const;
  checkOptionNames<Ipv6NetworkOptions>(
    { ...owner, name: `${owner.name} (ipv6Network)` },
    ipv6Network,
    names,
  );
  const { prefix = 48, limit } = ipv6Network;
  return {
    prefix: checkInteger(owner, "ipv6Network.prefix", prefix, 16, ipv6Prefix - 1),
    limit: checkInteger(owner, "ipv6Network.limit", limit, 1, maxLimit),
  };
}

/** Returns the time for one call of the store. */
export function storeTimeoutOf({ timeoutMs = defaultStoreTimeoutMs }: RateLimitOptions): number {
  return checkInteger(owner, "timeoutMs", timeoutMs, 1);
}

/** Checks the name: it is a quoted string in a header (RFC 9651 section 3.3.3), and prefixes store keys. */
export function policyName(name: string): string {
  if (typeof name === "string" && /^[\w.-]{1,64}$/.test(name)) return name;
  throw badOption(owner, "name", name, "1 to 64 letters, digits, dots, underscores and hyphens");
}
