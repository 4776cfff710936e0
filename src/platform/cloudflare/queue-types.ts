/**
 * What Espalier uses of Cloudflare Queues, so that its published types pull in no globals. `Queue`,
 * `Message` and `MessageBatch` of `@cloudflare/workers-types` fit.
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
  /** Which delivery this is; the first is 1. */
  readonly attempts: number;
  ack(): void;
  retry(options?: { readonly delaySeconds?: number }): void;
}

/** What a consumer is given. */
export interface QueueBatch {
  /** The name of the queue. */
  readonly queue: string;
  readonly messages: readonly QueueMessage[];
}
