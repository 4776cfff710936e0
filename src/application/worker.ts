import type { ExecutionContext } from "../http/context.ts";
import type { QueueBatch } from "../platform/cloudflare/queue-types.ts";
import type { Env } from "../register.ts";
import type { Application } from "./application.ts";
import type { JobPlatformArguments } from "./job-context.ts";
import type { ApplicationRuntime } from "./runtime.ts";
import type { Subsystems } from "./subsystems.ts";

/** What Cloudflare says about a cron trigger. */
export interface ScheduledController {
  /** The expression as `wrangler.toml` has it. */
  readonly cron: string;
  /** When it was due, in milliseconds since the epoch. */
  readonly scheduledTime: number;
}

/** A module worker that answers requests. */
export interface FetchWorker {
  /** Answers a request; never rejects. */
  fetch(request: Request, env?: unknown, executionContext?: unknown): Promise<Response>;
}

/** The module worker that Cloudflare runs: `export default app.worker()`. */
export interface ModuleWorker extends FetchWorker {
  /** The application behind it, for tools that are given the Worker's module. */
  readonly application: Application;
  /** Consumes batches of Cloudflare Queues. */
  queue(batch: QueueBatch, env: unknown, executionContext: ExecutionContext): Promise<void>;
  /** Runs cron triggers, and the jobs that are due. */
  scheduled(
    controller: ScheduledController,
    env: unknown,
    executionContext: ExecutionContext,
  ): Promise<void>;
}

/** For how long a cron trigger starts jobs, in milliseconds; the platform grants it 15 minutes. */
const drainBudgetMs = 60_000;

/** See {@link Application.worker}. */
export function createWorker(
  app: Application,
  kernel: ApplicationRuntime,
  services: Subsystems,
): ModuleWorker {
  // An application that declares its Env says what the platform hands over.
  const invocationOf = (
    env: unknown,
    executionContext: ExecutionContext,
  ): JobPlatformArguments => ({
    env: env as Env,
    executionContext,
  });
  return {
    application: app,
    fetch: app.fetch,
    async queue(batch, env, executionContext) {
      const invocation = invocationOf(env, executionContext);
      await kernel.start(invocation.env);
      await services.queue.handleBatch(batch, () => kernel.createJobContext(invocation));
    },
    async scheduled({ cron, scheduledTime }, env, executionContext) {
      const invocation = invocationOf(env, executionContext);
      await kernel.start(invocation.env);
      const createJobContext = () => kernel.createJobContext(invocation);
      try {
        const hasRun = await services.scheduler.run(cron, scheduledTime, createJobContext);
        if (!hasRun) services.warnOfUnusedTrigger(cron);
      } finally {
        await services.queue.drain(drainBudgetMs, createJobContext);
      }
    },
  };
}
