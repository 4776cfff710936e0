import { createConsoleLogger } from "../../observability/console-logger.ts";
import { describeError } from "../../observability/logger.ts";
import { bytesOfBase64 } from "../../util/base64url.ts";
import { logSafely } from "../../util/log-safely.ts";
import type { RoomContent } from "../../websocket/rooms/room-messages.ts";
import type {
  RoomClient,
  RoomHandle,
  RoomHandlers,
  RoomMember,
  RoomPresence,
  RoomSendOptions,
} from "../../websocket/rooms/room-types.ts";
import { checkClose } from "../websocket/check-close.ts";
import { closeOfError } from "../websocket/close-of-error.ts";
import { toMessageJson } from "../websocket/message-data.ts";
import { sendResult } from "../websocket/send-result.ts";
import type { HibernatingSocket, HibernationState } from "./durable-object-types.ts";
import {
  completeClose,
  createSocketPair,
  isOpen,
  sendToAll,
  upgradeResponse,
} from "./web-socket-pair.ts";

/** Data that the platform keeps with a connection while the object hibernates. */
interface Attachment<Data> extends RoomMember<Data> {
  readonly room: string;
  readonly maxMessageBytes: number;
  /** True once the room has announced that the member left. */
  readonly hasLeft?: boolean;
}

/**
 * Durable Object of one room; used by `Rooms` of `espalier/websocket`. Export a subclass with the handlers from the
 * Worker, and add it to the Worker's configuration:
 *
 * ```ts
 * export class ChatRoom extends RoomDurableObject<Guest> {
 *   override readonly handlers = chat;
 * }
 * ```
 * ```toml
 * [[durable_objects.bindings]]
 * name = "ROOMS"
 * class_name = "ChatRoom"
 *
 * [[migrations]]
 * tag = "rooms"
 * new_sqlite_classes = ["ChatRoom"]
 * ```
 *
 * It hibernates while no message is sent: its members stay connected, and their data is kept with the connections.
 * Fields of the class are lost then.
 */
export class RoomDurableObject<Data = unknown> {
  /** Handlers of messages and presence. */
  readonly handlers: RoomHandlers<Data> = {};
  readonly #state: HibernationState;
  /** Connections that have left, which the platform may still list. */
  readonly #left = new WeakSet<HibernatingSocket>();

  constructor(state: HibernationState) {
    this.#state = state;
  }

  /** Executes one call of `Rooms`: `/connect`, `/send` or `/members`. */
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const room = searchParams.get("room") ?? "";
    if (pathname === "/connect") return this.#connect(room, searchParams);
    if (pathname === "/members") return Response.json(this.#members());
    const content = (await request.json()) as RoomContent; // written by Rooms
    const data = "text" in content ? content.text : bytesOfBase64(content.base64);
    this.#send(data, searchParams.get("except") ?? undefined);
    return Response.json(true);
  }

  /** Called by the platform for each message of a member. */
  async webSocketMessage(socket: HibernatingSocket, message: string | ArrayBuffer): Promise<void> {
    // A client that does not reply to the close frame can still send messages.
    if (!isOpen(socket)) return;
    const { maxMessageBytes, ...member } = this.#attachmentOf(socket);
    const data = typeof message === "string" ? message : new Uint8Array(message);
    const bytes = typeof data === "string" ? new TextEncoder().encode(data).length : data.length;
    if (bytes > maxMessageBytes) {
      this.#close(socket, 1009, `At most ${maxMessageBytes} bytes.`);
      return;
    }
    const client: RoomClient<Data> = {
      id: member.id,
      data: member.data,
      joinedAtMs: member.joinedAtMs,
      send: (reply) => sendToAll([socket], reply),
      sendJson: (value) => sendToAll([socket], toMessageJson(value)),
      close: (code = 1000, reason = "") => this.#close(socket, code, reason),
    };
    try {
      await this.handlers.message?.(client, data, this.#handle(member.room));
    } catch (error) {
      const { code, reason, isLogged } = closeOfError(error);
      this.#close(socket, code, reason);
      // The platform logs it.
      if (isLogged) throw error;
    }
  }

  /** Called by the platform when a connection is closed. */
  webSocketClose(socket: HibernatingSocket, code: number, reason: string): void {
    completeClose(socket, code, reason);
    this.#leave(socket);
  }

  /** Called by the platform when a connection fails. */
  webSocketError(socket: HibernatingSocket): void {
    this.#leave(socket);
  }

  #connect(room: string, query: URLSearchParams): Response {
    const { client, server } = createSocketPair();
    const data = JSON.parse(query.get("data") ?? "null") as Data; // checked by Rooms
    const member = { id: crypto.randomUUID(), data, joinedAtMs: Date.now() };
    this.#state.acceptWebSocket(server, [member.id]);
    const maxMessageBytes = Number(query.get("maxMessageBytes"));
    server.serializeAttachment({ ...member, room, maxMessageBytes } satisfies Attachment<Data>);
    this.#announce("joined", room, member);
    return upgradeResponse(client);
  }

  /** Closes the connection of a member, who leaves at once: a client may never reply. */
  #close(socket: HibernatingSocket, code: number, reason: string): void {
    checkClose(code, reason);
    if (!isOpen(socket)) return;
    socket.close(code, reason);
    this.#leave(socket);
  }

  #leave(socket: HibernatingSocket): void {
    const attachment = this.#attachmentOf(socket);
    if (this.#left.has(socket) || attachment.hasLeft === true) return;
    this.#left.add(socket);
    // The object may hibernate, and lose its fields, before the client ends the connection.
    socket.serializeAttachment({ ...attachment, hasLeft: true } satisfies Attachment<Data>);
    const { id, data, joinedAtMs, room } = attachment;
    this.#announce("left", room, { id, data, joinedAtMs });
  }

  #announce(type: RoomPresence["type"], room: string, member: RoomMember<Data>): void {
    const { length: count } = this.#sockets();
    sendResult(
      () => this.handlers.presence?.({ type, room, member, count }),
      (text) => this.#send(text),
      (error) => {
        const fields = { room, error: describeError(error) };
        const message = "The presence handler of a room failed.";
        logSafely(createConsoleLogger(), "error", message, fields);
      },
    );
  }

  #send(data: string | ArrayBufferView, except?: string): void {
    const excepted = except === undefined ? [] : this.#state.getWebSockets(except);
    const sockets = this.#sockets();
    sendToAll(
      excepted.length === 0 ? sockets : sockets.filter((socket) => !excepted.includes(socket)),
      data,
    );
  }

  #members(): readonly RoomMember<Data>[] {
    return this.#sockets()
      .map((socket) => this.#attachmentOf(socket))
      .map(({ id, data, joinedAtMs }) => ({ id, data, joinedAtMs }))
      .sort((one, other) => one.joinedAtMs - other.joinedAtMs);
  }

  /** The connections of the members. */
  #sockets(): HibernatingSocket[] {
    return this.#state
      .getWebSockets()
      .filter((socket) => isOpen(socket) && !this.#left.has(socket));
  }

  #attachmentOf(socket: HibernatingSocket): Attachment<Data> {
    // Unchecked cast: only #connect writes it.
    return socket.deserializeAttachment() as Attachment<Data>;
  }

  #handle(name: string): RoomHandle<Data> {
    const send = async (
      data: string | Uint8Array | ArrayBuffer,
      { except }: RoomSendOptions = {},
    ): Promise<void> =>
      this.#send(data instanceof ArrayBuffer ? new Uint8Array(data) : data, except?.id);
    return {
      name,
      send,
      sendJson: async (value, options) => send(toMessageJson(value), options),
      members: async () => this.#members(),
    };
  }
}
