/** On Workers a holder dies silently with its request: whoever waits goes on after this time. */
const maxWaitMs = 5_000;
/** Bounds the keys of holders that died and were never waited for. */
const maxKeys = 10_000;

/** Runs tasks of the same key one after the other, in this process or isolate. */
export class KeyedLock {
  /** End of the last task of each key, from the oldest key to the newest. */
  readonly #ends = new Map<string, Promise<void>>();

  /** Runs a task when the earlier ones of its key have ended, or after five seconds. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const previous = this.#ends.get(key);
    let release = (): void => {};
    const end = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#ends.set(key, end);
    this.#limitKeys();
    try {
      if (previous !== undefined) await settledWithin(previous, maxWaitMs);
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

async function settledWithin(promise: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
