import { createPlatformStore } from "#drivers";
import { Cache } from "../../cache/cache.ts";
import type { CacheStore } from "../../cache/cache-store.ts";
import { MemoryCacheStore } from "../../cache/memory-store.ts";
import { type CacheSource, toCacheStore } from "../../cache/store-from.ts";
import type { EventEmitter } from "../../events/event-emitter.ts";
import type { Logger } from "../../observability/logger.ts";
import { findKvBinding, kvBindingNames } from "../../platform/cloudflare/find-kv-binding.ts";
import { warnAboutMissingBinding } from "../boot/missing-binding-warning.ts";

/** What the cache of an application needs of it. */
export interface CacheSubsystemOptions {
  /** Name of the KV binding; undefined looks for the usual ones. */
  readonly kv: string | undefined;
  readonly environment: () => Readonly<Record<string, unknown>>;
  /** True on Cloudflare, where alone there are bindings to be missed. */
  readonly onCloudflare: boolean;
  readonly background: (work: Promise<unknown>) => void;
  readonly logger: Logger;
  readonly events: EventEmitter;
}

/** The cache of an application, and the choice of where it is kept. */
export class CacheSubsystem {
  readonly cache: Cache;
  readonly #options: CacheSubsystemOptions;
  #chosen: CacheStore | undefined;
  #default: CacheStore | undefined;

  constructor(options: CacheSubsystemOptions) {
    this.#options = options;
    const { background, logger, events } = options;
    this.cache = new Cache({
      store: () => this.#source(),
      background,
      logger,
      notify: (name, payload) => {
        // A handler that fails is logged by the bus; the cache has its answer already.
        if (events.has(name)) events.emit(name, payload).catch(() => {});
      },
    });
  }

  /**
   * Keeps the cache in this store from now on.
   *
   * @throws EspalierError `ERR_CACHE_BAD_STORE` for what is none
   */
  use(source: CacheSource): void {
    this.#chosen = toCacheStore(source);
  }

  /** Whether a store was chosen. */
  get isChosen(): boolean {
    return this.#chosen !== undefined;
  }

  /** The store that was chosen, else the platform's KV, else memory. */
  #source(): CacheSource {
    if (this.#chosen !== undefined) return this.#chosen;
    const { kv } = this.#options;
    const environment = this.#options.environment();
    const binding = findKvBinding(environment, kv);
    if (binding !== undefined) return binding;
    if (this.#default === undefined && kv !== undefined) this.#warnOfMissingKv(kv, environment);
    this.#default ??= createPlatformStore() ?? new MemoryCacheStore();
    return this.#default;
  }

  #warnOfMissingKv(name: string, environment: Readonly<Record<string, unknown>>): void {
    const { logger, onCloudflare } = this.#options;
    if (!onCloudflare) return;
    warnAboutMissingBinding(logger, {
      name,
      kind: "KV namespace",
      instead: "what is cached stays in the memory of this isolate and ends with it",
      entry: `[[kv_namespaces]] binding = "${name}"`,
      environment,
      others: kvBindingNames(environment),
    });
  }
}
