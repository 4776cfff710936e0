import { testDelivery } from "./queue-adapter/delivery-tests.ts";
import { testLeases } from "./queue-adapter/lease-tests.ts";
import { testLookups } from "./queue-adapter/lookup-tests.ts";
import {
  type QueueAdapterSuiteOptions,
  QueueAdapterSuiteTools,
} from "./queue-adapter/suite-tools.ts";

/**
 * Tests all guarantees of `QueueAdapter`, on any adapter with the method `pull`. `listenAdapterSuite` tests one
 * whose engine delivers by itself.
 *
 * ```ts
 * import { describe, it } from "vitest";
 * queueAdapterSuite({ name: "redis", describe, it, createAdapter: () => new RedisQueue() });
 * ```
 */
export function queueAdapterSuite(options: QueueAdapterSuiteOptions): void {
  const tools = new QueueAdapterSuiteTools(options);
  options.describe(`the queue adapter ${options.name}`, () => {
    testDelivery(tools);
    testLeases(tools);
    testLookups(tools);
  });
}
