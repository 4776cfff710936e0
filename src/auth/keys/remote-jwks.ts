import { EspalierError } from "../../errors.ts";
import { readBytes } from "../../http/read-bytes.ts";
import { describeError, type LogRecord } from "../../observability/logger.ts";
import type { Algorithm } from "./algorithms.ts";
import { badKey } from "./import.ts";
import { type JwksKeys, readKeySet } from "./jwks.ts";
import type { KeyRequest, KeySource } from "./key-source.ts";

/** Writes a warning to the log; it never throws. */
export type Warn = (message: string, fields?: LogRecord) => void;

/** Dependencies of a remote key set. */
export interface RemoteJwksOptions {
  readonly url: URL;
  readonly allowed: readonly Algorithm[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly warn: Warn;
}

/** Time for which keys are used without a new fetch. */
const freshMs = 10 * 60_000;
/** Additional time for which they are used while the issuer is unreachable. */
const staleMs = 60 * 60_000;
/**
 * Minimum interval between two fetches: a flood of unknown `kid` values must not reach the issuer.
 */
const coolDownMs = 30_000;
/** The same after a failure, while no keys are available and all requests are rejected. */
const retryMs = 1_000;
const timeoutMs = 5_000;
const limitBytes = 512 * 1024;
const pollMs = 20;

/**
 * Remote JWK Set: the keys that an issuer publishes at a URL, fetched lazily and cached.
 *
 * A token with an unknown `kid` triggers a new fetch, so that the issuer can rotate its keys at any time.
 * At most one fetch is in flight, and a cool-down separates two fetches.
 */
export class RemoteJwks implements KeySource {
  readonly #options: RemoteJwksOptions;
  #keys: JwksKeys | undefined;
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #nextFetchAtMs = Number.NEGATIVE_INFINITY;
  #fetching: object | undefined;

  constructor(options: RemoteJwksOptions) {
    this.#options = options;
  }

  async find(request: KeyRequest): Promise<readonly CryptoKey[] | undefined> {
    // During another request's fetch, stale keys may be used.
    if (this.#age() < (this.#fetching === undefined ? freshMs : freshMs + staleMs)) {
      const found = await this.#keys?.find(request);
      if (found !== undefined && found.length > 0) return found;
    }
    await this.#refresh();
    return this.#age() < freshMs + staleMs ? await this.#keys?.find(request) : undefined;
  }

  #age(): number {
    return this.#options.now() - this.#fetchedAtMs;
  }

  async #refresh(): Promise<void> {
    if (this.#fetching !== undefined) return await this.#waitFor(this.#fetching);
    const { now, warn, url, allowed } = this.#options;
    if (now() < this.#nextFetchAtMs) return;
    const mine = {};
    this.#fetching = mine;
    let waitMs = coolDownMs;
    try {
      this.#keys = readKeySet(await fetchJson(url), allowed);
      this.#fetchedAtMs = now();
    } catch (error) {
      if (this.#age() >= freshMs + staleMs) waitMs = retryMs;
      warn(`The keys at ${url.origin}${url.pathname} could not be fetched.`, {
        error: describeError(error),
      });
    } finally {
      this.#nextFetchAtMs = now() + waitMs;
      if (this.#fetching === mine) this.#fetching = undefined;
    }
  }

  /**
   * Polls for the end of another caller's fetch: on Workers a promise of one request must not be awaited in
   * another, and never settles once its client has disconnected.
   */
  async #waitFor(other: object): Promise<void> {
    for (let waitedMs = 0; waitedMs < timeoutMs + 1_000; waitedMs += pollMs) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      if (this.#fetching === undefined) return;
      if (this.#fetching !== other) return await this.#waitFor(this.#fetching);
    }
    // The request that started the fetch was killed. The first waiter to notice fetches again, the others
    // wait for it.
    this.#fetching = undefined;
    await this.#refresh();
  }
}

async function fetchJson(url: URL): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: "application/jwk-set+json, application/json" },
    // Redirects are not followed: only the configured URL is trusted.
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    const said = response.status === 200 ? "200 without a body" : `${response.status}, not 200`;
    throw new EspalierError("ERR_AUTH_KEYS_UNAVAILABLE", `The issuer responded with ${said}.`);
  }
  const bytes = await readBytes(response.body, limitBytes, response.headers.get("content-length"));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * Validates the URL of a key set.
 *
 * @throws EspalierError `ERR_AUTH_BAD_KEY` unless it is `https:`, or `http:` on this machine
 */
export function readKeySetUrl(value: string | URL): URL {
  const url = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? "");
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal)) return url;
  throw badKey(
    "jwks",
    "is not an https: URL. Over http: an attacker could replace the keys and sign in as any user.",
  );
}
