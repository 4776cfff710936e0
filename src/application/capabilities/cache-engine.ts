import { createPlatformStore } from "#drivers";
import { Cache } from "../../cache/cache.ts";
import type { CacheSource } from "../../cache/cache-source.ts";
import type { CacheStore } from "../../cache/cache-store.ts";
import { MemoryCacheStore } from "../../cache/memory-store.ts";
import { findKvBinding, kvBindingNames } from "../../platform/cloudflare/find-kv-binding.ts";
import { logSafely } from "../../util/log-safely.ts";
import { warnAboutMissingBinding } from "../boot/missing-binding-warning.ts";
import type { ApplicationRuntime } from "../runtime.ts";
import type { ServiceOptions } from "../service-options.ts";
import type { LockCapability } from "./locks.ts";

/** Creates the cache of an application; in a separate module that is loaded on first use. */
export function createCache(
  runtime: ApplicationRuntime,
  { kv, cache }: ServiceOptions,
  locks: LockCapability,
  chosen: () => CacheSource | undefined,
): Cache {
  const { events, logger, background } = runtime;
  let fallback: CacheStore | undefined;
  const chooseByPlatform = (): CacheSource => {
    const environment = runtime.environment();
    const binding = findKvBinding(environment, kv);
    if (binding !== undefined) return binding;
    if (fallback === undefined) {
      if (kv !== undefined) warnAboutMissingKv(runtime, kv);
      fallback = createPlatformStore() ?? new MemoryCacheStore();
    }
    return fallback;
  };
  let hasWarned = false;
  const warnAboutMissingLocks = (): void => {
    if (hasWarned) return;
    hasWarned = true;
    const message =
      'cacheRemember with the option "across" runs a producer in each process, because the lock store is not ' +
      "shared. Call app.useLockStore(), for example with RedisLockStore of espalier/redis.";
    logSafely(logger, "warn", message);
  };
  return new Cache({
    ...cache,
    store: () => chosen() ?? chooseByPlatform(),
    lock: (name) => {
      const isShared = !((chosen() ?? chooseByPlatform()) instanceof MemoryCacheStore);
      if (isShared && !locks.isChosen) warnAboutMissingLocks();
      return locks.acquire(name);
    },
    background: (work) => background.keepAlive(work),
    logger,
    notify: (name, payload) => {
      // Errors of event handlers are logged by the bus and do not affect the cache.
      if (events.has(name)) events.emit(name, payload).catch(() => {});
    },
  });
}

function warnAboutMissingKv(runtime: ApplicationRuntime, name: string): void {
  if (!runtime.onCloudflare) return;
  const environment = runtime.environment();
  warnAboutMissingBinding(runtime.logger, {
    name,
    kind: "KV namespace",
    instead: "cached values stay in the memory of this isolate and are lost with it",
    entry: `[[kv_namespaces]] binding = "${name}"`,
    environment,
    others: kvBindingNames(environment),
  });
}
