import type {
  BroadcastAdapter,
  ReceiveBroadcast,
  UnsubscribeBroadcast,
} from "../broadcast/broadcast-adapter.ts";
import { ChannelReceivers } from "../broadcast/channel-receivers.ts";
import { ConnectionCheck } from "../resilience/connection-check.ts";
import { ignore } from "../util/ignore.ts";
import type { RedisClient, RedisConnection } from "./redis-client.ts";
import { checkRedisOptions, type RedisStoreOptions } from "./redis-options.ts";
import { openSubscriber, type RedisSubscriber } from "./redis-subscriber.ts";

/**
 * Broadcasts by publish and subscribe of Redis or Valkey. Subscriptions use a second connection, which the adapter
 * opens with the settings of the client and closes when the application stops.
 *
 * @example app.useBroadcast(new RedisBroadcastAdapter({ client }));
 */
export class RedisBroadcastAdapter implements BroadcastAdapter {
  readonly #connection: RedisConnection;
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #receivers = new ChannelReceivers();
  #subscriber: Promise<RedisSubscriber> | undefined;
  /** Pending or accepted subscriptions of the connection, by channel. */
  readonly #accepted = new Map<string, Promise<unknown>>();
  /** Subscriptions that are being ended, by channel. */
  readonly #leaving = new Map<string, Promise<unknown>>();
  readonly #check = new ConnectionCheck(
    () => this.#ping(),
    () => this.#reconnect(),
  );

  /**
   * @param options `prefix` of the channels defaults to `broadcast:`. A client that is a function can only publish
   * @throws EspalierError `ERR_REDIS_BAD_OPTION`, `ERR_REDIS_BAD_CLIENT`
   */
  constructor(options: RedisStoreOptions) {
    const checked = checkRedisOptions("RedisBroadcastAdapter", options, "broadcast:");
    this.#connection = checked.connection;
    this.#prefix = checked.prefix;
    this.#client = options.client;
  }

  /** Sends a message to all subscribers of the channel. */
  async publish(channel: string, message: string): Promise<void> {
    await this.#connection.send(["PUBLISH", this.#prefix + channel, message]);
  }

  /**
   * Calls `receive` for each message of the channel.
   *
   * @throws EspalierError `ERR_REDIS_BAD_CLIENT` for a client that cannot subscribe
   */
  async subscribe(channel: string, receive: ReceiveBroadcast): Promise<UnsubscribeBroadcast> {
    const name = this.#prefix + channel;
    const unsubscribe = this.#receivers.add(name, receive, () => this.#leave(name));
    try {
      await this.#join(name);
      return unsubscribe;
    } catch (error) {
      unsubscribe();
      throw error;
    }
  }

  /** Ends all subscriptions and closes their connection. */
  async close(): Promise<void> {
    this.#receivers.clear();
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    this.#check.stop();
    const subscriber = this.#subscriber;
    this.#subscriber = undefined;
    this.#accepted.clear();
    this.#leaving.clear();
    (await subscriber?.catch(() => undefined))?.close();
  }

  /** Subscribes for a moment: the one command that every client has for such a connection, and that gets a reply. */
  async #ping(): Promise<void> {
    this.#joinAll();
    const channel = `${this.#prefix}check:${crypto.randomUUID()}`;
    const subscriber = await this.#open();
    await subscriber.subscribe(channel);
    await subscriber.unsubscribe(channel);
  }

  /** Replaces a connection that does not reply, with all its subscriptions. */
  #reconnect(): void {
    this.#disconnect().catch(ignore);
    this.#joinAll();
  }

  /** Subscribes to the channels that the connection lacks. */
  #joinAll(): void {
    for (const name of this.#receivers.channels) this.#join(name).catch(ignore);
  }

  #join(name: string): Promise<unknown> {
    let accepted = this.#accepted.get(name);
    if (accepted === undefined) {
      const joining = this.#subscribeAfter(this.#leaving.get(name), name);
      this.#accepted.set(name, joining);
      // The next subscription tries again.
      joining.catch(() => {
        if (this.#accepted.get(name) === joining) this.#accepted.delete(name);
      });
      accepted = joining;
    }
    return accepted;
  }

  async #subscribeAfter(leaving: Promise<unknown> | undefined, name: string): Promise<void> {
    // Some clients refer a message to the listeners of the moment: both at once would leave none.
    await leaving;
    await (await this.#open()).subscribe(name);
  }

  #leave(name: string): void {
    this.#accepted.delete(name);
    const leaving = this.#unsubscribe(name).finally(() => {
      if (this.#leaving.get(name) === leaving) this.#leaving.delete(name);
    });
    this.#leaving.set(name, leaving);
  }

  /** Never rejects: without receivers, messages that still arrive are ignored. */
  async #unsubscribe(name: string): Promise<void> {
    try {
      await (await this.#subscriber)?.unsubscribe(name);
    } catch {}
  }

  #open(): Promise<RedisSubscriber> {
    if (this.#subscriber !== undefined) return this.#subscriber;
    const subscriber = openSubscriber(this.#client, (name, message) =>
      this.#receivers.deliver(name, message),
    );
    this.#subscriber = subscriber;
    this.#check.start();
    subscriber.catch(() => {
      if (this.#subscriber === subscriber) this.#disconnect().catch(ignore);
    });
    return subscriber;
  }
}
