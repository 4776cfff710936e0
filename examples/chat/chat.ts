import type { RoomHandlers } from "espalier/websocket";

/** Data of a guest, visible to others. */
export interface Guest {
  readonly name: string;
}

/** Passes the messages of guests on, and says who comes and goes. The same on every platform. */
export const chat: RoomHandlers<Guest> = {
  async message(client, text, room) {
    if (typeof text !== "string") return client.close(1003, "Only text is accepted.");
    await room.sendJson({ type: "message", from: client.data.name, text });
  },
  presence: ({ type, member, count }) => ({ type, name: member.data.name, count }),
};
