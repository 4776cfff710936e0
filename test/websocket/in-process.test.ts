import type { Application } from "espalier";
import { upgradeWebSocket } from "espalier/websocket";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Application as CoreApplication } from "../../src/core.ts";
import { describeOtherUpgrades, describeSockets, openClient } from "./assertions.ts";
import { createSocketApplication } from "./runtime/application.ts";

/** The sources on this Node; `servers.test.ts` runs the build, in separate processes. */
describe("the sources on Node", () => {
  let app: Application;
  let url = "";
  beforeAll(async () => {
    app = createSocketApplication();
    ({ url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false }));
  });
  afterAll(() => app.stop());
  describeSockets(() => url);
  describeOtherUpgrades(() => url);

  test("stopping closes connections, and the next start accepts clients again", async () => {
    const client = await openClient(new URL("/echo/last?key=right", url).href);
    await app.stop();
    expect(await client.closed).toEqual({ code: 1001, reason: "The server is shutting down." });
    ({ url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false }));
    const again = await openClient(new URL("/echo/again?key=right", url).href);
    expect(JSON.parse(await again.next())).toEqual({ room: "again", protocol: "" });
    again.socket.close();
    await again.closed;
  });
});

test("an application without services has sockets too, and closes them when it stops", async () => {
  const app = new CoreApplication();
  app.getRouter().get("/echo", (ctx) =>
    upgradeWebSocket(ctx, {
      open: (socket) => socket.send("hello"),
      message: (socket, data) => socket.send(data),
    }),
  );
  const address = { port: 0, host: "127.0.0.1", gracefulSignals: false };
  for (const message of ["first", "started again"]) {
    const { url } = await app.listen(address);
    const client = await openClient(new URL("/echo", url).href);
    expect(await client.next()).toBe("hello");
    client.socket.send(message);
    expect(await client.next()).toBe(message);
    await app.stop();
    expect(await client.closed).toEqual({ code: 1001, reason: "The server is shutting down." });
  }
});
