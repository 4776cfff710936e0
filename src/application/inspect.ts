import type { RouteRecord } from "../routing/route.ts";
import type { CacheCapability } from "./capabilities/cache.ts";
import type { QueueCapability } from "./capabilities/queue.ts";
import type { ScheduleCapability } from "./capabilities/schedule.ts";
import type { ServiceOptions } from "./options.ts";
import type { ApplicationRuntime } from "./runtime.ts";

/**
 * What an application has registered, for tools such as the command line, and for tests that look at the
 * whole of it: "every route but these asks for a user".
 */
export interface ApplicationInspection {
  /** Every route with all that it inherits, in the order of registration. */
  readonly routes: readonly RouteRecord[];
  /** Global middleware by its class or function, in the order it runs. */
  readonly globalMiddleware: readonly string[];
  /** Global and named middleware, as it was registered; what stands in a route's list is there. */
  readonly middleware: readonly object[];
  /** Whether `useCacheStore` said where the cache is kept. */
  readonly hasOwnCacheStore: boolean;
  /** Whether `useQueue` or `useInMemoryQueue` said where jobs are kept. */
  readonly hasOwnQueue: boolean;
  /** The option `kv`: the name of the KV binding; undefined when the usual names are looked for. */
  readonly kv: string | undefined;
  /** The option `queue`: the name of the producer binding. */
  readonly queue: string;
  /** The names of the jobs that have a handler. */
  readonly jobs: readonly string[];
  /** The expressions of `schedule`, each once. */
  readonly crons: readonly string[];
}

interface InspectedCapabilities {
  readonly cache: CacheCapability;
  readonly queue: QueueCapability;
  readonly schedule: ScheduleCapability;
  readonly options: ServiceOptions;
}

/** See {@link Application.inspect}. */
export function inspectApplication(
  { router, middleware }: ApplicationRuntime,
  { cache, queue, schedule, options }: InspectedCapabilities,
): ApplicationInspection {
  return {
    routes: router.records,
    globalMiddleware: middleware.global.map(({ label }) => label),
    middleware: middleware.registered,
    hasOwnCacheStore: cache.isChosen,
    hasOwnQueue: queue.isChosen,
    kv: options.kv,
    queue: queue.binding,
    jobs: queue.queue.jobNames,
    crons: schedule.scheduler.crons(),
  };
}
