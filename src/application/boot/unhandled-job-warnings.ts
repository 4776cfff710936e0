import type { Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";
import { nearestNames } from "../../util/nearest-names.ts";

/** What is known of the queue that jobs are put into. */
export interface HandledJobs {
  readonly hasHandlers: boolean;
  readonly jobNames: readonly string[];
  handles(name: string): boolean;
  /** "memory" where nobody but this process can run a job. */
  readonly driver: "memory" | "custom";
}

/**
 * Tells of jobs that nobody will run, once for each name.
 *
 * Without any handler an application may be one that only enqueues, and another works off its jobs; not where
 * they are kept in the memory of this process. With handlers, but not that one, a job that is run fails and
 * is in the log: only those of schedules, which come hours later, are told beforehand.
 */
export class UnhandledJobWarnings {
  readonly #logger: Logger;
  readonly #jobs: HandledJobs;
  readonly #told = new Set<string>();
  /** Enqueued while the application is put together, when its handler may be yet to come. */
  readonly #early = new Set<string>();
  #isReady = false;

  constructor(logger: Logger, jobs: HandledJobs) {
    this.#logger = logger;
    this.#jobs = jobs;
  }

  /** A job was enqueued, and none has a handler. */
  onUnhandled(name: string): void {
    if (!this.#isReady) this.#early.add(name);
    else if (this.#jobs.driver === "memory")
      this.#tell(name, "waits in the memory of this process");
  }

  /** Everything is registered. */
  onReady(scheduled: readonly string[]): void {
    this.#isReady = true;
    if (this.#jobs.hasHandlers) {
      for (const name of scheduled) {
        if (!this.#jobs.handles(name)) this.#tell(name, "is scheduled");
      }
    } else {
      for (const name of this.#early) this.onUnhandled(name);
    }
    this.#early.clear();
  }

  #tell(name: string, what: string): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    const { jobNames } = this.#jobs;
    const hint = jobNames.length === 0 ? "" : nearestNames(name, jobNames);
    const message =
      `The job "${name}" ${what}, and nothing processes it.${hint} ` +
      `Register a handler: app.getQueue().process(${JSON.stringify(name)}, …).`;
    logSafely(this.#logger, "warn", message);
  }
}
