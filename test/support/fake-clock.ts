import { setImmediate } from "node:timers/promises";
import { Heap } from "../../src/queue/heap.ts";
import type { Clock } from "../../src/util/clock.ts";

interface Timer {
  readonly at: number;
  readonly sequence: number;
  readonly callback: () => void;
}

/** A clock that a test advances. */
export class FakeClock implements Clock {
  #now: number;
  #sequence = 0;
  readonly #timers = new Heap<Timer>((a, b) =>
    a.at === b.at ? a.sequence < b.sequence : a.at < b.at,
  );
  readonly #pending = new Set<Timer>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): () => void {
    this.#sequence += 1;
    const timer = { at: this.#now + delayMs, sequence: this.#sequence, callback };
    this.#timers.push(timer);
    this.#pending.add(timer);
    return () => void this.#pending.delete(timer);
  }

  /** Number of active timers, to check that none is left. */
  get pendingTimers(): number {
    return this.#pending.size;
  }

  /** Advances by `ms`, fires due timers in order, and lets promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let at = this.#nextAt(); at <= end; at = this.#nextAt()) {
      this.#now = Math.max(this.#now, at);
      while (this.#nextAt() <= this.#now) this.#fire();
      await settle();
    }
    this.#now = end;
  }

  /** Advances until no timer is left, or `limitMs` have passed. */
  async advanceUntilIdle(limitMs = 24 * 60 * 60 * 1000): Promise<void> {
    const limit = this.#now + limitMs;
    await settle();
    for (let at = this.#nextAt(); at <= limit; at = this.#nextAt()) {
      await this.advance(Math.max(0, at - this.#now));
    }
  }

  #nextAt(): number {
    for (let timer = this.#timers.peek(); timer !== undefined; timer = this.#timers.peek()) {
      if (this.#pending.has(timer)) return timer.at;
      this.#timers.pop();
    }
    return Number.POSITIVE_INFINITY;
  }

  #fire(): void {
    const timer = this.#timers.pop();
    if (timer !== undefined && this.#pending.delete(timer)) timer.callback();
  }
}

/** Waits until all promises that can settle have settled. */
async function settle(): Promise<void> {
  await setImmediate();
}
