import { setImmediate } from "node:timers/promises";
import type { QueueClock } from "../../../src/queue/queue-clock.ts";

interface Timer {
  readonly at: number;
  readonly sequence: number;
  readonly callback: () => void;
}

/** A clock that moves only when a test says so. */
export class FakeClock implements QueueClock {
  #now: number;
  #sequence = 0;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): () => void {
    this.#sequence += 1;
    const timer = { at: this.#now + delayMs, sequence: this.#sequence, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** How many timers are set: nothing may be left behind when all work is done. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves `ms` on, firing what is due in its order, and lets everything settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.at);
      timer.callback();
      await settle();
    }
    this.#now = end;
  }

  /** Moves on until no timer is left, or `limitMs` have passed. */
  async advanceUntilIdle(limitMs = 24 * 60 * 60 * 1000): Promise<void> {
    const limit = this.#now + limitMs;
    await settle();
    for (let timer = this.#next(limit); timer !== undefined; timer = this.#next(limit)) {
      await this.advance(Math.max(0, timer.at - this.#now));
    }
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > end) continue;
      const earlier =
        next === undefined ||
        timer.at < next.at ||
        (timer.at === next.at && timer.sequence < next.sequence);
      if (earlier) next = timer;
    }
    return next;
  }
}

/** Lets every promise that can settle do so. */
export async function settle(): Promise<void> {
  await setImmediate();
}
