/** A job leased by this instance. */
export interface HeldJob {
  readonly id: string;
  /** End of the lease, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly attempt: number;
  /** The stored job. */
  readonly text: string;
  /** Older keys of the job that could not be deleted when it was leased. */
  readonly leftovers: readonly string[];
}

/** Time after which an ended lease is forgotten: an interrupted worker never ends its own. */
const longAgoMs = 5 * 60 * 1000;

/** Jobs leased by this instance, by lease. */
export class KvHeldJobs {
  readonly #held = new Map<string, HeldJob>();

  get(lease: string): HeldJob | undefined {
    return this.#held.get(lease);
  }

  set(lease: string, job: HeldJob): void {
    this.#held.set(lease, job);
  }

  delete(lease: string): void {
    this.#held.delete(lease);
  }

  /** Returns true while a job with this id is leased. */
  isHeld(id: string, now: number): boolean {
    for (const held of this.#held.values()) if (held.id === id && held.endsAt > now) return true;
    return false;
  }

  forgetOld(now: number): void {
    for (const [lease, { endsAt }] of this.#held) {
      if (endsAt < now - longAgoMs) this.#held.delete(lease);
    }
  }
}
