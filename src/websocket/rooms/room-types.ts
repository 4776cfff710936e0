/** A member of a room: one connection. */
export interface RoomMember<Data = unknown> {
  /** A UUID of this membership. */
  readonly id: string;
  /** The data that `join` or `upgrade` was given, after JSON. */
  readonly data: Data;
  /** Time of joining, in milliseconds since the epoch. */
  readonly joinedAtMs: number;
}

/** A member that has joined or left a room. */
export interface RoomPresence<Data = unknown> {
  /** The change. */
  readonly type: "joined" | "left";
  /** Name of the room. */
  readonly room: string;
  /** The member. */
  readonly member: RoomMember<Data>;
  /** Number of members of the room, as far as this instance knows. */
  readonly count: number;
}

/** Options of `send` and `sendJson` of rooms. */
export interface RoomSendOptions {
  /** The member that does not receive the message, such as its sender. */
  readonly except?: { readonly id: string } | undefined;
}

/** A member whose message is being handled, and its connection. */
export interface RoomClient<Data = unknown> extends RoomMember<Data> {
  /** Sends a message to this member alone. */
  send(data: string | Uint8Array | ArrayBuffer): void;
  /** Sends a value as JSON text to this member alone. */
  sendJson(value: unknown): void;
  /** Closes the connection; the member leaves. */
  close(code?: number, reason?: string): void;
}

/** A room, as handlers use it. */
export interface RoomHandle<Data = unknown> {
  /** Name of the room. */
  readonly name: string;
  /** Sends a message to all members, on all instances. */
  send(data: string | Uint8Array | ArrayBuffer, options?: RoomSendOptions): Promise<void>;
  /** Sends a value as JSON text to all members, on all instances. */
  sendJson(value: unknown, options?: RoomSendOptions): Promise<void>;
  /** Returns the members on all instances, in the order in which they have joined. */
  members(): Promise<readonly RoomMember<Data>[]>;
}

/**
 * Handlers of rooms, the same on every platform.
 *
 * ```ts
 * const chat: RoomHandlers<{ name: string }> = {
 *   message: (client, text, room) => room.sendJson({ from: client.data.name, text }),
 *   presence: ({ type, member, count }) => ({ [type]: member.data.name, count }),
 * };
 * ```
 */
export interface RoomHandlers<Data = unknown> {
  /** Called for each message of a member. One that fails closes the connection with 1011, and is logged. */
  message?(
    client: RoomClient<Data>,
    data: string | Uint8Array<ArrayBuffer>,
    room: RoomHandle<Data>,
  ): unknown;
  /**
   * Called when a member has joined or left, on each instance with members of the room. Returns a value that is
   * sent as JSON text to each of them, or a promise of one; undefined sends nothing. An error is logged.
   */
  presence?(event: RoomPresence<Data>): unknown;
}
