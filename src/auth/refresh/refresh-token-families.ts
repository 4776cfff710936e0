import type { Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";
import type { Claims } from "../claims.ts";
import type { Revocations } from "../revocations.ts";
import type { TokenStoreClient } from "../token-store.ts";
import { type FamilyRecord, parseFamilyRecord } from "./family-record.ts";
import type { ResolvedRefreshOptions } from "./refresh-options.ts";
import {
  deriveNextToken,
  formatRefreshToken,
  generateRefreshToken,
  generateSeed,
  hashTokenPart,
  parseRefreshToken,
  type RefreshToken,
} from "./refresh-token.ts";

/** A refresh token that was found valid, and the sign-in that it belongs to. */
export interface RefreshTokenFamily {
  readonly token: RefreshToken;
  /** Claim `sid` of the access tokens: a hash, so that it does not disclose the family's id. */
  readonly sessionId: string;
  readonly record: FamilyRecord;
  /** The record as it is stored, to detect a change. */
  readonly stored: string;
}

/** A refresh token for the client, and the `sid` of its access token. */
export interface IssuedRefreshToken {
  readonly refreshToken: string;
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/**
 * Refresh tokens with rotation and reuse detection (RFC 9700 section 4.14.2).
 *
 * All tokens of one sign-in are a family, of which one is current. Using another one means that it was
 * copied, so the whole family is revoked: the legitimate client and the thief both have to sign in.
 *
 * A revoked family has an entry of its own. A refresh that overlaps the revocation may write the
 * family's record afterwards, and must not make it valid again.
 */
export class RefreshTokenFamilies {
  readonly #store: TokenStoreClient;
  readonly #options: ResolvedRefreshOptions;
  readonly #revocations: Revocations | undefined;
  readonly #now: () => number;

  /** @param revocations makes the access tokens of a revoked family invalid too */
  constructor(
    store: TokenStoreClient,
    options: ResolvedRefreshOptions,
    revocations: Revocations | undefined,
    now: () => number,
  ) {
    this.#store = store;
    this.#options = options;
    this.#revocations = revocations;
    this.#now = now;
  }

  /**
   * Starts a family.
   *
   * @throws StoreError
   */
  async create(claims: Claims, logger: Logger): Promise<IssuedRefreshToken> {
    const token = generateRefreshToken();
    const sessionId = await hashTokenPart(token.familyId);
    const nowMs = this.#now();
    const record: FamilyRecord = {
      seed: generateSeed(),
      current: await hashTokenPart(token.secret),
      rotatedAtMs: nowMs,
      expiresAtMs: nowMs + this.#options.lifetimeMs,
      claims,
    };
    await this.#store.set(keyOf(sessionId), JSON.stringify(record), this.#ttlMs(record), logger);
    const { expiresAtMs } = record;
    return { refreshToken: formatRefreshToken(token), sessionId, expiresAtMs };
  }

  /**
   * Returns the family of a valid token; `undefined` for any other. A token that was used before
   * revokes its family.
   *
   * @throws StoreError
   */
  async find(refreshToken: unknown, logger: Logger): Promise<RefreshTokenFamily | undefined> {
    const token = parseRefreshToken(refreshToken);
    if (token === undefined) return undefined;
    const sessionId = await hashTokenPart(token.familyId);
    const [stored, revoked] = await Promise.all([
      this.#store.get(keyOf(sessionId), logger),
      this.#store.get(revokedKeyOf(sessionId), logger),
    ]);
    const record = parseFamilyRecord(stored);
    if (stored === undefined || record === undefined || revoked !== undefined) return undefined;
    if (this.#ttlMs(record) <= 0) return undefined;
    const family = { token, sessionId, record, stored };
    const hash = await hashTokenPart(token.secret);
    if (hash === record.current || this.#isRetry(record, hash)) return family;
    await this.revoke(sessionId, logger);
    const message = "A refresh token was used a second time. Its sign-in was revoked.";
    logSafely(logger, "warn", message, { userId: record.claims.sub });
    return undefined;
  }

  /**
   * Replaces the current token. Returns `undefined` if another refresh has replaced it since
   * {@link find}.
   *
   * @throws StoreError
   */
  async rotate(
    { token, sessionId, record, stored }: RefreshTokenFamily,
    logger: Logger,
  ): Promise<IssuedRefreshToken | undefined> {
    const next = await deriveNextToken(token, record.seed);
    const current = await hashTokenPart(next.secret);
    const { expiresAtMs } = record;
    const issued = { refreshToken: formatRefreshToken(next), sessionId, expiresAtMs };
    // A retry gets the token that the lost response had.
    if (current === record.current) return issued;
    const rotated: FamilyRecord = {
      ...record,
      current,
      previous: record.current,
      rotatedAtMs: this.#now(),
    };
    const hasRotated = await this.#store.compareAndSet(
      keyOf(sessionId),
      stored,
      JSON.stringify(rotated),
      this.#ttlMs(rotated),
      logger,
    );
    return hasRotated ? issued : undefined;
  }

  /**
   * Revokes a family.
   *
   * @param sessionId claim `sid` of its access tokens
   * @throws StoreError
   */
  async revoke(sessionId: string, logger: Logger): Promise<void> {
    const ttlMs = this.#options.lifetimeMs;
    await Promise.all([
      this.#store.set(revokedKeyOf(sessionId), "revoked", ttlMs, logger),
      this.#revocations?.add(sessionId, ttlMs, logger),
    ]);
  }

  /** Returns true for the token before the current one, shortly after it was replaced. */
  #isRetry({ previous, rotatedAtMs }: FamilyRecord, hash: string): boolean {
    return hash === previous && this.#now() - rotatedAtMs < this.#options.reuseGraceMs;
  }

  /** Milliseconds until the current token expires; 0 or less if it has. */
  #ttlMs({ rotatedAtMs, expiresAtMs }: FamilyRecord): number {
    return Math.min(rotatedAtMs + this.#options.idleMs, expiresAtMs) - this.#now();
  }
}

function keyOf(sessionId: string): string {
  return `auth.refresh.${sessionId}`;
}

function revokedKeyOf(sessionId: string): string {
  return `auth.refresh.revoked.${sessionId}`;
}
