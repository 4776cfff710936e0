import { Application } from "espalier";
import { upgradeWebSocket } from "espalier/websocket";

/** Maximum size of a message that the application accepts. */
export const maxMessageBytes = 1_048_576;

/** Creates an application that returns each message on `/`. */
export function createEchoApplication(): Application {
  const silent = (): void => {};
  const app = new Application({
    host: "127.0.0.1",
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  app
    .getRouter()
    .get("/", (ctx) =>
      upgradeWebSocket(
        ctx,
        { message: (socket, data) => socket.send(data) },
        { maxMessageBytes, maxBufferedBytes: 2 ** 26 },
      ),
    );
  return app;
}
