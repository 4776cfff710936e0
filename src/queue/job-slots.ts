/** Slot of a running job. */
export interface JobSlot {
  readonly name: string;
  /** Time at which the slot expires, in milliseconds since the epoch. */
  readonly until: number;
}

/** Limits the number of concurrent jobs, in total and by name. */
export class JobSlots {
  readonly #total: number;
  readonly #taken = new Set<JobSlot>();
  readonly #byName = new Map<string, number>();

  constructor(total: number) {
    this.#total = total;
  }

  /** Number of free slots. */
  free(now: number): number {
    if (this.#taken.size >= this.#total) this.#releaseOverdue(now);
    return this.#total - this.#taken.size;
  }

  /** Number of free slots for jobs of `name`, of which `limit` may run concurrently. */
  room(name: string, limit: number, now: number): number {
    if (this.#count(name) >= limit) this.#releaseOverdue(now);
    return Math.max(0, limit - this.#count(name));
  }

  /**
   * Acquires a slot; returns the function that releases it.
   *
   * @param until time at which the slot expires, in milliseconds since the epoch: a Worker that is killed
   *   during a job never releases it
   */
  take(name: string, until: number): () => void {
    const slot = { name, until };
    this.#taken.add(slot);
    this.#byName.set(name, this.#count(name) + 1);
    return () => this.#release(slot);
  }

  /** Slots in use. */
  taken(): readonly JobSlot[] {
    return [...this.#taken];
  }

  /** Latest expiry of these slots; undefined if none is in use any more. */
  heldUntil(slots: readonly JobSlot[], now: number): number | undefined {
    const held = slots.filter((slot) => slot.until > now && this.#taken.has(slot));
    return held.length === 0 ? undefined : Math.max(...held.map(({ until }) => until));
  }

  #count(name: string): number {
    return this.#byName.get(name) ?? 0;
  }

  #release(slot: JobSlot): void {
    if (!this.#taken.delete(slot)) return;
    const left = this.#count(slot.name) - 1;
    if (left > 0) this.#byName.set(slot.name, left);
    else this.#byName.delete(slot.name);
  }

  #releaseOverdue(now: number): void {
    for (const slot of this.#taken) if (slot.until <= now) this.#release(slot);
  }
}
