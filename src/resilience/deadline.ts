import type { Clock } from "../util/clock.ts";

/**
 * Settles as `work` does, or rejects with `createError()` when that takes longer than `timeoutMs`.
 *
 * A promise cannot be cancelled, so `work` keeps running. Its late result or rejection is ignored.
 *
 * @param timeoutMs `Infinity` waits for ever
 */
export function withDeadline<T>(
  work: PromiseLike<T>,
  timeoutMs: number,
  clock: Clock,
  createError: () => Error,
): Promise<T> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return Promise.resolve(work);
  return new Promise((resolve, reject) => {
    // Keeps the process alive: a script that awaits a silent store must get the error.
    const cancel = clock.after(timeoutMs, () => reject(createError()), true);
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
