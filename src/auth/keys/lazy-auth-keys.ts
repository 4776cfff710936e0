import type { AuthOptions } from "../auth-options.ts";
import { type AuthKeys, checkOneDecides, type KeyContext, readAuthKeys } from "./auth-keys.ts";
import { givenKeys, hasLateKey } from "./options.ts";

/** Keys of an `Auth`, read lazily if an option is a function. */
export class LazyAuthKeys {
  readonly #context: KeyContext;
  /** Dropped once the keys are read, so that no copy of a secret remains. */
  #options: AuthOptions | undefined;
  #keys: AuthKeys | undefined;

  /** @throws EspalierError for invalid keys, unless a function returns them */
  constructor(options: AuthOptions, context: KeyContext) {
    checkOneDecides(options);
    this.#context = context;
    this.#options = options;
    if (!hasLateKey(options)) this.get();
  }

  /** @throws EspalierError for invalid keys; the next call reads them again */
  get(): AuthKeys {
    if (this.#keys === undefined) {
      this.#keys = readAuthKeys(givenKeys(this.#options ?? {}), this.#context);
      this.#options = undefined;
    }
    return this.#keys;
  }
}
