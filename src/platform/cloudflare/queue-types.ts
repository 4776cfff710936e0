/**
 * The part of Cloudflare Queues that Espalier uses, so that its published types need no globals. Compatible
 * with `Queue`, `Message` and `MessageBatch` of `@cloudflare/workers-types`.
 */
export interface QueueProducer {
  send(
    body: unknown,
    options?: { readonly contentType?: "json"; readonly delaySeconds?: number },
  ): Promise<unknown>;
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
