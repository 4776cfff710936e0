import { type ObjectNamespace, RoomDurableObject } from "espalier/cloudflare";
import { createRoomApplication, type Guest, handlers } from "./room-application.ts";

const app = createRoomApplication(
  undefined,
  () => (app.env as unknown as { readonly ROOMS: ObjectNamespace }).ROOMS,
);

/** A room that can tell if it was evicted: its fields are lost then. */
export class TestRoom extends RoomDurableObject<Guest> {
  readonly #id = crypto.randomUUID();

  override async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const isSlow = pathname === "/connect" && searchParams.get("room") === "slow";
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 1_500));
    return super.fetch(request);
  }

  override readonly handlers = {
    ...handlers,
    message: (...given: Parameters<NonNullable<typeof handlers.message>>) => {
      const [client, data] = given;
      if (data === "last words") {
        client.close(4002);
        client.close(4003);
        client.sendJson("not any more");
        return client.send("not any more");
      }
      if (data === "bad code") {
        try {
          return client.close(1005);
        } catch (error) {
          return client.send((error as { code: string }).code);
        }
      }
      return data === "object" ? client.send(this.#id) : handlers.message?.(...given);
    },
  };
}

export default app.worker();
