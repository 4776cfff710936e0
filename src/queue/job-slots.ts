/** The place of a job that runs. */
export interface JobSlot {
  readonly name: string;
  /** When it is free again whatever happens, in milliseconds since the epoch. */
  readonly until: number;
}

/** How many jobs run at once: in all, and of each name. */
export class JobSlots {
  readonly #total: number;
  readonly #taken = new Set<JobSlot>();
  readonly #byName = new Map<string, number>();

  constructor(total: number) {
    this.#total = total;
  }

  /** How many more jobs may start. */
  free(now: number): number {
    if (this.#taken.size >= this.#total) this.#releaseOverdue(now);
    return this.#total - this.#taken.size;
  }

  /** How many more jobs of `name` may start, of the `limit` that may run at once. */
  room(name: string, limit: number, now: number): number {
    if (this.#count(name) >= limit) this.#releaseOverdue(now);
    return Math.max(0, limit - this.#count(name));
  }

  /**
   * Takes a slot; what it returns gives it back.
   *
   * @param until when the slot is free again whatever happens, in milliseconds since the epoch. A
   *   Worker that is cut off in the middle of a job never gets to give it back.
   */
  take(name: string, until: number): () => void {
    const slot = { name, until };
    this.#taken.add(slot);
    this.#byName.set(name, this.#count(name) + 1);
    return () => this.#release(slot);
  }

  /** Those that are taken now. */
  taken(): readonly JobSlot[] {
    return [...this.#taken];
  }

  /** Until when the last of these is held at the most; undefined when none is any more. */
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
