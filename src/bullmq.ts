export type { BullmqQueueAdapterOptions } from "./bullmq/bullmq-options.ts";
export { BullmqQueueAdapter } from "./bullmq/bullmq-queue-adapter.ts";
