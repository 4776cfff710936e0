export { BroadcastDurableObject } from "./platform/cloudflare/broadcast-durable-object.ts";
export {
  CloudflareQueuesAdapter,
  type CloudflareQueuesAdapterOptions,
} from "./platform/cloudflare/cloudflare-queues-adapter.ts";
export {
  DurableObjectBroadcastAdapter,
  type DurableObjectBroadcastAdapterOptions,
} from "./platform/cloudflare/durable-object-broadcast-adapter.ts";
export {
  DurableObjectLockStore,
  type DurableObjectLockStoreOptions,
} from "./platform/cloudflare/durable-object-lock-store.ts";
export {
  DurableObjectQueueAdapter,
  type DurableObjectQueueAdapterOptions,
} from "./platform/cloudflare/durable-object-queue-adapter.ts";
export {
  DurableObjectRateLimitStore,
  type DurableObjectRateLimitStoreOptions,
} from "./platform/cloudflare/durable-object-rate-limit-store.ts";
export type {
  HibernatingSocket,
  HibernationState,
  ObjectCursor,
  ObjectId,
  ObjectNamespace,
  ObjectResponse,
  ObjectSocket,
  ObjectSql,
  ObjectState,
  ObjectStorage,
  ObjectStub,
  SqlValue,
} from "./platform/cloudflare/durable-object-types.ts";
export { KvCacheStore, type KvCacheStoreOptions } from "./platform/cloudflare/kv-cache-store.ts";
export {
  KvQueueAdapter,
  type KvQueueAdapterOptions,
} from "./platform/cloudflare/kv-queue-adapter.ts";
export type {
  KvListOptions,
  KvListPage,
  KvNamespace,
  KvPutOptions,
} from "./platform/cloudflare/kv-types.ts";
export { LockDurableObject } from "./platform/cloudflare/lock-durable-object.ts";
export { QueueDurableObject } from "./platform/cloudflare/queue-durable-object.ts";
export type {
  QueueBatch,
  QueueMessage,
  QueueProducer,
  QueueSendOptions,
  QueueSendRequest,
} from "./platform/cloudflare/queue-types.ts";
export {
  WorkersRateLimitStore,
  type WorkersRateLimitStoreOptions,
} from "./platform/cloudflare/rate-limit-binding-store.ts";
export { RateLimitDurableObject } from "./platform/cloudflare/rate-limit-durable-object.ts";
export type {
  RateLimitBinding,
  RateLimitNamespace,
  RateLimitObjectState,
} from "./platform/cloudflare/rate-limit-types.ts";
export { RoomDurableObject } from "./platform/cloudflare/room-durable-object.ts";
