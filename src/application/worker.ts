import type { ExecutionContext } from "../http/context-input.ts";
import { runJobsUrl } from "../platform/cloudflare/queue-object-protocol.ts";
import type { QueueBatch } from "../platform/cloudflare/queue-types.ts";
import type { Env } from "../register.ts";
import type { Application } from "./application.ts";
import type { QueueCapability } from "./capabilities/queue.ts";
import type { ScheduleCapability } from "./capabilities/schedule.ts";
import type { FetchWorker } from "./fetch-worker.ts";
import { createJobContext, type JobPlatformArguments } from "./job-context.ts";
import type { ServiceRuntime } from "./service-runtime.ts";

/** Event of a cron trigger on Cloudflare. */
export interface ScheduledController {
  /** The expression as written in `wrangler.toml`. */
  readonly cron: string;
  /** Scheduled time, in milliseconds since the epoch. */
  readonly scheduledTime: number;
}

/** The module worker that Cloudflare runs: `export default app.worker()`. */
export interface ModuleWorker extends FetchWorker {
  /** The application of the worker, for tools that load the Worker's module. */
  readonly application: Application;
  /** Consumes batches of Cloudflare Queues. */
  queue(batch: QueueBatch, env: unknown, executionContext: ExecutionContext): Promise<void>;
  /** Runs the schedules of a cron trigger, and due jobs. */
  scheduled(
    controller: ScheduledController,
    env: unknown,
    executionContext: ExecutionContext,
  ): Promise<void>;
}

/** Time during which a cron trigger or an alarm starts jobs, in milliseconds; the platform grants it 15 minutes. */
const drainBudgetMs = 60_000;

/** See {@link Application.worker}. */
export function createWorker(
  app: Application,
  runtime: ServiceRuntime,
  jobs: QueueCapability,
  schedule: () => ScheduleCapability,
): ModuleWorker {
  // Unchecked: the type of the platform's bindings is declared by the application.
  const start = async (env: unknown, executionContext: ExecutionContext) => {
    const platform: JobPlatformArguments = { env: env as Env, executionContext };
    await runtime.start(platform.env);
    return () => createJobContext(runtime, platform);
  };
  return {
    application: app,
    async fetch(request, env, executionContext) {
      if (request.url !== runJobsUrl) return await app.fetch(request, env, executionContext);
      const createContext = await start(env, executionContext as ExecutionContext);
      return Response.json({ attempts: await jobs.drain(drainBudgetMs, createContext) });
    },
    async queue(batch, env, executionContext) {
      const createContext = await start(env, executionContext);
      await jobs.handleBatch(batch, createContext);
    },
    async scheduled({ cron, scheduledTime }, env, executionContext) {
      const createContext = await start(env, executionContext);
      try {
        await schedule().run(cron, scheduledTime, createContext);
      } finally {
        await jobs.drain(drainBudgetMs, createContext);
      }
    },
  };
}
