import type { Clock } from "../util/clock.ts";

/** Lets loops sleep until a change is notified, or until a given time. */
export class ChangeSignal {
  readonly #waiting = new Set<() => void>();

  /** Wakes all waiters. */
  notify(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves at the next `notify`, or at `untilMs` (milliseconds since the epoch) if that is earlier. */
  wait(clock: Clock, untilMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancelTimer = Number.isFinite(untilMs)
        ? clock.after(Math.max(0, untilMs - clock.now()), wake)
        : () => undefined;
      const waiting = this.#waiting;
      function wake(): void {
        waiting.delete(wake);
        cancelTimer();
        resolve();
      }
      waiting.add(wake);
    });
  }
}
