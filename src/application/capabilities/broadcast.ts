import type { BroadcastAdapter } from "../../broadcast/broadcast-adapter.ts";
import type { BroadcastHandler, BroadcastSubscription } from "../../broadcast/broadcast-types.ts";
import type { Broadcaster } from "../../broadcast/broadcaster.ts";
import { EspalierError } from "../../errors.ts";
import { describe, kindOf } from "../../util/describe.ts";
import { missingMethod } from "../../util/has-methods.ts";
import { isCallable } from "../../util/is-callable.ts";
import { isName } from "../../util/is-name.ts";
import type { Capability } from "../capability.ts";
import type { ApplicationRuntime } from "../runtime.ts";
import { HandlerSubscription } from "./handler-subscription.ts";

const maxNameLength = 256;

/**
 * Broadcasts: handlers are recorded, and subscribed when the application is ready. The first broadcast, or the first
 * handler at boot, loads the implementation.
 */
export class BroadcastCapability implements Capability {
  readonly #runtime: ApplicationRuntime;
  readonly #subscriptions = new Set<HandlerSubscription>();
  #adapter: BroadcastAdapter | undefined;
  #broadcaster: Broadcaster | undefined;
  #isReady = false;

  constructor(runtime: ApplicationRuntime) {
    this.#runtime = runtime;
  }

  /** The adapter that `useBroadcast` has set. */
  get adapter(): BroadcastAdapter | undefined {
    return this.#adapter;
  }

  /** @throws EspalierError `ERR_BROADCAST_BAD_ADAPTER` for anything that is not an adapter, and after boot */
  use(adapter: BroadcastAdapter): void {
    const missing = missingMethod(adapter, ["publish", "subscribe"]);
    if (missing !== undefined) {
      const problem =
        `The broadcast adapter must have the methods publish and subscribe, got ${describe(adapter)} without ` +
        `${missing}. Use RedisBroadcastAdapter of espalier/redis, or implement BroadcastAdapter.`;
      throw new EspalierError("ERR_BROADCAST_BAD_ADAPTER", problem);
    }
    // The subscriptions would stay with the previous one.
    if (this.#isReady || this.#broadcaster !== undefined) {
      const problem = "app.useBroadcast() must be called before the application boots.";
      throw new EspalierError("ERR_BROADCAST_BAD_ADAPTER", problem);
    }
    this.#adapter = adapter;
  }

  /** Sends a broadcast. A rejection that is not awaited has no effect: the broadcaster has logged it. */
  publish(name: string, payload: unknown): Promise<void> {
    const sent = this.#publish(name, payload);
    this.#runtime.background.keepAlive(sent);
    return sent;
  }

  async #publish(name: string, payload: unknown): Promise<void> {
    checkName(name);
    await (await this.#load()).publish(name, payload);
  }

  /** @throws EspalierError `ERR_BROADCAST_BAD_NAME`, `ERR_BROADCAST_BAD_HANDLER` */
  subscribe(name: string, handler: BroadcastHandler): BroadcastSubscription {
    checkName(name);
    if (!isCallable(handler)) {
      const problem = `The handler of the broadcast "${name}" must be a function (payload, details), got ${kindOf(handler)}.`;
      throw new EspalierError("ERR_BROADCAST_BAD_HANDLER", problem);
    }
    const isShared = (): boolean => this.#adapter !== undefined;
    const subscription = new HandlerSubscription(name, handler, isShared, () =>
      this.#subscriptions.delete(subscription),
    );
    this.#subscriptions.add(subscription);
    if (this.#isReady) {
      const opened = this.#load().then((broadcaster) => subscription.open(broadcaster));
      this.#runtime.background.keepAlive(opened);
    }
    return subscription;
  }

  async onReady(): Promise<void> {
    this.#isReady = true;
    if (this.#subscriptions.size === 0) return;
    const broadcaster = await this.#load();
    const opening = [...this.#subscriptions].map((one) => one.open(broadcaster).catch(() => {}));
    // An instance that accepts requests receives what they broadcast; an adapter that fails delays it by its
    // deadline, and is tried again.
    await Promise.all(opening);
  }

  async onShutdown(): Promise<void> {
    this.#isReady = false;
    for (const subscription of this.#subscriptions) subscription.close();
    const broadcaster = this.#broadcaster;
    this.#broadcaster = undefined;
    await broadcaster?.close();
  }

  async #load(): Promise<Broadcaster> {
    if (this.#broadcaster !== undefined) return this.#broadcaster;
    const { createBroadcaster } = await import("./broadcast-engine.ts");
    this.#broadcaster ??= createBroadcaster(this.#adapter, this.#runtime);
    return this.#broadcaster;
  }
}

function checkName(name: unknown): void {
  if (isName(name, maxNameLength)) return;
  throw new EspalierError(
    "ERR_BROADCAST_BAD_NAME",
    `The name of a broadcast must be a string of 1 to ${maxNameLength} characters without lone surrogates, got ${describe(name)}.`,
  );
}
