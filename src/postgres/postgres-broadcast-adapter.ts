import type {
  BroadcastAdapter,
  ReceiveBroadcast,
  UnsubscribeBroadcast,
} from "../broadcast/broadcast-adapter.ts";
import { ChannelReceivers } from "../broadcast/channel-receivers.ts";
import { broadcastTooLarge } from "../broadcast/too-large.ts";
import { EspalierError } from "../errors.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import {
  connectPostgres,
  type PostgresClient,
  type PostgresConnection,
} from "./postgres-client.ts";
import { listenForNotifications } from "./postgres-listener.ts";
import { checkName } from "./postgres-options.ts";

/** Options of {@link PostgresBroadcastAdapter}. */
export interface PostgresBroadcastAdapterOptions {
  /** Pool of pg or client of postgres.js, also that of Drizzle. Other clients can only publish. */
  readonly client: PostgresClient;
  /** Name of the channel, in lower case, which all instances share; default `espalier_broadcast`. */
  readonly channel?: string;
}

const owner = { code: "ERR_POSTGRES_BAD_OPTION", name: "PostgresBroadcastAdapter" } as const;
const optionNames: OptionNames<PostgresBroadcastAdapterOptions> = { client: true, channel: true };

/** PostgreSQL refuses notifications from 8,000 bytes. */
const limitBytes = 7999;

/**
 * Broadcasts by LISTEN and NOTIFY. One connection of the pool listens while there are subscriptions. No tables are
 * necessary.
 *
 * A message has at most 7,999 bytes with its name and id. Every instance receives every message, so Redis is the
 * better engine for many of them.
 *
 * @example app.useBroadcast(new PostgresBroadcastAdapter({ client: pool }));
 */
export class PostgresBroadcastAdapter implements BroadcastAdapter {
  readonly #connection: PostgresConnection;
  readonly #channel: string;
  readonly #receivers = new ChannelReceivers();
  #listening: Promise<void> | undefined;
  #stop = (): void => {};

  /** @throws EspalierError `ERR_POSTGRES_BAD_OPTION`, `ERR_POSTGRES_BAD_CLIENT` */
  constructor(options: PostgresBroadcastAdapterOptions) {
    checkOptionNames(owner, options, optionNames);
    this.#connection = connectPostgres(options.client, owner.name);
    const { channel = "espalier_broadcast" } = options;
    this.#channel = checkName(owner, "channel", channel);
  }

  /**
   * Sends a message to all subscribers of the channel.
   *
   * @throws EspalierError `ERR_BROADCAST_TOO_LARGE` for one of more than 7,999 bytes with its name and id
   */
  async publish(channel: string, message: string): Promise<void> {
    const payload = `${JSON.stringify(channel)}\n${message}`;
    const bytes = new TextEncoder().encode(payload).length;
    if (bytes > limitBytes) throw broadcastTooLarge(channel, bytes, limitBytes, "PostgreSQL");
    await this.#connection.query("select pg_notify($1::text, $2::text)", [this.#channel, payload]);
  }

  /**
   * Calls `receive` for each message of the channel.
   *
   * @throws EspalierError `ERR_POSTGRES_BAD_CLIENT` for a client that cannot listen
   */
  async subscribe(channel: string, receive: ReceiveBroadcast): Promise<UnsubscribeBroadcast> {
    this.#listening ??= this.#listen();
    await this.#listening;
    return this.#receivers.add(channel, receive);
  }

  /** Ends all subscriptions, and returns their connection. */
  close(): void {
    this.#stop();
    this.#listening = undefined;
    this.#receivers.clear();
  }

  /** Resolves when notifications arrive. */
  async #listen(): Promise<void> {
    const { listener } = this.#connection;
    if (listener === undefined) throw cannotListen();
    await new Promise<void>((resolve) => {
      this.#stop = listenForNotifications(listener, this.#channel, {
        notified: (payload) => this.#deliver(payload),
        connected: resolve,
      });
    });
  }

  #deliver(payload: string): void {
    const end = payload.indexOf("\n");
    let channel: unknown;
    try {
      channel = JSON.parse(payload.slice(0, end));
    } catch {
      // A notification of another program.
    }
    if (typeof channel === "string") this.#receivers.deliver(channel, payload.slice(end + 1));
  }
}

function cannotListen(): EspalierError {
  return new EspalierError(
    "ERR_POSTGRES_BAD_CLIENT",
    "The client of PostgresBroadcastAdapter must be a Pool of pg or a client of postgres.js to subscribe; this one " +
      "can only publish. Pass new Pool({ connectionString }) or postgres(url).",
  );
}
