import type { Algorithm } from "./algorithms.ts";

/** Key selection of a token. Its header is untrusted, so it only selects among the configured keys. */
export interface KeyRequest {
  readonly algorithm: Algorithm;
  /** `kid` of the header. */
  readonly keyId: string | undefined;
}

/** Source of the keys that verify tokens. */
export interface KeySource {
  /**
   * Returns the keys that a token may be verified with: empty if no key matches, undefined if the keys
   * are temporarily unavailable.
   *
   * @throws EspalierError `ERR_AUTH_BAD_KEY` for an unusable key of the application
   */
  find(request: KeyRequest): FoundKeys | Promise<FoundKeys>;
}

/** Keys that a token may be verified with; undefined if they are unavailable. */
export type FoundKeys = readonly CryptoKey[] | undefined;
