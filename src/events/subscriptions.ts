import { isWildcard, wildcardsOver } from "./event-pattern.ts";
import type { EventHandler } from "./event-types.ts";

/** A registered handler. */
export interface Subscription {
  /** A name, or a wildcard such as `user.*`. */
  readonly pattern: string;
  readonly handler: EventHandler;
  readonly once: boolean;
  /** Position in the order of registration, across all patterns. */
  readonly order: number;
}

/** The handlers of an event bus, found by the names they are registered for. */
export class Subscriptions {
  readonly #byPattern: Map<string, readonly Subscription[]> = new Map();
  #wildcards = 0;
  #nextOrder = 0;

  /** Adds a handler after all others. */
  add(pattern: string, handler: EventHandler, once: boolean): Subscription {
    const subscription = { pattern, handler, once, order: this.#nextOrder++ };
    this.#replace(pattern, [...this.#of(pattern), subscription]);
    return subscription;
  }

  /** Removes one subscription if it still exists. */
  remove(subscription: Subscription): void {
    const { pattern } = subscription;
    this.#replace(
      pattern,
      this.#of(pattern).filter((other) => other !== subscription),
    );
  }

  /** Removes the latest subscription of the handler, or all of the pattern when no handler is given. */
  removeHandler(pattern: string, handler: EventHandler | undefined): void {
    if (handler === undefined) {
      this.#replace(pattern, []);
      return;
    }
    const latest = this.#of(pattern).findLast((subscription) => subscription.handler === handler);
    if (latest !== undefined) this.remove(latest);
  }

  /** Returns whether the name has handlers. */
  covers(name: string): boolean {
    if (this.#byPattern.size === 0) return false;
    if (this.#byPattern.has(name)) return true;
    return this.#wildcards > 0 && wildcardsOver(name).some((over) => this.#byPattern.has(over));
  }

  /** Returns the handlers of one emission in order, and removes those that run only once. */
  take(name: string): readonly Subscription[] {
    if (this.#byPattern.size === 0) return [];
    const taken = this.#covering(name);
    for (const subscription of taken) if (subscription.once) this.remove(subscription);
    return taken;
  }

  #covering(name: string): readonly Subscription[] {
    const exact = this.#of(name);
    if (this.#wildcards === 0) return exact;
    // A set, because a name such as "*" would cover itself twice.
    const patterns = new Set([name, ...wildcardsOver(name)]);
    return [...patterns]
      .flatMap((pattern) => this.#of(pattern))
      .sort((one, other) => one.order - other.order);
  }

  #of(pattern: string): readonly Subscription[] {
    return this.#byPattern.get(pattern) ?? [];
  }

  /** Lists are replaced and never changed, so that an emission in progress keeps its own. */
  #replace(pattern: string, subscriptions: readonly Subscription[]): void {
    if (isWildcard(pattern)) this.#wildcards += subscriptions.length - this.#of(pattern).length;
    if (subscriptions.length === 0) this.#byPattern.delete(pattern);
    else this.#byPattern.set(pattern, subscriptions);
  }
}
