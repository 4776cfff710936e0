import type { Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";
import { nearestNames } from "../../util/nearest-names.ts";

/** State of the queue that receives the jobs. */
export interface HandledJobs {
  readonly hasHandlers: boolean;
  readonly jobNames: readonly string[];
  handles(name: string): boolean;
  /** "memory" if only this process can run the jobs. */
  readonly driver: "memory" | "custom";
}

/**
 * Warns about jobs without a handler, once per name.
 *
 * Another application that shares the queue may process them, except when they are stored in the memory of this
 * process. Scheduled jobs, which may run hours later, are reported at boot if this application has other handlers.
 */
export class UnhandledJobWarnings {
  readonly #logger: Logger;
  readonly #jobs: HandledJobs;
  readonly #told = new Set<string>();
  /** Jobs enqueued during setup, when their handlers may still be registered. */
  readonly #early = new Set<string>();
  #isReady = false;

  constructor(logger: Logger, jobs: HandledJobs) {
    this.#logger = logger;
    this.#jobs = jobs;
  }

  /** Called when a job is enqueued that has no handler. */
  onUnhandled(name: string): void {
    if (!this.#isReady) this.#early.add(name);
    else if (this.#jobs.driver === "memory")
      this.#tell(name, "waits in the memory of this process");
  }

  /** Called when everything is registered. */
  onReady(scheduled: readonly string[]): void {
    this.#isReady = true;
    if (this.#jobs.hasHandlers) {
      for (const name of scheduled) {
        if (!this.#jobs.handles(name)) this.#tell(name, "is scheduled");
      }
    }
    for (const name of this.#early) if (!this.#jobs.handles(name)) this.onUnhandled(name);
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
