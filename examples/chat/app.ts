import { Application, type BroadcastAdapter, html, json } from "espalier";
import type { ObjectNamespace } from "espalier/cloudflare";
import { Rooms } from "espalier/websocket";
import { chat, type Guest } from "./chat.ts";
import { page } from "./page.ts";

declare module "espalier" {
  interface Register {
    env: { readonly ROOMS?: ObjectNamespace };
  }
}

/** Dependencies that differ between platforms. */
export interface ChatPlatform {
  /** Connects the processes; without it, a room has the guests of one process. */
  readonly broadcast?: BroadcastAdapter;
  /** Name of this process, which the page shows. */
  readonly instance?: string;
}

/** Creates the chat. */
export function createChat({ broadcast, instance = "worker" }: ChatPlatform = {}): Application {
  const app = new Application();
  if (broadcast !== undefined) app.useBroadcast(broadcast);
  const rooms = new Rooms<Guest>(app, {
    handlers: chat,
    // On Workers each room is a Durable Object; a process has no such binding.
    namespace: () => app.env.ROOMS,
  });
  const router = app.getRouter();
  router.get("/", () => html(page));
  router.get("/instance", () => json({ instance }));
  router.get("/rooms/:room/members", async (ctx) => json(await rooms.members(ctx.params.room)));
  router.get("/rooms/:room", (ctx) => {
    const name = (ctx.query["name"] ?? "guest").slice(0, 40);
    return rooms.upgrade(ctx, ctx.params.room, { name }, { maxMessageBytes: 4096 });
  });
  return app;
}
