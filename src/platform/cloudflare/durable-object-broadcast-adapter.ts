import type {
  BroadcastAdapter,
  ReceiveBroadcast,
  UnsubscribeBroadcast,
} from "../../broadcast/broadcast-adapter.ts";
import { EspalierError } from "../../errors.ts";
import { createSystemClock } from "../../util/clock.ts";
import type { ObjectNamespace, ObjectSocket, ObjectStub } from "./durable-object-types.ts";

/** Options of {@link DurableObjectBroadcastAdapter}. */
export interface DurableObjectBroadcastAdapterOptions {
  /** The Durable Object binding, or a function that returns it: bindings may differ between invocations. */
  readonly namespace: ObjectNamespace | (() => ObjectNamespace);
}

const firstPauseMs = 200;
const maxPauseMs = 10_000;

/**
 * Broadcasts through Durable Objects, one per name. Any invocation can publish.
 *
 * A subscription is a WebSocket to the object, and ends with what has opened it: a Durable Object keeps it, the
 * request of a Worker only until its response has been sent. Each subscription has a connection of its own, because
 * requests of a Worker cannot share one.
 *
 * @example app.useBroadcast(new DurableObjectBroadcastAdapter({ namespace: () => env.BROADCAST }));
 */
export class DurableObjectBroadcastAdapter implements BroadcastAdapter {
  readonly #namespace: () => ObjectNamespace;
  readonly #subscriptions = new Set<ObjectSubscription>();

  constructor({ namespace }: DurableObjectBroadcastAdapterOptions) {
    this.#namespace = typeof namespace === "function" ? namespace : () => namespace;
  }

  /** Sends a message to all subscribers of the channel. */
  async publish(channel: string, message: string): Promise<void> {
    const { status } = await this.#object(channel).fetch("https://broadcast.invalid/", {
      method: "POST",
      body: message,
    });
    if (status !== 200) throw badObject(channel, status);
  }

  /** Calls `receive` for each message of the channel. */
  async subscribe(channel: string, receive: ReceiveBroadcast): Promise<UnsubscribeBroadcast> {
    const subscription = new ObjectSubscription(channel, () => this.#object(channel), receive);
    await subscription.connect();
    this.#subscriptions.add(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      subscription.close();
    };
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const subscription of this.#subscriptions) subscription.close();
    this.#subscriptions.clear();
  }

  #object(channel: string): ObjectStub {
    const namespace = this.#namespace();
    return namespace.get(namespace.idFromName(channel));
  }
}

/** A connection to the object of a channel, which is opened again when it was lost. */
class ObjectSubscription {
  readonly #channel: string;
  readonly #object: () => ObjectStub;
  readonly #receive: ReceiveBroadcast;
  #socket: ObjectSocket | undefined;
  #isClosed = false;
  #pauseMs = firstPauseMs;

  constructor(channel: string, object: () => ObjectStub, receive: ReceiveBroadcast) {
    this.#channel = channel;
    this.#object = object;
    this.#receive = receive;
  }

  async connect(): Promise<void> {
    const headers = { upgrade: "websocket" };
    const { status, webSocket } = await this.#object().fetch("https://broadcast.invalid/", {
      headers,
    });
    if (webSocket === undefined || webSocket === null) throw badObject(this.#channel, status);
    if (this.#isClosed) return webSocket.close(1000);
    this.#socket = webSocket;
    webSocket.addEventListener("message", ({ data }) => {
      if (!this.#isClosed && typeof data === "string") this.#receive(data);
    });
    for (const end of ["close", "error"] as const) {
      webSocket.addEventListener(end, () => this.#lost(webSocket));
    }
    webSocket.accept();
    this.#pauseMs = firstPauseMs;
  }

  close(): void {
    this.#isClosed = true;
    const socket = this.#socket;
    this.#socket = undefined;
    try {
      socket?.close(1000);
    } catch {
      // The platform has ended it.
    }
  }

  #lost(socket: ObjectSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#reconnect();
  }

  #reconnect(): void {
    if (this.#isClosed) return;
    createSystemClock().after(this.#pauseMs, () => {
      if (!this.#isClosed) this.connect().catch(() => this.#reconnect());
    });
    this.#pauseMs = Math.min(2 * this.#pauseMs, maxPauseMs);
  }
}

function badObject(channel: string, status: number): EspalierError {
  return new EspalierError(
    "ERR_BROADCAST_BAD_ADAPTER",
    `The Durable Object of the broadcast "${channel}" answered ${status} and no connection. ` +
      "Its class_name must be that of BroadcastDurableObject.",
  );
}
