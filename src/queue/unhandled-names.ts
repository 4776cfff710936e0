/** Maximum number of remembered names; jobs of further names wait until something else wakes the worker. */
const maxNames = 1000;

/** Names of jobs that this process has enqueued without a handler. */
export class UnhandledNames {
  readonly #names = new Set<string>();

  add(name: string): void {
    if (this.#names.size < maxNames) this.#names.add(name);
  }

  /** Removes the names that have a handler now. Returns true if there were any. */
  removeHandled(handlers: ReadonlyMap<string, unknown>): boolean {
    const before = this.#names.size;
    for (const name of this.#names) if (handlers.has(name)) this.#names.delete(name);
    return this.#names.size < before;
  }
}
