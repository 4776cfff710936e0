import type { Algorithm } from "./algorithms.ts";

/** Which key a token asks for. Its header is not to be believed, so it only chooses among ours. */
export interface KeyRequest {
  readonly algorithm: Algorithm;
  /** `kid` of the header. */
  readonly keyId: string | undefined;
}

/** Where the keys that verify tokens come from. */
export interface KeySource {
  /**
   * The keys that a token may be verified with; empty when there is none for it, undefined when the
   * keys cannot be had at the moment.
   *
   * @throws EspalierError `ERR_AUTH_BAD_KEY` for a key of the application's own that cannot be used
   */
  find(request: KeyRequest): Promise<readonly CryptoKey[] | undefined>;
}
