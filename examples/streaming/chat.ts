import type { Application, RouteFunction } from "espalier";
import { upgradeWebSocket, type WebSocketConnection } from "espalier/websocket";

/**
 * `GET /chat/:room?name=ada`: everybody in a room gets what is said there. The rooms are those of this
 * process; across processes a Durable Object or a broker has to pass messages on.
 */
export function chat(app: Application): RouteFunction<{ room: string }> {
  const rooms = new Map<string, Set<WebSocketConnection>>();

  return (ctx) => {
    const { room } = ctx.params;
    const name = ctx.query["name"] ?? "somebody";
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
