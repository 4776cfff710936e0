import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";
import { hasMethods } from "../util/has-methods.ts";

/** Receives a message of a channel. */
export type ReceiveRedisMessage = (channel: string, message: string) => void;

/** A connection that receives messages, and subscribes again after it was lost. */
export interface RedisSubscriber {
  /** Subscribes to a channel; resolves when the server has accepted it. */
  subscribe(channel: string): Promise<unknown>;
  /** Ends the subscription to a channel. */
  unsubscribe(channel: string): Promise<unknown>;
  /** Closes the connection. */
  close(): void;
}

/** A connection of ioredis. */
interface IoredisSubscriber {
  on(event: "message", listener: ReceiveRedisMessage): unknown;
  on(event: "error", listener: () => void): unknown;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  disconnect(): void;
}

/** A connection of node-redis. */
interface NodeRedisSubscriber {
  on(event: "error", listener: () => void): unknown;
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  destroy(): void;
}

/** A connection of Bun. */
interface BunSubscriber {
  onconnect: (() => void) | null;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  close(): void;
}

/** The method of all supported clients that creates a connection with the same settings. */
interface Duplicable {
  duplicate(settings?: object): unknown;
}

/** Settings of ioredis: commands wait for the connection, which is tried again for as long as it takes. */
const ioredisSettings = {
  enableOfflineQueue: true,
  lazyConnect: false,
  maxRetriesPerRequest: null,
  autoResubscribe: true,
  retryStrategy: (attempts: number) => Math.min(attempts * 100, 2000),
} as const;

/**
 * Opens a connection for subscriptions: Redis accepts no other commands on it.
 *
 * @throws EspalierError `ERR_REDIS_BAD_CLIENT` for a client that cannot subscribe
 */
export async function openSubscriber(
  client: unknown,
  receive: ReceiveRedisMessage,
): Promise<RedisSubscriber> {
  if (!isDuplicable(client)) {
    throw new EspalierError(
      "ERR_REDIS_BAD_CLIENT",
      "The client of RedisBroadcastAdapter must be a client of ioredis, node-redis or Bun to subscribe, " +
        `got ${describe(client)}. Pass new Redis(url) or createClient({ url }).`,
    );
  }
  if ("call" in client) return ofIoredis(client, receive);
  if ("send" in client) return await ofBun(client, receive);
  return ofNodeRedis(client, receive);
}

function ofIoredis(client: Duplicable, receive: ReceiveRedisMessage): RedisSubscriber {
  // The first argument of a cluster is a list of nodes, and its connections come back by default.
  const isCluster = "isCluster" in client && client.isCluster === true;
  const connection = client.duplicate(isCluster ? undefined : ioredisSettings) as IoredisSubscriber;
  // Without a listener it would print each failure to connect; those of commands are rejections.
  connection.on("error", () => {});
  connection.on("message", receive);
  return {
    subscribe: (channel) => connection.subscribe(channel),
    unsubscribe: (channel) => connection.unsubscribe(channel),
    close: () => connection.disconnect(),
  };
}

function ofNodeRedis(client: Duplicable, receive: ReceiveRedisMessage): RedisSubscriber {
  const connection = client.duplicate({ disableOfflineQueue: false }) as NodeRedisSubscriber;
  // Without a listener a failure to connect would end the process.
  connection.on("error", () => {});
  const connected = connection.connect();
  connected.catch(() => {});
  return {
    async subscribe(channel) {
      await connected;
      await connection.subscribe(channel, (message) => receive(channel, message));
    },
    unsubscribe: (channel) => connection.unsubscribe(channel),
    close: () => connection.destroy(),
  };
}

async function ofBun(client: Duplicable, receive: ReceiveRedisMessage): Promise<RedisSubscriber> {
  const connection = (await client.duplicate()) as BunSubscriber;
  const channels = new Set<string>();
  // After a lost connection Bun keeps the listeners, but does not subscribe again.
  connection.onconnect = () => {
    for (const channel of channels) connection.subscribe(channel, () => {}).catch(() => {});
  };
  return {
    async subscribe(channel) {
      await connection.subscribe(channel, (message) => receive(channel, message));
      channels.add(channel);
    },
    async unsubscribe(channel) {
      channels.delete(channel);
      await connection.unsubscribe(channel);
    },
    close: () => connection.close(),
  };
}

function isDuplicable(client: unknown): client is Duplicable {
  return hasMethods(client, "duplicate");
}
