import { EspalierError } from "../../errors.ts";
import type { Lock } from "../../lock/held-lock.ts";
import type { LockStore } from "../../lock/lock-store.ts";
import type { LockOptions, Locks } from "../../lock/locks.ts";
import { describe } from "../../util/describe.ts";
import { missingMethod } from "../../util/has-methods.ts";
import type { ApplicationRuntime } from "../runtime.ts";

/** Locks: the configured store, else memory. The first call loads the implementation. */
export class LockCapability {
  readonly #runtime: ApplicationRuntime;
  #store: LockStore | undefined;
  #locks: Locks | undefined;

  constructor(runtime: ApplicationRuntime) {
    this.#runtime = runtime;
  }

  /** True if `useLockStore` has set a store, which other processes may share. */
  get isChosen(): boolean {
    return this.#store !== undefined;
  }

  /** The store that `useLockStore` has set. */
  get store(): LockStore | undefined {
    return this.#store;
  }

  /** @throws EspalierError `ERR_LOCK_BAD_STORE` for anything that is not a store */
  use(store: LockStore): void {
    const missing = missingMethod(store, ["acquire", "renew", "release"]);
    if (missing !== undefined) {
      throw new EspalierError(
        "ERR_LOCK_BAD_STORE",
        `The lock store must have the methods acquire, renew and release, got ${describe(store)} without ` +
          `${missing}. Use RedisLockStore of espalier/redis, or implement LockStore.`,
      );
    }
    this.#store = store;
    this.#locks = undefined;
  }

  async acquire(name: string, options?: LockOptions): Promise<Lock | undefined> {
    return await (await this.#load()).acquire(name, options);
  }

  async claim(name: string, ttlMs: number): Promise<boolean> {
    return await (await this.#load()).claim(name, ttlMs);
  }

  async #load(): Promise<Locks> {
    if (this.#locks !== undefined) return this.#locks;
    const { createLocks } = await import("./lock-engine.ts");
    this.#locks ??= createLocks(this.#store, this.#runtime.logger);
    return this.#locks;
  }
}
