import { EspalierError } from "../../errors.ts";
import type { LockStore } from "../../lock/lock-store.ts";
import type { ObjectNamespace } from "./durable-object-types.ts";
import type { LockResult } from "./lock-durable-object.ts";

/** Options of {@link DurableObjectLockStore}. */
export interface DurableObjectLockStoreOptions {
  /** The Durable Object binding, or a function that returns it: bindings may differ between invocations. */
  readonly namespace: ObjectNamespace | (() => ObjectNamespace);
}

/**
 * Locks in Durable Objects, one per name, which exclude all isolates and locations from each other. Each call is one
 * round trip to the object.
 *
 * @example app.useLockStore(new DurableObjectLockStore({ namespace: () => env.LOCK }));
 */
export class DurableObjectLockStore implements LockStore {
  readonly #namespace: () => ObjectNamespace;

  constructor({ namespace }: DurableObjectLockStoreOptions) {
    this.#namespace = typeof namespace === "function" ? namespace : () => namespace;
  }

  /** Takes a lock; resolves to its fencing token, or undefined if it is held. */
  async acquire(name: string, owner: string, ttlMs: number): Promise<number | undefined> {
    const { done, token } = await this.#call("acquire", name, owner, ttlMs);
    return done ? token : undefined;
  }

  /** Extends a lock; resolves to false if `owner` no longer holds it. */
  async renew(name: string, owner: string, ttlMs: number): Promise<boolean> {
    return (await this.#call("renew", name, owner, ttlMs)).done;
  }

  /** Releases a lock; resolves to false if `owner` no longer holds it. */
  async release(name: string, owner: string): Promise<boolean> {
    return (await this.#call("release", name, owner, 0)).done;
  }

  async #call(call: string, name: string, owner: string, ttlMs: number): Promise<LockResult> {
    const namespace = this.#namespace();
    const object = namespace.get(namespace.idFromName(name));
    const query = `owner=${encodeURIComponent(owner)}&ttlMs=${ttlMs}`;
    const response = await object.fetch(`https://lock.invalid/${call}?${query}`);
    const result: unknown = response.status === 200 ? await response.json() : undefined;
    if (isResult(result)) return result;
    throw new EspalierError(
      "ERR_LOCK_BAD_STORE",
      `The Durable Object of the lock "${name}" answered ${response.status} and no result. ` +
        "Its class_name must be that of LockDurableObject.",
    );
  }
}

function isResult(value: unknown): value is LockResult {
  return typeof value === "object" && value !== null && "done" in value;
}
