export { KvCacheStore, type KvCacheStoreOptions } from "./platform/cloudflare/kv-cache-store.ts";
export { KvQueue, type KvQueueOptions } from "./platform/cloudflare/kv-queue.ts";
export type {
  KvListOptions,
  KvListPage,
  KvNamespace,
  KvPutOptions,
} from "./platform/cloudflare/kv-types.ts";
export type { QueueBatch, QueueMessage, QueueProducer } from "./platform/cloudflare/queue-types.ts";
export { QueuesQueue, type QueuesQueueOptions } from "./platform/cloudflare/queues-queue.ts";
export {
  WorkersRateLimitStore,
  type WorkersRateLimitStoreOptions,
} from "./platform/cloudflare/rate-limit-binding-store.ts";
export { RateLimitObject } from "./platform/cloudflare/rate-limit-object.ts";
export {
  DurableObjectRateLimitStore,
  type DurableObjectRateLimitStoreOptions,
} from "./platform/cloudflare/rate-limit-object-store.ts";
export type {
  RateLimitBinding,
  RateLimitNamespace,
  RateLimitObjectState,
} from "./platform/cloudflare/rate-limit-types.ts";
