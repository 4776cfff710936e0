import { isWildcard, wildcardsOver } from "./event-pattern.ts";
import type { EventHandler } from "./event-types.ts";

/** One handler, as it was registered. */
export interface Subscription {
  /** A name, or a wildcard such as `user.*`. */
  readonly pattern: string;
  readonly handler: EventHandler;
  readonly once: boolean;
  /** Its place in the order of registration, over all patterns. */
  readonly order: number;
}

/** The handlers of an event bus, found by the names they are registered for. */
export class Subscriptions {
  readonly #byPattern: Map<string, readonly Subscription[]> = new Map();
  #wildcards = 0;
  #nextOrder = 0;

  /** Adds a handler behind all others. */
  add(pattern: string, handler: EventHandler, once: boolean): Subscription {
    const subscription = { pattern, handler, once, order: this.#nextOrder++ };
    this.#replace(pattern, [...this.#of(pattern), subscription]);
    return subscription;
  }

  /** Removes one subscription, if it is still there. */
  remove(subscription: Subscription): void {
    const { pattern } = subscription;
    this.#replace(
      pattern,
      this.#of(pattern).filter((other) => other !== subscription),
    );
  }

  /** Removes the latest subscription of that handler, or all of the pattern when none is given. */
  removeHandler(pattern: string, handler: EventHandler | undefined): void {
    if (handler === undefined) {
      this.#replace(pattern, []);
      return;
    }
    const latest = this.#of(pattern).findLast((subscription) => subscription.handler === handler);
    if (latest !== undefined) this.remove(latest);
  }

  /** Whether anybody would be called for that name. */
  covers(name: string): boolean {
    if (this.#byPattern.size === 0) return false;
    if (this.#byPattern.has(name)) return true;
    return this.#wildcards > 0 && wildcardsOver(name).some((over) => this.#byPattern.has(over));
  }

  /** Who is called for one emission, in order. Those that run once are removed: they are taken. */
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

  /** Lists are replaced and never changed, so that an emission under way keeps its own. */
  #replace(pattern: string, subscriptions: readonly Subscription[]): void {
    if (isWildcard(pattern)) this.#wildcards += subscriptions.length - this.#of(pattern).length;
    if (subscriptions.length === 0) this.#byPattern.delete(pattern);
    else this.#byPattern.set(pattern, subscriptions);
  }
}
