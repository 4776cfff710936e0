import { EspalierError } from "../errors.ts";
import type { Registration } from "./factory.ts";

/**
 * One call of a factory, and what came of it.
 *
 * While it is in flight it knows which other constructions wait for it. Together these links are a
 * wait-for graph: a cycle is found when the link that would close it is about to be made, however
 * many awaits lie between.
 */
export class Construction {
  readonly registration: Registration;
  /** What the factory returned: the service, or its promise; undefined until it has returned. */
  value: unknown = undefined;
  /** Called when the construction has ended. */
  onFinish: (() => void) | undefined = undefined;
  readonly #waiters: Set<Construction> = new Set();
  #inFlight = true;

  constructor(registration: Registration) {
    this.registration = registration;
  }

  /** A construction that has ended with `value`. */
  static finished(registration: Registration, value: unknown): Construction {
    const construction = new Construction(registration);
    construction.value = value;
    construction.finish();
    return construction;
  }

  /** True until the factory has returned, and where it is async, until its promise has settled. */
  get inFlight(): boolean {
    return this.#inFlight;
  }

  /** Notes that `waiters` cannot go on before this one has ended. */
  addWaiters(waiters: readonly Construction[]): void {
    for (const waiter of waiters) this.#waiters.add(waiter);
  }

  /** Notes that it has ended, well or badly. Nobody waits for it any more. */
  finish(): void {
    this.#inFlight = false;
    this.#waiters.clear();
    this.onFinish?.();
  }

  /**
   * The names on the way from a construction of `registration` that waits for this one down to this
   * one; undefined when there is none.
   */
  chainFrom(
    registration: Registration,
    visited: Set<Construction> = new Set(),
  ): readonly string[] | undefined {
    // One that has ended waits for nothing: its resolver may be used later without being a cycle.
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
 * Refuses to make, or to wait for, a service that itself waits for one of those who ask.
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
        "Let one of them resolve the other when it is used, not when it is made.",
    );
  }
}
