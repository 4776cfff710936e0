import type { ExecutionContext } from "../http/context.ts";
import type { QueueBatch } from "../platform/cloudflare/queue-types.ts";
import type { Env } from "../register.ts";
import type { Application } from "./application.ts";
import type { QueueCapability } from "./capabilities/queue.ts";
import type { ScheduleCapability } from "./capabilities/schedule.ts";
import type { JobPlatformArguments } from "./job-context.ts";
import type { ApplicationRuntime } from "./runtime.ts";

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
  runtime: ApplicationRuntime,
  jobs: QueueCapability,
  schedule: ScheduleCapability,
): ModuleWorker {
  // An application that declares its Env states the type of what the platform passes.
  const start = async (env: unknown, executionContext: ExecutionContext) => {
    const platform: JobPlatformArguments = { env: env as Env, executionContext };
    await runtime.start(platform.env);
    return () => runtime.createJobContext(platform);
  };
  return {
    application: app,
    fetch: app.fetch,
    async queue(batch, env, executionContext) {
      const createJobContext = await start(env, executionContext);
      await jobs.handleBatch(batch, createJobContext);
    },
    async scheduled({ cron, scheduledTime }, env, executionContext) {
      const createJobContext = await start(env, executionContext);
      try {
        await schedule.run(cron, scheduledTime, createJobContext);
      } finally {
        await jobs.drain(drainBudgetMs, createJobContext);
      }
    },
  };
}
