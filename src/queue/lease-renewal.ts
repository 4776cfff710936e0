import type { Clock } from "../util/clock.ts";
import type { LeasedJob } from "./queue-adapter.ts";
import type { ResilientAdapter } from "./resilient-adapter.ts";

/** Options of {@link LeaseRenewal}. */
export interface LeaseRenewalOptions {
  readonly store: ResilientAdapter;
  readonly clock: Clock;
  /** Length of the lease, in milliseconds. */
  readonly leaseMs: number;
  /** Time that the job may take, in milliseconds: a lease that is longer is not renewed. */
  readonly jobMs: number;
}

/**
 * Renews the lease of a job while its handler runs, where the adapter can. A failed renewal is tried again until
 * the lease expires; a stale lease is not renewed, and the adapter will refuse the result of the job.
 */
export class LeaseRenewal {
  /** True if the adapter can renew the lease, and the job may take longer than the lease. */
  readonly isActive: boolean;
  readonly #job: LeasedJob;
  readonly #options: LeaseRenewalOptions;
  #leasedUntil: number;
  #cancelTimer: () => void = () => {};
  #renewing: Promise<void> | undefined;

  constructor(job: LeasedJob, options: LeaseRenewalOptions) {
    this.#job = job;
    this.#options = options;
    this.#leasedUntil = options.clock.now() + options.leaseMs;
    const canRenew = options.store.adapter.renew !== undefined;
    this.isActive = canRenew && options.leaseMs < options.jobMs;
    if (this.isActive) this.#schedule();
  }

  /**
   * Stops the renewal once a renewal in progress has ended, so that it cannot extend a lease that has been ended.
   *
   * @returns the end of the lease, in milliseconds since the epoch
   */
  async stop(): Promise<number> {
    this.#cancelTimer();
    while (this.#renewing !== undefined) {
      await this.#renewing;
      this.#cancelTimer();
    }
    return this.#leasedUntil;
  }

  /** A third of the lease leaves time for another try. */
  #schedule(): void {
    const { clock, leaseMs } = this.#options;
    this.#cancelTimer = clock.after(leaseMs / 3, () => {
      this.#renewing = this.#renew().finally(() => {
        this.#renewing = undefined;
      });
    });
  }

  async #renew(): Promise<void> {
    const { store, clock, leaseMs } = this.#options;
    const { id, lease } = this.#job;
    const startedAt = clock.now();
    try {
      if (!(await store.renew(id, lease, leaseMs))) return;
      this.#leasedUntil = startedAt + leaseMs;
    } catch {
      // Logged by the caller of the store.
      if (clock.now() >= this.#leasedUntil) return;
    }
    this.#schedule();
  }
}
