import { registeredMiddleware } from "../pipeline/registered-middleware.ts";
import type { RouteRecord } from "../routing/route.ts";
import type { BroadcastCapability } from "./capabilities/broadcast.ts";
import type { CacheCapability } from "./capabilities/cache.ts";
import type { LockCapability } from "./capabilities/locks.ts";
import type { QueueCapability } from "./capabilities/queue.ts";
import type { ScheduleCapability } from "./capabilities/schedule.ts";
import type { ApplicationRuntime } from "./runtime.ts";
import type { ServiceOptions } from "./service-options.ts";

/**
 * Everything an application has registered, for tools such as the command line, and for tests of its
 * registration as a whole: "every route but these requires a user".
 */
export interface ApplicationInspection {
  /** Every route with its inherited options, in registration order. */
  readonly routes: readonly RouteRecord[];
  /** Class or function names of global middleware, in execution order. */
  readonly globalMiddleware: readonly string[];
  /** Global and named middleware as registered; entries of routes refer to it. */
  readonly middleware: readonly object[];
  /** True if `useCacheStore` has set a store. */
  readonly hasOwnCacheStore: boolean;
  /** True if `useQueue` or `useInMemoryQueue` has set a driver. */
  readonly hasOwnQueue: boolean;
  /** The adapter of `useBroadcast`; undefined without one. */
  readonly broadcastAdapter: object | undefined;
  /** The store of `useLockStore`; undefined without one. */
  readonly lockStore: object | undefined;
  /** The option `kv`: name of the KV binding; undefined tries the default names. */
  readonly kv: string | undefined;
  /** The option `queue`: name of the producer binding. */
  readonly queue: string;
  /** The names of the jobs that have a handler. */
  readonly jobs: readonly string[];
  /** The cron expressions of `schedule`, without duplicates. */
  readonly crons: readonly string[];
}

interface InspectedCapabilities {
  readonly broadcast: BroadcastCapability;
  readonly cache: CacheCapability;
  readonly locks: LockCapability;
  readonly queue: QueueCapability;
  readonly schedule: ScheduleCapability;
  readonly options: ServiceOptions;
}

/** See {@link Application.inspect}. */
export function inspectApplication(
  { router, middleware }: ApplicationRuntime,
  { broadcast, cache, locks, queue, schedule, options }: InspectedCapabilities,
): ApplicationInspection {
  return {
    routes: router.records,
    globalMiddleware: middleware.global.map(({ label }) => label),
    middleware: registeredMiddleware(middleware),
    hasOwnCacheStore: cache.isChosen,
    hasOwnQueue: queue.isChosen,
    broadcastAdapter: broadcast.adapter,
    lockStore: locks.store,
    kv: options.kv,
    queue: queue.binding,
    jobs: [...queue.definitions.keys()],
    crons: schedule.scheduler.crons(),
  };
}
