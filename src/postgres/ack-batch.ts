/** Deletes leased jobs, and resolves to the leases that were not stale. */
export type AcknowledgeJobs = (
  done: readonly { readonly id: string; readonly lease: string }[],
) => Promise<readonly string[]>;

interface Waiting {
  readonly id: string;
  readonly lease: string;
  resolve(isCurrent: boolean): void;
  reject(error: unknown): void;
}

/** Combines jobs that end at the same moment, as short ones do that were pulled together, into one statement. */
export class AckBatch {
  readonly #acknowledge: AcknowledgeJobs;
  #waiting: Waiting[] = [];

  constructor(acknowledge: AcknowledgeJobs) {
    this.#acknowledge = acknowledge;
  }

  /** Resolves to false if the lease is stale. */
  add(id: string, lease: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => void this.#flush());
      this.#waiting.push({ id, lease, resolve, reject });
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      const current = new Set(
        await this.#acknowledge(batch.map(({ id, lease }) => ({ id, lease }))),
      );
      // Of two calls with one lease, the second is stale.
      for (const { lease, resolve } of batch) resolve(current.delete(lease));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
