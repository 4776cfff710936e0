import type { JobRecord } from "../../queue/queue-adapter.ts";
import type { Clock } from "../../util/clock.ts";
import type { KvNamespace } from "./kv-types.ts";
import { freshKeyWaitsMs, persist } from "./queue-persistence.ts";

/** Shortest expiry that Workers KV accepts, in seconds. */
const minTtlSeconds = 60;

/** Ids of jobs that stay taken after their jobs have ended, one key each. Another location may see it a minute later. */
export class KvTakenIds {
  readonly #namespace: () => KvNamespace;
  readonly #prefix: string;
  readonly #clock: Clock;

  constructor(namespace: () => KvNamespace, prefix: string, clock: Clock) {
    this.#namespace = namespace;
    this.#prefix = `${prefix}id/`;
    this.#clock = clock;
  }

  /** Returns true if an earlier job keeps the id. */
  async isTaken(id: string): Promise<boolean> {
    const read = () => this.#namespace().get(this.#prefix + id, "text");
    const until = await persist(read, this.#clock, freshKeyWaitsMs);
    return until !== null && Number(until) > this.#clock.now();
  }

  async take({ id, keepIdMs, enqueuedAt }: JobRecord): Promise<void> {
    if (keepIdMs === 0) return;
    const until = enqueuedAt + keepIdMs;
    const restSeconds = Math.ceil((until - this.#clock.now()) / 1000);
    const expirationTtl = Math.max(restSeconds, minTtlSeconds);
    const key = this.#prefix + id;
    await persist(() => this.#namespace().put(key, String(until), { expirationTtl }), this.#clock);
  }
}
