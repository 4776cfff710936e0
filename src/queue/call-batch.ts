/** Runs several calls as one, and resolves to their results in the same order. */
export type RunTogether<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

interface WaitingCall<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Combines calls that are made at the same moment, such as those of `Promise.all` or those of short jobs that were
 * pulled together, into one call of the engine. If it fails, all of them fail.
 */
export class CallBatch<Item, Result> {
  readonly #runTogether: RunTogether<Item, Result>;
  #waiting: WaitingCall<Item, Result>[] = [];

  constructor(runTogether: RunTogether<Item, Result>) {
    this.#runTogether = runTogether;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      // Later than the calls of this microtask checkpoint, but before any event: no other request is waited for.
      if (this.#waiting.length === 0) queueMicrotask(() => void this.#flush());
      this.#waiting.push({ item, resolve, reject });
    });
  }

  async #flush(): Promise<void> {
    const calls = this.#waiting;
    this.#waiting = [];
    try {
      const results = await this.#runTogether(calls.map(({ item }) => item));
      // One result for each item.
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}
