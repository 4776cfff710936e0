import { createStreaming } from "./app.ts";

/**
 * One room on Workers, as a Durable Object. A Worker's socket belongs to the request that opened it, and
 * no other request may send through it; those of one object are shared by all of its requests.
 */
export class ChatRoom {
  readonly #app = createStreaming();

  fetch(request: Request): Promise<Response> {
    // Without the binding, so that this is where it ends.
    return this.#app.fetch(request, {});
  }
}

/** The binding `ROOMS`, as far as it is used here. */
export interface ChatRooms {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}
