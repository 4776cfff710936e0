/** Time source and timers, replaceable in tests. */
export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number;
  /**
   * Calls back once, `delayMs` from now. Returns a function that cancels the timer.
   *
   * @param keepsAlive keeps the process running until then; default false
   */
  after(delayMs: number, callback: () => void, keepsAlive?: boolean): () => void;
}

/** Maximum delay of `setTimeout`, in milliseconds; with a longer one it fires immediately, on every platform. */
export const maxTimerMs: number = 2 ** 31 - 1;

/** Creates a clock from the platform's time and timers. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after(delayMs, callback, keepsAlive = false) {
      const timer = setTimeout(callback, Math.min(delayMs, maxTimerMs));
      if (!keepsAlive) allowExit(timer);
      return () => clearTimeout(timer);
    },
  };
}

/** Node and Bun return a timer object, which can let the process exit; other runtimes return a number. */
function allowExit(timer: unknown): void {
  if (typeof timer !== "object" || timer === null) return;
  if ("unref" in timer && typeof timer.unref === "function") timer.unref();
}

/** Resolves `delayMs` from now. */
export function sleep(clock: Clock, delayMs: number, keepsAlive = false): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve, keepsAlive);
  });
}
