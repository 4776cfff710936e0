import { maxTimerMs } from "../util/clock.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { ApplicationOptions } from "./options.ts";

/** Options of the application's cache. */
export interface ApplicationCacheOptions {
  /**
   * Timeout of one call of the cache's store, in milliseconds; default 1,000. `clear` has 30 times as long.
   * `Infinity` disables it.
   */
  readonly timeoutMs?: number;
}

/** Options of the application's queue. */
export interface ApplicationQueueOptions {
  /** Name of the binding of Cloudflare Queues, or of the queue's Durable Object; default `QUEUE`. */
  readonly binding?: string;
  /**
   * Timeout of storing a job, in milliseconds; default 1,000. The adapter's other calls, which no client waits
   * for, have five times as long, and at least 5,000. `Infinity` disables it.
   */
  readonly timeoutMs?: number;
  /** Time between two pulls from an adapter that cannot tell when a job is due, in milliseconds; default 1,000. */
  readonly pollMs?: number;
  /** Maximum number of jobs that run at once in this process, of all names together; default 50. */
  readonly concurrency?: number;
  /**
   * Time after which a job of a process that ended runs again, in milliseconds; default: the `timeoutMs` of its
   * handler, and 15,000; at most 60,000 if the adapter renews leases.
   */
  readonly leaseMs?: number;
}

/** Options of the services; binding names are undefined to try the default names. */
export interface ServiceOptions {
  readonly kv: string | undefined;
  readonly queue: ApplicationQueueOptions;
  readonly cache: ApplicationCacheOptions;
}

const owner = { code: "ERR_APPLICATION_BAD_OPTION", name: "Application" } as const;
const queueNames: OptionNames<ApplicationQueueOptions> = {
  binding: true,
  timeoutMs: true,
  pollMs: true,
  concurrency: true,
  leaseMs: true,
};
const cacheNames: OptionNames<ApplicationCacheOptions> = { timeoutMs: true };

/** @throws EspalierError `ERR_APPLICATION_BAD_OPTION` for an unknown option or an invalid value */
export function resolveServiceOptions(options: ApplicationOptions): ServiceOptions {
  const { kv, queue, cache, bootTimeoutMs } = options;
  const checks: unknown = options.validateResponses;
  if (checks !== undefined && typeof checks !== "boolean") {
    throw badOption(owner, "validateResponses", checks, "a boolean");
  }
  if (bootTimeoutMs !== undefined)
    checkInteger(owner, "bootTimeoutMs", bootTimeoutMs, 1, maxTimerMs);
  return {
    kv,
    queue: queue === undefined ? {} : resolveQueueOptions(queue),
    cache: cache === undefined ? {} : resolveCacheOptions(cache),
  };
}

function resolveQueueOptions(given: string | ApplicationQueueOptions): ApplicationQueueOptions {
  const queue = typeof given === "string" ? { binding: given } : given;
  checkOptionNames({ ...owner, name: "queue" }, queue, queueNames);
  for (const name of ["timeoutMs", "pollMs", "leaseMs"] as const) {
    checkDuration(`queue.${name}`, queue[name]);
  }
  if (queue.concurrency !== undefined)
    checkInteger(owner, "queue.concurrency", queue.concurrency, 1);
  return queue;
}

function resolveCacheOptions(cache: ApplicationCacheOptions): ApplicationCacheOptions {
  checkOptionNames({ ...owner, name: "cache" }, cache, cacheNames);
  checkDuration("cache.timeoutMs", cache.timeoutMs);
  return cache;
}

function checkDuration(name: string, value: unknown): void {
  if (value === undefined || (typeof value === "number" && value > 0)) return;
  throw badOption(owner, name, value, "a number of milliseconds above 0");
}
