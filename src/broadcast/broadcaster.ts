import { describeError, type Logger } from "../observability/logger.ts";
import { StoreCaller } from "../resilience/store-caller.ts";
import { StoreError } from "../resilience/store-error.ts";
import { type Clock, createSystemClock } from "../util/clock.ts";
import { logSafely } from "../util/log-safely.ts";
import type { BroadcastAdapter } from "./broadcast-adapter.ts";
import { readMessage, writeMessage } from "./broadcast-message.ts";
import type { BroadcastHandler } from "./broadcast-types.ts";
import { ChannelSubscription } from "./channel-subscription.ts";

/** Dependencies of a {@link Broadcaster}. */
export interface BroadcasterOptions {
  readonly adapter: BroadcastAdapter;
  readonly logger: Logger;
  /** Receives what a handler returns, so that the platform finishes it. The promise never rejects. */
  readonly keepAlive: (work: Promise<void>) => void;
  /** Time and timers; default: the platform's. */
  readonly clock?: Clock;
}

/** Sends and receives the broadcasts of one application, with a deadline for each call of the adapter. */
export class Broadcaster {
  readonly #options: BroadcasterOptions;
  readonly #clock: Clock;
  readonly #caller: StoreCaller;
  /** Tells the broadcasts of this application from those of others. */
  readonly #id = crypto.randomUUID();

  constructor(options: BroadcasterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? createSystemClock();
    const { logger } = options;
    this.#caller = new StoreCaller({ name: "broadcast adapter", logger, clock: this.#clock });
  }

  /**
   * Sends a broadcast, and resolves when the adapter has accepted it.
   *
   * @throws EspalierError `ERR_BROADCAST_NOT_JSON`, `ERR_BROADCAST_TOO_LARGE`; StoreError if the adapter fails
   */
  async publish(name: string, payload: unknown): Promise<void> {
    const message = writeMessage(name, this.#id, payload);
    await this.#caller.call(() => this.#options.adapter.publish(name, message));
  }

  /** Calls `handler` for each broadcast of this name. */
  subscribe(name: string, handler: BroadcastHandler): ChannelSubscription {
    const { adapter, logger } = this.#options;
    const subscription = new ChannelSubscription({
      adapter,
      caller: this.#caller,
      clock: this.#clock,
      channel: name,
      receive: (message) => this.#receive(name, message, handler),
    });
    subscription.ready.catch((error: unknown) => {
      // The caller has logged that the adapter is unavailable; a room of each client would fail from then on.
      if (error instanceof StoreError && this.#caller.isOpen) return;
      const fields = { broadcast: name, error: describeError(error) };
      logSafely(logger, "error", "A subscription to a broadcast failed.", fields);
    });
    return subscription;
  }

  /**
   * Closes the connections of the adapter, also of one whose last calls have failed: otherwise they would stay open, and
   * `stop()` would fail. Rejects if it fails.
   */
  async close(): Promise<void> {
    const { adapter } = this.#options;
    await this.#caller.callPastBreaker(() => adapter.close?.());
  }

  #receive(name: string, text: string, handler: BroadcastHandler): void {
    const { logger, keepAlive } = this.#options;
    const message = readMessage(text);
    if (message === undefined) {
      const warning =
        "A message that is not a broadcast was ignored: another program uses its channel.";
      logSafely(logger, "warn", warning, { broadcast: name });
      return;
    }
    const { id, timestamp, sender, payload } = message;
    const details = Object.freeze({ name, id, timestamp, isLocal: sender === this.#id });
    const work = (async () => void (await handler(payload, details)))();
    keepAlive(
      work.catch((error: unknown) => {
        const fields = { broadcast: name, error: describeError(error) };
        logSafely(logger, "error", "A broadcast handler failed.", fields);
      }),
    );
  }
}
