export { AssertionError } from "./testing/assertion-error.ts";
export {
  type BroadcastAdapterSuiteOptions,
  broadcastAdapterSuite,
} from "./testing/broadcast-adapter-suite.ts";
export type { TestRunner } from "./testing/cache-store-suite.ts";
export { type CacheStoreSuiteOptions, cacheStoreSuite } from "./testing/cache-store-suite.ts";
export type { CookieJar } from "./testing/cookie-jar.ts";
export {
  type EventRecording,
  type EventSource,
  type RecordedEvent,
  recordEvents,
} from "./testing/event-recording.ts";
export { createFakeCache, type FakeCache } from "./testing/fake-cache.ts";
export { createFakeClock, type FakeClock } from "./testing/fake-clock.ts";
export { createFakeQueue, type FakeQueue, type JobRunner } from "./testing/fake-queue.ts";
export { listenAdapterSuite } from "./testing/listen-adapter-suite.ts";
export type { ListenAdapterSuiteOptions } from "./testing/queue-adapter/listen-tools.ts";
export type { QueueAdapterSuiteOptions } from "./testing/queue-adapter/suite-tools.ts";
export { queueAdapterSuite } from "./testing/queue-adapter-suite.ts";
export { type QueueSuiteOptions, queueSuite } from "./testing/queue-suite.ts";
export {
  type RateLimitStoreSuiteOptions,
  rateLimitStoreSuite,
} from "./testing/rate-limit-store-suite.ts";
export {
  createTestClient,
  type TestClient,
  type TestClientOptions,
  type TestTarget,
} from "./testing/test-client.ts";
export type { TestRequestOptions } from "./testing/test-request.ts";
export type { TestResponse } from "./testing/test-response.ts";
