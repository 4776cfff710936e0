import type { Application, RouteFunction } from "espalier";
import { upgradeWebSocket, type WebSocketConnection } from "espalier/websocket";
import type { ChatRooms } from "./chat-room.ts";

/**
 * `GET /chat/:room?name=ada`: broadcasts messages to all members of a room. A room is a Durable Object
 * if the binding `ROOMS` exists; otherwise it is in this process.
 */
export function chat(app: Application): RouteFunction<{ room: string }> {
  const rooms = new Map<string, Set<WebSocketConnection>>();

  return (ctx) => {
    const { room } = ctx.params;
    const { ROOMS: objects } = ctx.env as { readonly ROOMS?: ChatRooms };
    if (objects !== undefined) return objects.get(objects.idFromName(room)).fetch(ctx.request);
    const name = ctx.query["name"] ?? "anonymous";
    const tell = (what: object): void => {
      for (const member of rooms.get(room) ?? []) member.sendJson({ name, ...what });
    };
    return upgradeWebSocket(
      ctx,
      {
        open(socket) {
          const members = rooms.get(room) ?? new Set();
          rooms.set(room, members.add(socket));
          tell({ joined: true });
        },
        message(_socket, text) {
          if (typeof text === "string") tell({ text });
        },
        close(socket) {
          const members = rooms.get(room);
          members?.delete(socket);
          if (members?.size === 0) rooms.delete(room);
          tell({ left: true });
        },
        error: (_socket, error) => app.logger.warn("A chat failed.", { error: String(error) }),
      },
      { maxMessageBytes: 4096 },
    );
  };
}
