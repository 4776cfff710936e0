export { DenoKvCacheStore, type DenoKvCacheStoreOptions } from "./platform/deno/kv-cache-store.ts";
export { DenoKvQueue, type DenoKvQueueOptions } from "./platform/deno/kv-queue.ts";
