import type { RequestContext } from "../http/context.ts";
import type { Logger } from "../observability/logger.ts";
import type { User } from "../register.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { Claims } from "./claims.ts";
import { parseSeconds } from "./duration.ts";
import { type Algorithm, parseAlgorithms } from "./keys/algorithms.ts";
import type { CryptoKeyLike, Jwk, JwkSet } from "./keys/types.ts";
import {
  type RefreshTokenOptions,
  type ResolvedRefreshOptions,
  resolveRefreshOptions,
} from "./refresh/refresh-options.ts";
import { Revocations } from "./revocations.ts";
import { defaultMaxTokenBytes } from "./token-checks.ts";
import { type TokenStore, TokenStoreClient, type TokenStoreSource } from "./token-store.ts";

/**
 * Options of {@link Auth}. One of the keys is required; it determines the algorithm.
 *
 * A function in place of a key is called when the key is first needed, at boot or later, and again while
 * it fails: on Workers the environment is available only during requests.
 */
export interface AuthOptions {
  /**
   * Shared secret for signing and verifying (HS256): at least 32 random bytes, as a string. Read it from
   * the environment; an unset variable throws.
   */
  readonly secret?: string | (() => string | undefined) | undefined;
  /** A binary secret: bytes, or a CryptoKey for HMAC. */
  readonly secretKey?: Uint8Array | CryptoKeyLike | (() => Uint8Array | CryptoKeyLike) | undefined;
  /** Verifies tokens that another party signs: PEM (SPKI), JWK or CryptoKey. */
  readonly publicKey?: PairKey | (() => PairKey) | undefined;
  /**
   * Signs, and without `publicKey` verifies with its public half: PEM (PKCS #8), JWK or CryptoKey.
   */
  readonly privateKey?: PairKey | (() => PairKey) | undefined;
  /** The keys of an issuer: its JWK Set, or the URL where it publishes it. */
  readonly jwks?: string | URL | JwkSet | (() => string | URL | JwkSet) | undefined;
  /** Allowed algorithms; default: those of the key. The first one signs. */
  readonly algorithms?: readonly string[] | undefined;
  /** Accepted values of `iss`; issued tokens get the first one. */
  readonly issuer?: string | readonly string[] | undefined;
  /** Accepted values of `aud`; issued tokens get the first one. */
  readonly audience?: string | readonly string[] | undefined;
  /** Clock skew in seconds that is allowed for `exp` and `nbf`; default 0. */
  readonly clockTolerance?: number | undefined;
  /** Rejects tokens without `exp`; default true. */
  readonly requireExp?: boolean | undefined;
  /** Lifetime of issued tokens: `"1h"`, or seconds as a number. */
  readonly expiresIn?: string | number | undefined;
  /**
   * Returns `ctx.user` for a valid token's claims, for example from a database. For null or undefined
   * the token is rejected; an error it throws becomes a 500.
   *
   * @param ctx the request; undefined outside a request, as in `verifyToken`
   */
  readonly resolveUser?:
    | ((
        claims: Claims,
        ctx: RequestContext | undefined,
      ) => User | null | undefined | Promise<User | null | undefined>)
    | undefined;
  /**
   * Store of revoked tokens, or a function that returns it. Tokens get an id, `jti`. A store that
   * evicts entries is rejected; see {@link TokenStore}.
   */
  readonly revocations?: TokenStore | (() => TokenStore) | undefined;
  /** Enables {@link Auth.issueTokens} and {@link Auth.refresh}. */
  readonly refreshTokens?: RefreshTokenOptions | undefined;
  /** Timeout of a call of these stores, in milliseconds; default 1,000. A timeout responds with 503. */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * Maximum length of accepted and issued tokens, in bytes; default 8,192. Servers limit headers too:
   * Node to 16 KiB in total.
   */
  readonly maxTokenBytes?: number | undefined;
  /** Logger for warnings; default the application's logger. */
  readonly logger?: Logger | undefined;
  /** The time in milliseconds since the epoch, for tests. */
  readonly now?: (() => number) | undefined;
}

/** Half of a key pair: PEM, JWK or CryptoKey. */
export type PairKey = string | Jwk | CryptoKeyLike;

/** Validated options with their defaults. */
export interface ResolvedAuthOptions {
  readonly algorithms: readonly Algorithm[];
  readonly issuer: readonly string[];
  readonly audience: readonly string[];
  readonly clockTolerance: number;
  readonly requireExp: boolean;
  readonly expiresInSeconds: number;
  readonly resolveUser: AuthOptions["resolveUser"];
  readonly revocations: Revocations | undefined;
  readonly refreshTokens: ResolvedRefreshOptions | undefined;
  readonly storeTimeoutMs: number;
  readonly maxTokenBytes: number;
  readonly now: () => number;
}

const owner = { code: "ERR_AUTH_BAD_OPTION", name: "Auth" } as const;
const optionNames: OptionNames<AuthOptions> = {
  secret: true,
  secretKey: true,
  publicKey: true,
  privateKey: true,
  jwks: true,
  algorithms: true,
  issuer: true,
  audience: true,
  clockTolerance: true,
  requireExp: true,
  expiresIn: true,
  resolveUser: true,
  revocations: true,
  refreshTokens: true,
  storeTimeoutMs: true,
  maxTokenBytes: true,
  logger: true,
  now: true,
};

/** @throws EspalierError for an invalid option */
export function resolveAuthOptions(options: AuthOptions): ResolvedAuthOptions {
  checkOptionNames(owner, options, optionNames);
  const { revocations, refreshTokens } = options;
  const storeTimeoutMs = checkInteger(owner, "storeTimeoutMs", options.storeTimeoutMs ?? 1000, 1);
  return {
    algorithms: parseAlgorithms(options.algorithms),
    issuer: parseNames(options.issuer, "issuer"),
    audience: parseNames(options.audience, "audience"),
    clockTolerance: parseTolerance(options.clockTolerance ?? 0),
    requireExp: options.requireExp ?? true,
    expiresInSeconds: parseSeconds(options.expiresIn ?? "1h", "expiresIn"),
    resolveUser: options.resolveUser,
    revocations: revocations === undefined ? undefined : revocationsIn(revocations, storeTimeoutMs),
    refreshTokens: refreshTokens === undefined ? undefined : resolveRefreshOptions(refreshTokens),
    storeTimeoutMs,
    maxTokenBytes: checkInteger(
      owner,
      "maxTokenBytes",
      options.maxTokenBytes ?? defaultMaxTokenBytes,
      1,
    ),
    now: options.now ?? (() => Date.now()),
  };
}

/** Rejects empty names: an unset environment variable must not disable the check. */
function parseNames(
  given: string | readonly string[] | undefined,
  option: string,
): readonly string[] {
  if (given === undefined) return [];
  const names = typeof given === "string" ? [given] : given;
  const isList = Array.isArray(names) && names.length > 0;
  if (isList && names.every((name) => typeof name === "string" && name !== "")) return names;
  throw badOption(owner, option, given, "a non-empty string or a list of them");
}

function parseTolerance(seconds: number): number {
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw badOption(owner, "clockTolerance", seconds, "a number of seconds of at least 0");
}

function revocationsIn(source: TokenStoreSource, timeoutMs: number): Revocations {
  const store = new TokenStoreClient({
    source,
    option: "revocations",
    timeoutMs,
    // A delayed revocation is better than none; documented in the guide.
    needsConsistency: false,
  });
  return new Revocations(store);
}
