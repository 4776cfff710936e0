export { DenoKvCacheStore, type DenoKvCacheStoreOptions } from "./platform/deno/kv-cache-store.ts";
export {
  DenoKvQueueAdapter,
  type DenoKvQueueAdapterOptions,
} from "./platform/deno/kv-queue-adapter.ts";
