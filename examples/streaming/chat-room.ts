import { createStreaming } from "./app.ts";

/**
 * A chat room as a Durable Object. On Workers a socket belongs to the request that opened it, and other
 * requests cannot send through it; the sockets of a Durable Object are shared by all of its requests.
 */
export class ChatRoom {
  readonly #app = createStreaming();

  fetch(request: Request): Promise<Response> {
    // Without the binding `ROOMS`, so that the room is in this object.
    return this.#app.fetch(request, {});
  }
}

/** The subset of the binding `ROOMS` used here. */
export interface ChatRooms {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}
