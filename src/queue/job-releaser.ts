import { describeError, type Logger } from "../observability/logger.ts";
import type { Clock } from "../util/clock.ts";
import { logSafely } from "../util/log-safely.ts";
import { nearestNames } from "../util/nearest-names.ts";
import type { LeasedJob } from "./queue-adapter.ts";
import type { ResilientAdapter } from "./resilient-adapter.ts";

/** Options of {@link JobReleaser}. */
export interface JobReleaserOptions {
  readonly store: () => ResilientAdapter;
  /** Handlers by job name. */
  readonly definitions: ReadonlyMap<string, unknown>;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
}

/** Maximum number of names for which a warning is logged. */
const maxWarnedNames = 1000;

/** Gives jobs back to the queue that this process does not run. */
export class JobReleaser {
  readonly #options: JobReleaserOptions;
  /** Names of released jobs: a warning is logged once for each. */
  readonly #warnedNames = new Set<string>();

  constructor(options: JobReleaserOptions) {
    this.#options = options;
  }

  /** Releases a job, and logs a warning if this process has no handler for it. Never rejects. */
  async release(job: LeasedJob): Promise<void> {
    const { store, definitions, clock, logger } = this.#options;
    if (!definitions.has(job.name)) this.#warnOfForeign(job);
    try {
      await store().release(job.id, job.lease, clock.now());
    } catch (error) {
      // The job becomes due again when its lease expires.
      const fields = { job: job.name, jobId: job.id, error: describeError(error) };
      logSafely(logger, "warn", "A job could not be given back.", fields);
    }
  }

  #warnOfForeign({ name }: LeasedJob): void {
    if (this.#warnedNames.has(name) || this.#warnedNames.size >= maxWarnedNames) return;
    this.#warnedNames.add(name);
    const message =
      `The job "${name}" was left in the queue: this process has no handler for it.` +
      nearestNames(name, [...this.#options.definitions.keys()]);
    logSafely(this.#options.logger, "warn", message, { job: name });
  }
}
