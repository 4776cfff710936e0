import { EspalierError } from "../../errors.ts";
import type { RequestContext } from "../../http/context.ts";
import type {
  ObjectNamespace,
  ObjectResponse,
  ObjectStub,
} from "../../platform/cloudflare/durable-object-types.ts";
import { upgradeResponse } from "../../platform/cloudflare/web-socket-pair.ts";
import { StoreCaller, type StoreCallerOptions } from "../../resilience/store-caller.ts";
import { checkUpgrade } from "../upgrade-web-socket.ts";
import type { WebSocketOptions } from "../web-socket-handlers.ts";
import type { RoomContent } from "./room-messages.ts";
import type { RoomMember } from "./room-types.ts";

/**
 * Rooms in Durable Objects, one for each. Create one for each call: its circuit breaker would otherwise reject the
 * calls of all rooms because the object of one fails.
 */
export class ObjectRooms<Data> {
  readonly #namespace: ObjectNamespace;
  /** Limits the time of each call, as that of a store. */
  readonly #caller: StoreCaller;

  /** @param options the logger receives the failures of objects, which clients see as a 503 */
  constructor(
    namespace: ObjectNamespace,
    options: Pick<StoreCallerOptions, "logger" | "timeoutMs" | "clock">,
  ) {
    this.#namespace = namespace;
    this.#caller = new StoreCaller({ ...options, name: "Durable Object of the room" });
  }

  /** Connects a client to the object of a room, after the handshake was validated. */
  async upgrade(
    ctx: RequestContext<object>,
    name: string,
    data: Data,
    options: WebSocketOptions,
  ): Promise<Response> {
    const { protocol, maxMessageBytes } = await checkUpgrade(ctx, options);
    const query = new URLSearchParams({
      room: name,
      data: JSON.stringify(data ?? null),
      maxMessageBytes: String(maxMessageBytes),
    });
    const { status, webSocket } = await this.#connect(ctx, name, urlOf("connect", query));
    if (webSocket === undefined || webSocket === null) throw badObject(name, status);
    return upgradeResponse(
      webSocket,
      protocol === undefined ? {} : { "sec-websocket-protocol": protocol },
    );
  }

  /** Sends a message to all members. */
  async send(name: string, content: RoomContent, except: string | undefined): Promise<void> {
    const query = new URLSearchParams(
      except === undefined ? { room: name } : { room: name, except },
    );
    const init = { method: "POST", body: JSON.stringify(content) };
    const { status } = await this.#fetch(name, urlOf("send", query), init);
    if (status !== 200) throw badObject(name, status);
  }

  /** Returns the members. */
  async members(name: string): Promise<readonly RoomMember<Data>[]> {
    const query = new URLSearchParams({ room: name });
    const response = await this.#fetch(name, urlOf("members", query));
    const members: unknown = response.status === 200 ? await response.json() : undefined;
    if (!Array.isArray(members)) throw badObject(name, response.status);
    return members as RoomMember<Data>[]; // written by RoomDurableObject
  }

  /**
   * Opens the connection to an object; one that arrives after the deadline is closed.
   *
   * @throws StoreError if the object fails, or does not respond in time
   */
  async #connect(ctx: RequestContext<object>, name: string, url: string): Promise<ObjectResponse> {
    let connecting: Promise<ObjectResponse> | undefined;
    try {
      return await this.#caller.call(() => {
        connecting = this.#objectOf(name).fetch(url, { headers: { upgrade: "websocket" } });
        return connecting;
      });
    } catch (error) {
      // Otherwise the platform cancels the call when the 503 is sent, and the object keeps a member without a client.
      if (connecting !== undefined) ctx.waitUntil(connecting.then(closeLate, () => {}));
      throw error;
    }
  }

  /** @throws StoreError if the object fails, or does not respond in time */
  async #fetch(
    name: string,
    url: string,
    init?: Parameters<ObjectStub["fetch"]>[1],
  ): Promise<ObjectResponse> {
    return await this.#caller.call(() => this.#objectOf(name).fetch(url, init));
  }

  #objectOf(name: string): ObjectStub {
    return this.#namespace.get(this.#namespace.idFromName(name));
  }
}

const urlOf = (call: string, query: URLSearchParams): string =>
  `https://room.invalid/${call}?${query}`;

/** Closes a connection that arrives after the deadline: its client, who got a 503, would stay a member. */
function closeLate({ webSocket }: ObjectResponse): void {
  // The platform refuses to close what was not accepted.
  webSocket?.accept();
  webSocket?.close(1013, "The room did not respond in time.");
}

function badObject(name: string, status: number): EspalierError {
  return new EspalierError(
    "ERR_WEBSOCKET_UNSUPPORTED",
    `The Durable Object of the room "${name}" answered ${status} and no result. ` +
      "Its class_name must be that of a subclass of RoomDurableObject.",
  );
}
