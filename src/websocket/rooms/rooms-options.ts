import type { BroadcastSubscription } from "../../broadcast/broadcast-types.ts";
import type { Logger } from "../../observability/logger.ts";
import type { ObjectNamespace } from "../../platform/cloudflare/durable-object-types.ts";
import type { Clock } from "../../util/clock.ts";
import type { OptionNames } from "../../util/options.ts";
import type { RoomHandlers } from "./room-types.ts";

/** Options of `Rooms`. */
export interface RoomsOptions<Data = unknown> {
  /** Handlers of messages and presence. */
  readonly handlers?: RoomHandlers<Data>;
  /**
   * Returns the binding of the Durable Object that holds each room on Cloudflare Workers, a subclass of
   * `RoomDurableObject`; undefined on other platforms, where the rooms are in the processes.
   */
  readonly namespace?: () => ObjectNamespace | undefined;
  /**
   * Time between two signs of life that instances send each other, in milliseconds; default 15,000, at least 100.
   * The members of an instance that was killed have left after three of them.
   */
  readonly heartbeatMs?: number;
  /**
   * Time for one call of a room's Durable Object, which may have to start, in milliseconds; default 1,000. The call
   * then rejects with a StoreError, which clients see as a 503.
   */
  readonly timeoutMs?: number;
  /** Time and timers; default: the platform's. */
  readonly clock?: Clock;
}

/** The application, as rooms use it. */
export interface RoomsApplication {
  /** Receives the errors of presence handlers, and the failures of Durable Objects. */
  readonly logger?: Logger;
  /** Subscribes to messages of a room. */
  onBroadcast(name: string, handler: (payload: never) => unknown): BroadcastSubscription;
  /** Sends a message of a room. */
  broadcast(name: string, payload: unknown): Promise<void>;
  /** Follows the shutdown. */
  on(name: "app.stopping", handler: () => Promise<void>): unknown;
}

/** Owner of the options in error messages. */
export const owner = { code: "ERR_WEBSOCKET_BAD_OPTION", name: "Rooms" } as const;
/** Names of all options. */
export const optionNames: OptionNames<RoomsOptions> = {
  handlers: true,
  namespace: true,
  heartbeatMs: true,
  timeoutMs: true,
  clock: true,
};
