import type { QueueSendRequest } from "./queue-types.ts";

const maxBatchMessages = 100;
const maxBatchBytes = 256_000;
/** Bytes that the platform uses for each message of a batch, at most. */
const messageOverhead = 150;

/** Splits messages into batches of at most 100 messages and 256 KB. */
export function splitIntoBatches(messages: readonly QueueSendRequest[]): QueueSendRequest[][] {
  const batches: QueueSendRequest[][] = [];
  let bytesLeft = 0;
  for (const message of messages) {
    const bytes = new TextEncoder().encode(JSON.stringify(message.body)).length + messageOverhead;
    const last = batches.at(-1);
    if (last !== undefined && last.length < maxBatchMessages && bytes <= bytesLeft) {
      last.push(message);
      bytesLeft -= bytes;
    } else {
      batches.push([message]);
      bytesLeft = maxBatchBytes - bytes;
    }
  }
  return batches;
}
