import { Application, type BroadcastAdapter, json } from "espalier";
import type { ObjectNamespace } from "espalier/cloudflare";
import { type RoomHandlers, Rooms } from "espalier/websocket";

export interface Guest {
  readonly name: string;
}

/** Messages of a member reach all others; `private` is answered alone, `fail` fails. */
export const handlers: RoomHandlers<Guest> = {
  message(client, data, room) {
    if (data === "fail") throw new Error("the handler failed");
    if (data === "private") return client.sendJson({ private: client.data.name });
    if (data === "goodbye") return client.close(4001, "as you like");
    const text = typeof data === "string" ? data : [...data];
    return room.sendJson({ from: client.data.name, text }, { except: client });
  },
  presence: ({ type, member, count }) => ({ [type]: member.data.name, count }),
};

/** The application of the tests, on every platform. */
export function createRoomApplication(
  adapter?: BroadcastAdapter,
  namespace: () => ObjectNamespace | undefined = () => undefined,
): Application {
  const app = new Application({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
  if (adapter !== undefined) app.useBroadcast(adapter);
  const rooms = new Rooms<Guest>(app, { handlers, namespace, heartbeatMs: 500 });
  const router = app.getRouter();
  router.get("/rooms/:room", (ctx) =>
    rooms.upgrade(
      ctx,
      ctx.params.room,
      { name: ctx.query["name"] ?? "" },
      { protocols: ["chat"], maxMessageBytes: 1000 },
    ),
  );
  router.get("/rooms/:room/members", async (ctx) =>
    json((await rooms.members(ctx.params.room)).map(({ data }) => data.name)),
  );
  router.post("/rooms/:room", async (ctx) => {
    const { room } = ctx.params;
    const [first] = await rooms.members(room);
    const isBinary = ctx.query["binary"] !== undefined;
    await rooms.send(room, isBinary ? Uint8Array.of(1, 255) : "from a route", {
      except: ctx.query["except"] === undefined ? undefined : first,
    });
    return json(true);
  });
  return app;
}
