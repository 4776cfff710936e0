import type { BroadcastHandler, BroadcastSubscription } from "../../broadcast/broadcast-types.ts";
import type { Broadcaster } from "../../broadcast/broadcaster.ts";

/** A registered handler of a broadcast, which is subscribed while the application runs. */
export class HandlerSubscription implements BroadcastSubscription {
  readonly ready: Promise<void>;
  readonly #isShared: () => boolean;
  readonly #name: string;
  readonly #handler: BroadcastHandler;
  readonly #onUnsubscribe: () => void;
  #settle: (result: Promise<void>) => void = () => {};
  #subscription: { close(): void } | undefined;
  #isOver = false;

  constructor(
    name: string,
    handler: BroadcastHandler,
    isShared: () => boolean,
    onUnsubscribe: () => void,
  ) {
    this.#name = name;
    this.#handler = handler;
    this.#isShared = isShared;
    this.#onUnsubscribe = onUnsubscribe;
    this.ready = new Promise((resolve) => {
      this.#settle = resolve;
    });
    // One that the application does not await must not end the process.
    this.ready.catch(() => {});
  }

  get isShared(): boolean {
    return this.#isShared();
  }

  /** Subscribes, and settles as the first attempt does. */
  open(broadcaster: Broadcaster): Promise<void> {
    if (this.#isOver || this.#subscription !== undefined) return Promise.resolve();
    const subscription = broadcaster.subscribe(this.#name, this.#handler);
    this.#subscription = subscription;
    this.#settle(subscription.ready);
    return subscription.ready;
  }

  /** Ends the subscription until the application boots again. */
  close(): void {
    this.#subscription?.close();
    this.#subscription = undefined;
  }

  unsubscribe(): void {
    this.#isOver = true;
    this.close();
    this.#onUnsubscribe();
  }
}
