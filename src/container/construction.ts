import { EspalierError } from "../errors.ts";
import type { Registration } from "./factory.ts";

/**
 * A factory invocation and its state (in flight or finished).
 *
 * While in flight, it records the constructions that depend on it. These links form a wait-for graph: a
 * cycle is detected before the link that would close it is added, regardless of the awaits in between.
 */
export class Construction {
  readonly registration: Registration;
  /** The factory's return value, a service or its promise; undefined until the factory has returned. */
  value: unknown = undefined;
  /** Called when the construction has finished or failed. */
  onFinish: (() => void) | undefined = undefined;
  readonly #waiters: Set<Construction> = new Set();
  #inFlight = true;

  constructor(registration: Registration) {
    this.registration = registration;
  }

  /** Creates a construction that has already finished with `value`. */
  static finished(registration: Registration, value: unknown): Construction {
    const construction = new Construction(registration);
    construction.value = value;
    construction.finish();
    return construction;
  }

  /** `true` until the factory has returned and, when it is async, its promise has settled. */
  get inFlight(): boolean {
    return this.#inFlight;
  }

  /** Records constructions that cannot continue before this one has ended. */
  addWaiters(waiters: readonly Construction[]): void {
    for (const waiter of waiters) this.#waiters.add(waiter);
  }

  /** Marks the construction as finished or failed, and drops its waiters. */
  finish(): void {
    this.#inFlight = false;
    this.#waiters.clear();
    this.onFinish?.();
  }

  /**
   * Returns the dependency chain from a construction of `registration` that waits for this one down to this
   * one; undefined when no such construction exists.
   */
  chainFrom(
    registration: Registration,
    visited: Set<Construction> = new Set(),
  ): readonly string[] | undefined {
    // A finished construction waits for nothing: using its resolver later is not a cycle.
    if (!this.#inFlight || visited.has(this)) return undefined;
    visited.add(this);
    if (this.registration === registration) return [this.registration.name];
    for (const waiter of this.#waiters) {
      const chain = waiter.chainFrom(registration, visited);
      if (chain !== undefined) return [...chain, this.registration.name];
    }
    return undefined;
  }
}

/**
 * Throws when creating or awaiting a service that itself waits for one of its callers.
 *
 * @throws EspalierError `ERR_CONTAINER_CYCLE`, with the chain
 */
export function refuseCycle(registration: Registration, askers: readonly Construction[]): void {
  for (const asker of askers) {
    const chain = asker.chainFrom(registration);
    if (chain === undefined) continue;
    const names = [...chain, registration.name].map((name) => `"${name}"`).join(" → ");
    throw new EspalierError(
      "ERR_CONTAINER_CYCLE",
      `Services depend on each other in a cycle: ${names}. ` +
        "Let one of them resolve the other when it is used, not when it is created.",
    );
  }
}
