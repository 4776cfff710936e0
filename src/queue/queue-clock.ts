/** Time as the queue sees it, so that tests can run hours in a moment. */
export interface QueueClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls back once, `delayMs` from now; the function it returns cancels that.
   *
   * @param keepsAlive whether the process must not end before; default false
   */
  after(delayMs: number, callback: () => void, keepsAlive?: boolean): () => void;
}

/** A longer delay than this would make `setTimeout` fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The platform's clock and timers. */
export function createSystemClock(): QueueClock {
  return {
    now: () => Date.now(),
    after(delayMs, callback, keepsAlive = false) {
      const timer = setTimeout(callback, Math.min(delayMs, longestTimerMs));
      if (!keepsAlive) allowExit(timer);
      return () => clearTimeout(timer);
    },
  };
}

/** Node and Bun give a timer object that can be told not to hold the process; elsewhere it is a number. */
function allowExit(timer: unknown): void {
  if (typeof timer !== "object" || timer === null) return;
  if ("unref" in timer && typeof timer.unref === "function") timer.unref();
}

/** Resolves `delayMs` from now. */
export function sleep(clock: QueueClock, delayMs: number, keepsAlive = false): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve, keepsAlive);
  });
}
