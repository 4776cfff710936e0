import { testDeliveryEnds } from "./queue-adapter/listen-end-tests.ts";
import { testDeliveries, testDeliveryStops } from "./queue-adapter/listen-tests.ts";
import {
  type ListenAdapterSuiteOptions,
  ListenAdapterSuiteTools,
} from "./queue-adapter/listen-tools.ts";

/**
 * Tests all guarantees of `QueueAdapter`, on any adapter with the method `listen`, whose engine delivers by
 * itself.
 *
 * ```ts
 * import { describe, it } from "vitest";
 * listenAdapterSuite({ name: "amqp", describe, it, createAdapter: () => new AmqpQueue() });
 * ```
 */
export function listenAdapterSuite(options: ListenAdapterSuiteOptions): void {
  const tools = new ListenAdapterSuiteTools(options);
  options.describe(`the queue adapter ${options.name}, which delivers`, () => {
    testDeliveries(tools);
    testDeliveryEnds(tools);
    testDeliveryStops(tools);
  });
}
