import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";

/** The client of ioredis, for one server, Sentinel or Cluster. */
export interface IoredisClient {
  /** Sends one command; resolves to its reply. */
  call(command: string, ...args: string[]): Promise<unknown>;
  /** True for a client of Redis Cluster. */
  readonly isCluster?: boolean;
}

/** The client of node-redis, as `createClient()` returns it. */
export interface NodeRedisClient {
  /** Sends one command, its name first; resolves to its reply. */
  sendCommand(args: string[]): Promise<unknown>;
}

/** The client of Bun: `Bun.redis`, or `new RedisClient()`. */
export interface BunRedisClient {
  /** Sends one command; resolves to its reply. */
  send(command: string, args: string[]): Promise<unknown>;
}

/** Sends one command: its name and arguments. For clients with another interface. */
export type SendRedisCommand = (args: string[]) => Promise<unknown>;

/** Client of Redis 7 or later, or of Valkey, that the application has created and connected. */
export type RedisClient = IoredisClient | NodeRedisClient | BunRedisClient | SendRedisCommand;

/** Sends commands over the application's client, whichever library it is from. */
export interface RedisConnection {
  /** Sends one command and returns its reply. */
  readonly send: SendRedisCommand;
  /** True if keys may be on different servers, so that a command must name only one of them. */
  readonly isCluster: boolean;
}

/**
 * Returns how to send commands over `client`.
 *
 * @param ownerName class whose option it is, for the message
 * @throws EspalierError `ERR_REDIS_BAD_CLIENT` if it is not one of the supported clients
 */
export function connectRedis(client: RedisClient, ownerName: string): RedisConnection {
  if (typeof client === "function") return { send: client, isCluster: false };
  if (typeof client === "object" && client !== null) {
    if ("call" in client) {
      const send: SendRedisCommand = ([command = "", ...args]) => client.call(command, ...args);
      return { send, isCluster: client.isCluster === true };
    }
    if ("send" in client) {
      const send: SendRedisCommand = ([command = "", ...args]) => client.send(command, args);
      return { send, isCluster: false };
    }
    // The cluster of node-redis has the same method with other parameters.
    if ("sendCommand" in client && !("slots" in client)) {
      return { send: (args) => client.sendCommand(args), isCluster: false };
    }
  }
  throw new EspalierError(
    "ERR_REDIS_BAD_CLIENT",
    `The client of ${ownerName} must be a client of ioredis, node-redis or Bun, or a function that sends ` +
      `one command, got ${describe(client)}. Pass new Redis(url), createClient({ url }) or ` +
      "(args) => client.sendCommand(args).",
  );
}
