import { badOption } from "../util/options.ts";
import type { JobDefinitions } from "./job-definitions.ts";
import type { QueueWorkerOptions } from "./queue-worker.ts";

/** Options of {@link Queue}. */
export interface QueueOptions<Context extends object> extends QueueWorkerOptions<Context> {
  /** Creates the id of a job that is enqueued without one, different for each job; default: a UUID. */
  readonly createId?: () => string;
  /** Handlers that were registered before the queue is created; default: none. */
  readonly definitions?: JobDefinitions<Context>;
  /** Called with the name of a job that is enqueued while it has no handler. */
  readonly onUnhandled?: (name: string) => void;
  /**
   * Timeout of a `push`, in milliseconds; default 1,000. Five times as long, and at least 5,000, for the
   * adapter's other calls, which no client waits for. `Infinity` disables the timeout.
   */
  readonly timeoutMs?: number | undefined;
}

/** Limits of one `drain`. */
export interface DrainOptions<Context extends object> {
  /** Time after which no job is started, in milliseconds; default: no limit. */
  readonly budgetMs?: number;
  /** Maximum number of jobs to start; default: no limit. */
  readonly max?: number;
  /** Overrides the queue's own for these jobs: each invocation of a Worker has its own `env`. */
  readonly createJobContext?: () => Context;
}

/** @throws EspalierError `ERR_QUEUE_BAD_OPTION` for a number that is out of range */
export function checkQueueOptions(
  options: Omit<QueueOptions<object>, "createJobContext" | "definitions">,
): void {
  const owner = { code: "ERR_QUEUE_BAD_OPTION", name: "Queue" } as const;
  for (const name of ["timeoutMs", "pollMs", "leaseMs", "backgroundMs"] as const) {
    const value: unknown = options[name];
    if (value === undefined || (typeof value === "number" && value > 0)) continue;
    throw badOption(owner, name, value, "a number of milliseconds above 0");
  }
  const { concurrency } = options;
  if (concurrency === undefined || (Number.isInteger(concurrency) && concurrency > 0)) return;
  throw badOption(owner, "concurrency", concurrency, "a positive integer");
}
