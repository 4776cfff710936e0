import type {
  BroadcastAdapter,
  ReceiveBroadcast,
  UnsubscribeBroadcast,
} from "./broadcast-adapter.ts";
import { ChannelReceivers } from "./channel-receivers.ts";

/**
 * Carries messages inside one process. It is the default; a test gives one adapter to several applications to run
 * them as instances.
 *
 * @example app.useBroadcast(new MemoryBroadcastAdapter());
 */
export class MemoryBroadcastAdapter implements BroadcastAdapter {
  readonly #receivers = new ChannelReceivers();

  /** Delivers a message after the code that runs now, as an engine would. */
  async publish(channel: string, message: string): Promise<void> {
    await Promise.resolve();
    this.#receivers.deliver(channel, message);
  }

  /** Calls `receive` for each message of the channel. */
  subscribe(channel: string, receive: ReceiveBroadcast): UnsubscribeBroadcast {
    return this.#receivers.add(channel, receive);
  }
}
