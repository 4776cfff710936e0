import { Application, type ApplicationOptions } from "espalier";
import { chat } from "./chat.ts";
import type { ChatRooms } from "./chat-room.ts";
import { clock } from "./clock.ts";
import { exportNumbers } from "./export.ts";
import { MemoryFiles } from "./memory-files.ts";
import { registerUploads } from "./uploads.ts";

declare module "espalier" {
  interface Register {
    env: { readonly ROOMS?: ChatRooms };
    services: { files: MemoryFiles };
  }
}

/** Creates the application: server-sent events, WebSockets, streamed responses and uploads. */
export function createStreaming(options: ApplicationOptions = {}): Application {
  const app = new Application(options);
  app.instance("files", new MemoryFiles());
  const router = app.getRouter();
  registerUploads(router);
  router.get("/clock", clock);
  router.get("/chat/:room", chat(app));
  router.get("/export", exportNumbers);
  return app;
}
