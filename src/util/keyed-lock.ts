import { withDeadline } from "./with-deadline.ts";

/** Longest wait for a holder, in milliseconds: on Workers it may be killed with its request. */
const maxWaitMs = 5_000;
/** Bounds the keys of killed holders that nothing waited for. */
const maxKeys = 10_000;

/** Runs tasks of the same key one after the other, in this process or isolate. */
export class KeyedLock {
  /** End of the last task of each key, from the oldest key to the newest. */
  readonly #ends = new Map<string, Promise<void>>();

  /** Runs a task after the earlier ones of its key, or after five seconds. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const previous = this.#ends.get(key);
    let release = (): void => {};
    const end = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#ends.set(key, end);
    this.#limitKeys();
    try {
      if (previous !== undefined) await withDeadline(previous, maxWaitMs, () => {});
      return await task();
    } finally {
      release();
      if (this.#ends.get(key) === end) this.#ends.delete(key);
    }
  }

  #limitKeys(): void {
    if (this.#ends.size <= maxKeys) return;
    const [oldest] = this.#ends.keys();
    if (oldest !== undefined) this.#ends.delete(oldest);
  }
}
