/**
 * The part of Cloudflare Queues that Espalier uses, so that its published types need no globals. Compatible
 * with `Queue`, `Message` and `MessageBatch` of `@cloudflare/workers-types`.
 */
export interface QueueProducer {
  send(body: unknown, options?: QueueSendOptions): Promise<unknown>;
  /** Sends at most 100 messages of 256 KB together. */
  sendBatch(messages: Iterable<QueueSendRequest>): Promise<unknown>;
}

/** Options of one message. */
export interface QueueSendOptions {
  readonly contentType?: "json";
  readonly delaySeconds?: number;
}

/** A message of a batch that is sent. */
export interface QueueSendRequest extends QueueSendOptions {
  readonly body: unknown;
}

/** One delivery of a message. */
export interface QueueMessage {
  readonly id: string;
  readonly body: unknown;
  /** Number of the delivery, starting at 1. */
  readonly attempts: number;
  ack(): void;
  retry(options?: { readonly delaySeconds?: number }): void;
}

/** A batch of messages delivered to a consumer. */
export interface QueueBatch {
  /** The name of the queue. */
  readonly queue: string;
  readonly messages: readonly QueueMessage[];
}
