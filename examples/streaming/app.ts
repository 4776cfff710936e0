import { Application, type ApplicationOptions } from "espalier";
import { chat } from "./chat.ts";
import { tellTheTime } from "./clock.ts";
import { exportNumbers } from "./export.ts";
import { MemoryFiles } from "./memory-files.ts";
import { UploadsProvider } from "./uploads.ts";

/**
 * Creates the application: server-sent events, WebSockets, streamed responses and uploads.
 */
export function createStreaming(options: ApplicationOptions = {}): Application {
  const app = new Application(options);
  app.registerProvider(new UploadsProvider(new MemoryFiles()));
  app.getRouter().get("/clock", tellTheTime);
  app.getRouter().get("/chat/:room", chat(app));
  app.getRouter().get("/export", exportNumbers);
  return app;
}
