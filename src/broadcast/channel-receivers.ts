import type { ReceiveBroadcast } from "./broadcast-adapter.ts";

/** The subscriptions of one process, by channel: for adapters that receive all of them over one connection. */
export class ChannelReceivers {
  readonly #byChannel = new Map<string, Set<{ readonly receive: ReceiveBroadcast }>>();

  /** The channels with subscriptions. */
  get channels(): readonly string[] {
    return [...this.#byChannel.keys()];
  }

  /** Returns whether the channel has subscriptions. */
  has(channel: string): boolean {
    return this.#byChannel.has(channel);
  }

  /**
   * Adds a subscription.
   *
   * @param onLast called when the channel's last subscription is removed
   * @returns a function that removes it
   */
  add(channel: string, receive: ReceiveBroadcast, onLast: () => void = () => {}): () => void {
    // An object for each subscription, because one function may subscribe twice.
    const subscription = { receive };
    const subscriptions = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, subscriptions.add(subscription));
    return () => {
      if (!subscriptions.delete(subscription) || subscriptions.size > 0) return;
      if (this.#byChannel.get(channel) !== subscriptions) return;
      this.#byChannel.delete(channel);
      onLast();
    };
  }

  /** Calls the receivers of a channel. */
  deliver(channel: string, message: string): void {
    // A copy: a receiver may unsubscribe while it is called.
    for (const { receive } of [...(this.#byChannel.get(channel) ?? [])]) receive(message);
  }

  /** Removes all subscriptions. */
  clear(): void {
    this.#byChannel.clear();
  }
}
