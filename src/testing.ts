export type { TestRunner } from "./testing/cache-store-suite.ts";
export { type CacheStoreSuiteOptions, cacheStoreSuite } from "./testing/cache-store-suite.ts";
export { type QueueAdapterSuiteOptions, queueAdapterSuite } from "./testing/queue-adapter-suite.ts";
export { type QueueSuiteOptions, queueSuite } from "./testing/queue-suite.ts";
