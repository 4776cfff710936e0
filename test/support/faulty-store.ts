/** Faults of a {@link FaultyStore}. */
export type StoreFault = "refuses" | "never answers" | "answers late" | "answers garbage";

/** Time after which a store that "answers late" answers, in milliseconds: later than any deadline. */
export const lateMs = 8000;

/**
 * An asynchronous store with configurable faults: simulates a Map over a network.
 *
 * `run` applies the current fault to any operation, so that other kinds of stores can use it.
 */
export class FaultyStore {
  /** The current fault; undefined: the store works. */
  fault: StoreFault | undefined;
  /** Number of started operations. */
  operations = 0;
  readonly #values = new Map<string, unknown>();
  readonly #wait: (done: () => void) => void;

  /** @param wait calls back after {@link lateMs}; default: the timers of the platform */
  constructor(wait?: (done: () => void) => void) {
    this.#wait = wait ?? ((done) => setTimeout(done, lateMs));
  }

  async run<T>(operation: () => T | Promise<T>, garbage: unknown): Promise<T> {
    this.operations += 1;
    if (this.fault === "refuses") throw new Error("connect ECONNREFUSED 127.0.0.1:6379");
    if (this.fault === "never answers") return await new Promise<T>(() => {});
    if (this.fault === "answers late") {
      const result = await operation();
      await new Promise<void>((done) => this.#wait(done));
      return result;
    }
    // Unchecked cast: a faulty store violates its types.
    return this.fault === "answers garbage" ? (garbage as T) : await operation();
  }

  get(key: string): Promise<unknown> {
    return this.run(() => this.#values.get(key), '{"e":null,"v":[1,');
  }

  set(key: string, value: unknown): Promise<unknown> {
    return this.run(() => this.#values.set(key, value), { nonsense: true });
  }

  delete(key: string): Promise<unknown> {
    return this.run(() => this.#values.delete(key), { nonsense: true });
  }
}
