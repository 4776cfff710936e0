import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";
import { isCallable } from "../util/is-callable.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import type { JobHandler, ProcessOptions } from "./job.ts";
import { checkCount, checkDuration, checkName } from "./option-checks.ts";

/** A registered handler with its limits. */
export interface JobDefinition<Context extends object> {
  readonly handler: JobHandler<unknown, Context>;
  /** Maximum number of concurrent jobs of this name. */
  readonly concurrency: number;
  readonly timeoutMs: number;
}

/** Handlers of a queue by job name. */
export type JobDefinitions<Context extends object> = Map<string, JobDefinition<Context>>;

/** Default timeout of an attempt, in milliseconds. */
const defaultTimeoutMs = 30_000;

const processOptionNames: OptionNames<ProcessOptions> = { concurrency: true, timeoutMs: true };

/**
 * Adds the one handler of `name` to `definitions`.
 *
 * @throws EspalierError `ERR_QUEUE_HANDLER_EXISTS`, `ERR_QUEUE_BAD_OPTION`
 */
export function defineJob<Context extends object>(
  definitions: JobDefinitions<Context>,
  name: string,
  handler: JobHandler<unknown, Context>,
  options: ProcessOptions = {},
): void {
  checkName(name, "The name of a job");
  const owner = { code: "ERR_QUEUE_BAD_OPTION", name: `process(${JSON.stringify(name)})` } as const;
  checkOptionNames(owner, options, processOptionNames);
  const { concurrency = 10, timeoutMs = defaultTimeoutMs } = options;
  checkCount("concurrency", concurrency);
  checkDuration("timeoutMs", timeoutMs);
  if (!isCallable(handler)) {
    throw new EspalierError(
      "ERR_QUEUE_BAD_OPTION",
      `The handler of the job "${name}" must be a function (job, context), got ${kindOf(handler)}.`,
    );
  }
  if (definitions.has(name)) {
    throw new EspalierError(
      "ERR_QUEUE_HANDLER_EXISTS",
      `The job "${name}" already has a handler. Use another name, or one handler that does both.`,
    );
  }
  definitions.set(name, { handler, concurrency, timeoutMs });
}
