import type { Application, RouteFunction } from "espalier";
import { upgradeWebSocket, type WebSocketConnection } from "espalier/websocket";

/**
 * `GET /chat/:room?name=ada`: broadcasts messages to all members of a room. A room is a Durable Object
 * if the binding `ROOMS` exists; otherwise it is in this process.
 */
export function chat(app: Application): RouteFunction<{ room: string }> {
  const rooms = new Map<string, Set<WebSocketConnection>>();

  return (ctx) => {
    const { room } = ctx.params;
    const { ROOMS } = ctx.env;
    if (ROOMS !== undefined) return ROOMS.get(ROOMS.idFromName(room)).fetch(ctx.request);
    const name = ctx.query["name"] ?? "anonymous";
    const broadcast = (event: object): void => {
      for (const member of rooms.get(room) ?? []) member.sendJson({ name, ...event });
    };
    return upgradeWebSocket(
      ctx,
      {
        open(socket) {
          const members = rooms.get(room) ?? new Set();
          rooms.set(room, members.add(socket));
          broadcast({ joined: true });
        },
        message(_socket, text) {
          if (typeof text === "string") broadcast({ text });
        },
        close(socket) {
          const members = rooms.get(room);
          members?.delete(socket);
          if (members?.size === 0) rooms.delete(room);
          broadcast({ left: true });
        },
        error: (_socket, error) => app.logger.warn("A chat failed.", { error: String(error) }),
      },
      { maxMessageBytes: 4096 },
    );
  };
}
