import type { RequestContext } from "../../http/context.ts";
import { HttpError } from "../../http/http-error.ts";
import { checkMessageData, toMessageJson } from "../../platform/websocket/message-data.ts";
import { defaultStoreTimeoutMs } from "../../resilience/store-caller.ts";
import { type Clock, createSystemClock } from "../../util/clock.ts";
import { ignore } from "../../util/ignore.ts";
import { isName } from "../../util/is-name.ts";
import { badOption, checkInteger, checkOptionNames } from "../../util/options.ts";
import { stringifyLossless } from "../../util/stringify-lossless.ts";
import type { WebSocketConnection } from "../connection.ts";
import { upgradeWebSocket } from "../upgrade-web-socket.ts";
import type { WebSocketOptions } from "../web-socket-handlers.ts";
import { ObjectRooms } from "./object-rooms.ts";
import { Room } from "./room.ts";
import { type RoomMessage, toContent } from "./room-messages.ts";
import type { RoomHandle, RoomMember, RoomSendOptions } from "./room-types.ts";
import { optionNames, owner, type RoomsApplication, type RoomsOptions } from "./rooms-options.ts";

const maxNameLength = 200;
/** Number of rooms that are followed because their members were asked for: clients often choose the names. */
const maxWatched = 1000;
/** An attachment of a Durable Object's WebSocket has at most 2,048 bytes. */
const maxDataLength = 1024;

/**
 * Rooms of WebSockets: a message to a room reaches its members on every instance, over the adapter of
 * `app.useBroadcast`, or on Cloudflare Workers through a Durable Object for each room.
 *
 * ```ts
 * const rooms = new Rooms(app, { handlers: { message: (_client, text, room) => room.send(text) } });
 * router.get("/rooms/:room", (ctx) => rooms.upgrade(ctx, ctx.params.room, { name: "Ada" }));
 * ```
 */
export class Rooms<Data = unknown> {
  readonly #app: RoomsApplication;
  readonly #options: RoomsOptions<Data>;
  readonly #clock: Clock;
  readonly #heartbeatMs: number;
  readonly #timeoutMs: number;
  readonly #rooms = new Map<string, Room<Data>>();
  /** Names of the rooms that are followed because their members were asked for. */
  readonly #watched = new Set<string>();
  #cancelTimer: (() => void) | undefined;

  /** @throws EspalierError `ERR_WEBSOCKET_BAD_OPTION` */
  constructor(app: RoomsApplication, options: RoomsOptions<Data> = {}) {
    checkOptionNames(owner, options, optionNames);
    this.#app = app;
    this.#options = options;
    this.#clock = options.clock ?? createSystemClock();
    this.#heartbeatMs = checkInteger(owner, "heartbeatMs", options.heartbeatMs ?? 15_000, 100);
    this.#timeoutMs = checkInteger(
      owner,
      "timeoutMs",
      options.timeoutMs ?? defaultStoreTimeoutMs,
      1,
    );
    app.on("app.stopping", () => this.#stop());
  }

  /**
   * Upgrades a request to a WebSocket that is a member of a room. Messages go to the handlers of the options; on
   * Cloudflare Workers to those of the Durable Object.
   *
   * @param data JSON of at most 1,024 characters, which others can read
   * @throws as `upgradeWebSocket` does; HttpError 400 for an invalid name, which usually comes from the URL;
   *   EspalierError `ERR_WEBSOCKET_BAD_OPTION`; StoreError if the Durable Object fails
   */
  async upgrade(
    ctx: RequestContext<object>,
    name: string,
    data: Data,
    options: WebSocketOptions = {},
  ): Promise<Response> {
    checkName(name);
    const memberData = copyData(data);
    const objects = this.#objects();
    if (objects !== undefined) return await objects.upgrade(ctx, name, memberData, options);
    const room = this.#handle(name);
    let joining: Promise<unknown> | undefined;
    return await upgradeWebSocket(
      ctx,
      {
        open: async (socket) => {
          joining = this.join(socket, name, memberData);
          await joining;
          joining = undefined;
        },
        message: (socket, message) => {
          if (joining === undefined) return this.#receive(socket, room, message);
          // Before the room is subscribed, what the handler sends to it would not reach this instance.
          return joining.then(() => this.#receive(socket, room, message), ignore);
        },
      },
      options,
    );
  }

  /** Calls the handler of messages, unless the connection has left the room. */
  #receive(
    socket: WebSocketConnection,
    room: RoomHandle<Data>,
    message: string | Uint8Array<ArrayBuffer>,
  ): unknown {
    const member = this.#rooms.get(room.name)?.find(socket);
    if (member === undefined) return undefined;
    const { id, joinedAtMs } = member;
    const client = {
      id,
      joinedAtMs,
      data: member.data,
      send: (reply: string | Uint8Array | ArrayBuffer) => socket.send(reply),
      sendJson: (value: unknown) => socket.sendJson(value),
      close: (code?: number, reason?: string) => socket.close(code, reason),
    };
    return this.#options.handlers?.message?.(client, message, room);
  }

  /**
   * Adds a connection to a room; it leaves when it is closed. A connection can be in many rooms. On Cloudflare
   * Workers use `upgrade`: a Worker's connection cannot join a Durable Object's room.
   *
   * @param data JSON of at most 1,024 characters, which others can read
   * @throws HttpError 400 for an invalid name; EspalierError `ERR_WEBSOCKET_BAD_OPTION`; StoreError if the adapter
   *   fails
   */
  async join(socket: WebSocketConnection, name: string, data: Data): Promise<RoomMember<Data>> {
    checkName(name);
    const room = this.#room(name);
    try {
      return await room.join(socket, copyData(data));
    } finally {
      // The adapter has failed, or the connection is closed.
      if (room.find(socket) === undefined) this.#sweep();
    }
  }

  /** Removes a connection from a room; does nothing if it is not a member. */
  async leave(socket: WebSocketConnection, name: string): Promise<void> {
    const room = this.#rooms.get(name);
    await room?.leave(socket);
    this.#sweep();
  }

  /**
   * Sends a message to all members of a room, on all instances. Resolves when the adapter has accepted it.
   *
   * @throws HttpError 400 for an invalid name; EspalierError `ERR_BROADCAST_TOO_LARGE`; StoreError if the adapter or
   *   the Durable Object fails
   */
  async send(
    name: string,
    data: string | Uint8Array | ArrayBuffer,
    { except }: RoomSendOptions = {},
  ): Promise<void> {
    checkName(name);
    checkMessageData(data);
    const content = toContent(data);
    const objects = this.#objects();
    if (objects !== undefined) return await objects.send(name, content, except?.id);
    await this.#publish(name, {
      type: "data",
      content,
      ...(except === undefined ? {} : { except: except.id }),
    });
  }

  /** Sends a value as JSON text to all members of a room, on all instances. */
  async sendJson(name: string, value: unknown, options?: RoomSendOptions): Promise<void> {
    await this.send(name, toMessageJson(value), options);
  }

  /**
   * Returns the members of a room on all instances, in the order in which they have joined. The first call for a room
   * on an instance takes 200 ms: the others list theirs.
   *
   * @throws HttpError 400 for an invalid name; StoreError if the adapter or the Durable Object fails
   */
  async members(name: string): Promise<readonly RoomMember<Data>[]> {
    checkName(name);
    const objects = this.#objects();
    if (objects !== undefined) return await objects.members(name);
    const room = this.#room(name);
    const watches = this.#watched.has(name) || this.#watched.size < maxWatched;
    if (watches) this.#watched.add(name);
    try {
      return await room.members(watches);
    } finally {
      if (!room.isUsed && this.#rooms.get(name) === room) this.#discard(name);
    }
  }

  #handle(name: string): RoomHandle<Data> {
    return {
      name,
      send: (data, options) => this.send(name, data, options),
      sendJson: (value, options) => this.sendJson(name, value, options),
      members: () => this.members(name),
    };
  }

  #objects(): ObjectRooms<Data> | undefined {
    const namespace = this.#options.namespace?.();
    if (namespace === undefined) return undefined;
    return new ObjectRooms(namespace, {
      logger: this.#app.logger,
      timeoutMs: this.#timeoutMs,
      clock: this.#clock,
    });
  }

  #room(name: string): Room<Data> {
    const existing = this.#rooms.get(name);
    if (existing !== undefined) return existing;
    const room = new Room<Data>({
      name,
      handlers: this.#options.handlers ?? {},
      logger: this.#app.logger,
      heartbeatMs: this.#heartbeatMs,
      clock: this.#clock,
      subscribe: (receive) => this.#app.onBroadcast(channelOf(name), receive),
      publish: (message) => this.#publish(name, message),
    });
    this.#rooms.set(name, room);
    if (this.#cancelTimer === undefined) this.#beatLater();
    return room;
  }

  async #publish(name: string, message: RoomMessage<Data>): Promise<void> {
    await this.#app.broadcast(channelOf(name), message);
  }

  #beatLater(): void {
    this.#cancelTimer = this.#clock.after(this.#heartbeatMs, () => {
      this.#sweep();
      for (const room of this.#rooms.values()) room.beat();
      this.#cancelTimer = undefined;
      if (this.#rooms.size > 0) this.#beatLater();
    });
  }

  /** Ends the subscriptions of rooms that nothing needs. */
  #sweep(): void {
    for (const [name, room] of this.#rooms) if (!room.isUsed) this.#discard(name);
  }

  #discard(name: string): void {
    const room = this.#rooms.get(name);
    this.#rooms.delete(name);
    this.#watched.delete(name);
    void room?.stop();
    if (this.#rooms.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** One message for each room: that its connections are closed is not sent one by one. */
  async #stop(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const stopping = [...this.#rooms.values()].map((room) => room.stop());
    this.#rooms.clear();
    this.#watched.clear();
    await Promise.all(stopping);
  }
}

const channelOf = (name: string): string => `rooms:${name}`;

function checkName(name: unknown): void {
  if (isName(name, maxNameLength)) return;
  const expected = `a string of 1 to ${maxNameLength} characters without lone surrogates`;
  if (typeof name !== "string") throw badOption(owner, "name", name, expected);
  // It usually comes from a client.
  throw new HttpError(400, `The name of a room must be ${expected}.`);
}

/** Returns the data after JSON, as other instances receive it. */
function copyData<Data>(data: Data): Data {
  if (data === undefined) return data;
  const json = stringifyLossless(data);
  if ("text" in json && json.text.length <= maxDataLength) return JSON.parse(json.text) as Data;
  throw badOption(owner, "data", data, `JSON of at most ${maxDataLength} characters`);
}
