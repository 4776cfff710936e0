import { badOption, checkOptionNames, type OptionNames } from "../../util/options.ts";
import { parseSeconds } from "../duration.ts";
import type { TokenStore, TokenStoreSource } from "../token-store.ts";

/** Options of refresh tokens: `new Auth({ refreshTokens })`. */
export interface RefreshTokenOptions {
  /**
   * Store of the refresh tokens, or a function that returns it. It must not evict entries, and must
   * read its own writes; see {@link TokenStore}.
   */
  readonly store: TokenStore | (() => TokenStore);
  /**
   * Time after which a user must sign in again, however often the token was refreshed: `"30d"`, or a
   * number of seconds; default `"30d"`.
   */
  readonly expiresIn?: string | number;
  /** Time without a refresh after which a user must sign in again; default `"14d"`. */
  readonly idleExpiresIn?: string | number;
  /**
   * Time for which the previous token is still accepted after a refresh, in milliseconds, for clients
   * that lose responses or refresh in several tabs; default 0: any second use is reuse.
   */
  readonly reuseGraceMs?: number;
}

/** Checked options, with their defaults. */
export interface ResolvedRefreshOptions {
  readonly source: TokenStoreSource;
  readonly lifetimeMs: number;
  readonly idleMs: number;
  readonly reuseGraceMs: number;
}

const owner = { code: "ERR_AUTH_BAD_OPTION", name: "Auth" } as const;
const optionNames: OptionNames<RefreshTokenOptions> = {
  store: true,
  expiresIn: true,
  idleExpiresIn: true,
  reuseGraceMs: true,
};

const maxReuseGraceMs = 60_000;

/** @throws EspalierError `ERR_AUTH_BAD_OPTION` */
export function resolveRefreshOptions(options: RefreshTokenOptions): ResolvedRefreshOptions {
  checkOptionNames({ ...owner, name: "The option refreshTokens of Auth" }, options, optionNames);
  const { expiresIn = "30d", idleExpiresIn = "14d", reuseGraceMs = 0 } = options;
  if (!Number.isFinite(reuseGraceMs) || reuseGraceMs < 0 || reuseGraceMs > maxReuseGraceMs) {
    const expected = `a number from 0 to ${maxReuseGraceMs}`;
    throw badOption(owner, "refreshTokens.reuseGraceMs", reuseGraceMs, expected);
  }
  return {
    source: options.store,
    lifetimeMs: positiveMs(expiresIn, "expiresIn"),
    idleMs: positiveMs(idleExpiresIn, "idleExpiresIn"),
    reuseGraceMs,
  };
}

function positiveMs(duration: string | number, name: string): number {
  const option = `refreshTokens.${name}`;
  const seconds = parseSeconds(duration, option);
  if (seconds > 0) return seconds * 1000;
  throw badOption(owner, option, duration, "a duration above 0");
}
