/**
 * Carries messages between the instances of an application. Delivery is at most once: a message that is published
 * while an instance is disconnected does not reach it.
 *
 * `broadcastAdapterSuite` of `espalier/testing` tests these guarantees.
 *
 * @example app.useBroadcast(new RedisBroadcastAdapter({ client }));
 */
export interface BroadcastAdapter {
  /**
   * Sends a message to all subscribers of the channel, in every process, also in this one. Resolves when the engine
   * has accepted it.
   *
   * @param channel any string of at most 300 characters
   * @param message any string without the character NUL
   * @throws EspalierError `ERR_BROADCAST_TOO_LARGE` if the engine cannot carry the message
   */
  publish(channel: string, message: string): void | Promise<void>;
  /**
   * Calls `receive` for each message of the channel, in the order in which one publisher has sent them. Resolves
   * when messages published from now on arrive. After a lost connection the adapter subscribes again by itself.
   *
   * @param receive never throws
   * @returns a function that ends this subscription, and no other one
   */
  subscribe(
    channel: string,
    receive: ReceiveBroadcast,
  ): UnsubscribeBroadcast | Promise<UnsubscribeBroadcast>;
  /** Ends all subscriptions and closes the connections that the adapter has opened; it can subscribe again later. */
  close?(): void | Promise<void>;
}

/** Receives a message of a channel. */
export type ReceiveBroadcast = (message: string) => void;

/** Ends a subscription; a second call does nothing. */
export type UnsubscribeBroadcast = () => void;
