import type { HibernatingSocket, HibernationState } from "./durable-object-types.ts";
import { completeClose, createSocketPair, sendToAll, upgradeResponse } from "./web-socket-pair.ts";

/**
 * Durable Object of one broadcast, to which its subscribers are connected; used by `DurableObjectBroadcastAdapter`.
 * Export it from the Worker and add it to the Worker's configuration:
 *
 * ```ts
 * export { BroadcastDurableObject } from "espalier/cloudflare";
 * ```
 * ```toml
 * [[durable_objects.bindings]]
 * name = "BROADCAST"
 * class_name = "BroadcastDurableObject"
 *
 * [[migrations]]
 * tag = "broadcast"
 * new_sqlite_classes = ["BroadcastDurableObject"]
 * ```
 *
 * It stores nothing, and hibernates while no message is sent: its subscribers stay connected.
 */
export class BroadcastDurableObject {
  readonly #state: HibernationState;

  constructor(state: HibernationState) {
    this.#state = state;
  }

  /** Accepts a subscriber, which asks for an upgrade, or sends the body of a request to all subscribers. */
  async fetch(request: Request): Promise<Response> {
    if (request.headers.get("upgrade") === "websocket") {
      const { client, server } = createSocketPair();
      this.#state.acceptWebSocket(server);
      return upgradeResponse(client);
    }
    const message = await request.text();
    const sockets = this.#state.getWebSockets();
    sendToAll(sockets, message);
    return Response.json({ subscribers: sockets.length });
  }

  /** Called by the platform when a subscriber closes its connection. */
  webSocketClose(socket: HibernatingSocket, code: number, reason: string): void {
    completeClose(socket, code, reason);
  }
}
