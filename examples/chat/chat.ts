import type { RoomHandlers } from "espalier/websocket";

/** Data of a guest, visible to others. */
export interface Guest {
  readonly name: string;
}

/** Broadcasts messages and presence to the members of a room. The same on every platform. */
export const chat: RoomHandlers<Guest> = {
  async message(client, text, room) {
    if (typeof text !== "string") return client.close(1003, "Only text is accepted.");
    await room.sendJson({ type: "message", from: client.data.name, text });
  },
  presence: ({ type, member, count }) => ({ type, name: member.data.name, count }),
};
