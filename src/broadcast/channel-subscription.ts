import type { StoreCaller } from "../resilience/store-caller.ts";
import { StoreError } from "../resilience/store-error.ts";
import { type Clock, sleep } from "../util/clock.ts";
import type {
  BroadcastAdapter,
  ReceiveBroadcast,
  UnsubscribeBroadcast,
} from "./broadcast-adapter.ts";

const firstPauseMs = 500;
const maxPauseMs = 30_000;

/** Dependencies of a {@link ChannelSubscription}. */
export interface ChannelSubscriptionOptions {
  readonly adapter: BroadcastAdapter;
  readonly caller: StoreCaller;
  readonly clock: Clock;
  readonly channel: string;
  readonly receive: ReceiveBroadcast;
}

/** Subscribes to one channel, and tries again until the adapter has accepted it. */
export class ChannelSubscription {
  /** Result of the first attempt. */
  readonly ready: Promise<void>;
  readonly #options: ChannelSubscriptionOptions;
  #unsubscribe: UnsubscribeBroadcast | undefined;
  #isClosed = false;

  constructor(options: ChannelSubscriptionOptions) {
    this.#options = options;
    this.ready = this.#attempt();
    this.ready.catch((error: unknown) => this.#retry(error));
  }

  /** Ends the subscription. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  async #attempt(): Promise<void> {
    const { adapter, caller, channel, receive } = this.#options;
    let isLate = false;
    const receiveInTime = (message: string): void => {
      if (!isLate && !this.#isClosed) receive(message);
    };
    const subscribe = async (): Promise<UnsubscribeBroadcast> => {
      const unsubscribe = await adapter.subscribe(channel, receiveInTime);
      // Accepted after the deadline: another attempt has taken its place.
      if (isLate) unsubscribe();
      return unsubscribe;
    };
    try {
      this.#unsubscribe = await caller.call(subscribe);
    } catch (error) {
      isLate = true;
      throw error;
    }
    if (this.#isClosed) this.close();
  }

  /** An error that is not about the engine's state, such as a client that cannot subscribe, would come again. */
  async #retry(error: unknown): Promise<void> {
    if (!(error instanceof StoreError)) return;
    let pauseMs = firstPauseMs;
    while (!this.#isClosed) {
      await sleep(this.#options.clock, pauseMs);
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
      if (this.#isClosed) return;
      try {
        return await this.#attempt();
      } catch {
        // The caller has logged it.
      }
    }
  }
}
