import { Application, type BroadcastAdapter, MemoryBroadcastAdapter } from "espalier";
import { type RoomHandlers, Rooms } from "espalier/websocket";
import { describe, expect, test } from "vitest";
import type { RequestContext } from "../../../src/http/context.ts";
import { WebSocketConnection } from "../../../src/websocket/connection.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

interface Guest {
  readonly name: string;
}

const handlers: RoomHandlers<Guest> = {
  presence: ({ type, member, count }) => `${member.data.name} ${type}, ${count}`,
};

/** A connection whose messages are recorded. */
class Client {
  readonly received: unknown[] = [];
  buffered = 0;
  readonly socket: WebSocketConnection;

  constructor(maxBufferedBytes = 1_000_000) {
    const transport = {
      send: (data: unknown) => void this.received.push(data),
      close: () => {},
      terminate: () => {},
      bufferedBytes: () => this.buffered,
      overheadBytes: () => 0,
      holdsServer: true,
    };
    this.socket = new WebSocketConnection(transport, undefined, maxBufferedBytes);
  }
}

/** Instances of one application. */
class Cluster {
  readonly clock = new FakeClock();
  readonly #adapter: BroadcastAdapter;

  constructor(adapter: BroadcastAdapter = new MemoryBroadcastAdapter()) {
    this.#adapter = adapter;
  }

  async start(roomHandlers: RoomHandlers<Guest> = handlers): Promise<{
    app: Application;
    rooms: Rooms<Guest>;
    logger: ReturnType<typeof createRecordingLogger>;
  }> {
    const logger = createRecordingLogger();
    const app = new Application({ logger }).useBroadcast(this.#adapter);
    const rooms = new Rooms<Guest>(app, { handlers: roomHandlers, clock: this.clock });
    await app.request("/");
    return { app, rooms, logger };
  }

  /** Lets messages arrive, and lists of members. */
  async settle(): Promise<void> {
    await this.clock.advance(250);
  }

  async names(rooms: Rooms<Guest>, room = "lobby"): Promise<string[]> {
    const members = rooms.members(room);
    await this.settle();
    return (await members).map(({ data }) => data.name);
  }
}

describe("rooms", () => {
  test("a message reaches the members of its room on all instances, once", async () => {
    const cluster = new Cluster();
    const [one, two] = [await cluster.start(), await cluster.start()];
    const clients = { ada: new Client(), bob: new Client(), cleo: new Client(), dan: new Client() };
    const ada = await one.rooms.join(clients.ada.socket, "lobby", { name: "ada" });
    await one.rooms.join(clients.bob.socket, "lobby", { name: "bob" });
    await two.rooms.join(clients.cleo.socket, "lobby", { name: "cleo" });
    await two.rooms.join(clients.dan.socket, "kitchen", { name: "dan" });
    await cluster.settle();
    for (const { received } of Object.values(clients)) received.length = 0;
    await two.rooms.send("lobby", "hello");
    await two.rooms.sendJson("lobby", { from: "ada" }, { except: ada });
    await one.rooms.send("lobby", Uint8Array.of(0, 255, 7));
    const all = ["hello", '{"from":"ada"}', Uint8Array.of(0, 255, 7)];
    expect(clients.ada.received).toEqual([all[0], all[2]]);
    expect(clients.bob.received).toEqual(all);
    expect(clients.cleo.received).toEqual(all);
    expect(clients.dan.received).toEqual([]);
  });

  test("presence is announced once to each member, and members are listed on all instances", async () => {
    const cluster = new Cluster();
    const [one, two] = [await cluster.start(), await cluster.start()];
    const [ada, bob] = [new Client(), new Client()];
    await one.rooms.join(ada.socket, "lobby", { name: "ada" });
    await cluster.settle();
    await two.rooms.join(bob.socket, "lobby", { name: "bob" });
    await cluster.settle();
    expect(await cluster.names(one.rooms)).toEqual(["ada", "bob"]);
    expect(await cluster.names(two.rooms)).toEqual(["ada", "bob"]);
    const third = await cluster.start();
    expect(await cluster.names(third.rooms)).toEqual(["ada", "bob"]);
    await one.rooms.leave(ada.socket, "lobby");
    await cluster.settle();
    expect(await cluster.names(third.rooms)).toEqual(["bob"]);
    expect(ada.received).toEqual(['"ada joined, 1"', '"bob joined, 2"']);
    expect(bob.received).toEqual(['"bob joined, 2"', '"ada left, 1"']);
  });

  test("a connection that is closed leaves by itself, and one in two rooms leaves both", async () => {
    const cluster = new Cluster();
    const [one, two] = [await cluster.start(), await cluster.start()];
    const [ada, bob] = [new Client(), new Client()];
    for (const room of ["lobby", "kitchen"]) {
      await one.rooms.join(ada.socket, room, { name: "ada" });
      await two.rooms.join(bob.socket, room, { name: "bob" });
    }
    WebSocketConnection.markClosed(ada.socket);
    await cluster.settle();
    expect(await cluster.names(two.rooms)).toEqual(["bob"]);
    expect(await cluster.names(two.rooms, "kitchen")).toEqual(["bob"]);
    await one.rooms.join(ada.socket, "lobby", { name: "ada" });
    expect(await cluster.names(two.rooms)).toEqual(["bob"]);
  });

  test("a client that reads too slowly leaves, and does not hold others up", async () => {
    const cluster = new Cluster();
    const { rooms } = await cluster.start();
    const [slow, quick] = [new Client(100), new Client()];
    await rooms.join(slow.socket, "lobby", { name: "slow" });
    await rooms.join(quick.socket, "lobby", { name: "quick" });
    slow.buffered = 101;
    await rooms.send("lobby", "hello");
    await cluster.settle();
    expect(slow.socket.isOpen).toBe(false);
    expect(quick.received.slice(-2)).toEqual(["hello", '"slow left, 1"']);
    expect(await cluster.names(rooms)).toEqual(["quick"]);
  });

  test("the members of an instance that is stopped, or dies, have left", async () => {
    const adapter = new MemoryBroadcastAdapter();
    let isDead = false;
    const dying: BroadcastAdapter = {
      publish: async (channel, message) => {
        if (!isDead) await adapter.publish(channel, message);
      },
      subscribe: (channel, receive) => adapter.subscribe(channel, receive),
    };
    const cluster = new Cluster(adapter);
    const [one, two] = [await cluster.start(), await cluster.start()];
    const three = new Application({ logger: createRecordingLogger() }).useBroadcast(dying);
    const rooms = new Rooms<Guest>(three, { clock: cluster.clock });
    await three.request("/");
    const [ada, bob, cleo] = [new Client(), new Client(), new Client()];
    await one.rooms.join(ada.socket, "lobby", { name: "ada" });
    await two.rooms.join(bob.socket, "lobby", { name: "bob" });
    await rooms.join(cleo.socket, "lobby", { name: "cleo" });
    expect(await cluster.names(one.rooms)).toEqual(["ada", "bob", "cleo"]);
    await two.app.stop();
    expect(await cluster.names(one.rooms)).toEqual(["ada", "cleo"]);
    await cluster.clock.advance(60_000);
    expect(await cluster.names(one.rooms)).toEqual(["ada", "cleo"]);
    isDead = true;
    await cluster.clock.advance(65_000);
    expect(await cluster.names(one.rooms)).toEqual(["ada"]);
    // It was only cut off.
    isDead = false;
    await cluster.clock.advance(16_000);
    expect(await cluster.names(one.rooms)).toEqual(["ada", "cleo"]);
    expect(ada.received.slice(-3)).toEqual(['"bob left, 2"', '"cleo left, 1"', '"cleo joined, 2"']);
  });

  test("a presence handler that fails is logged, and members are known all the same", async () => {
    const adapter = new MemoryBroadcastAdapter();
    let isDead = false;
    const dying: BroadcastAdapter = {
      publish: async (channel, message) => {
        if (!isDead) await adapter.publish(channel, message);
      },
      subscribe: (channel, receive) => adapter.subscribe(channel, receive),
    };
    const [cluster, dyingCluster] = [new Cluster(adapter), new Cluster(dying)];
    const { rooms, logger } = await cluster.start({
      presence({ member }) {
        if (member.data.name !== "ada") throw new Error(`no presence of ${member.data.name}`);
      },
    });
    const other = await dyingCluster.start({});
    await rooms.join(new Client().socket, "lobby", { name: "ada" });
    await cluster.settle();
    for (const name of ["bob", "cleo"]) {
      await other.rooms.join(new Client().socket, "lobby", { name });
    }
    expect(await cluster.names(rooms)).toEqual(["ada", "bob", "cleo"]);
    // They leave in the timer of a heartbeat, where an error would end the process.
    isDead = true;
    await cluster.clock.advance(65_000);
    expect(await cluster.names(rooms)).toEqual(["ada"]);
    // They come back in a list.
    isDead = false;
    await dyingCluster.clock.advance(16_000);
    await dyingCluster.settle();
    expect(await cluster.names(rooms)).toEqual(["ada", "bob", "cleo"]);
    const names = ["bob", "cleo", "bob", "cleo", "bob", "cleo"];
    expect(logger.lines).toMatchObject(
      names.map((name) => ({
        level: "error",
        message: "The presence handler of a room failed.",
        room: "lobby",
        error: { message: `no presence of ${name}` },
      })),
    );
  });

  test("a presence handler may be async, and its rejection is logged", async () => {
    const cluster = new Cluster();
    const { rooms, logger } = await cluster.start({
      async presence({ member }) {
        await Promise.resolve();
        if (member.data.name === "bob") throw new Error("no presence of bob");
        return member.data.name === "cleo" ? undefined : { joined: member.data.name };
      },
    });
    const ada = new Client();
    await rooms.join(ada.socket, "lobby", { name: "ada" });
    for (const name of ["bob", "cleo", "dan"]) {
      await rooms.join(new Client().socket, "lobby", { name });
    }
    await cluster.settle();
    expect(ada.received).toEqual(['{"joined":"ada"}', '{"joined":"dan"}']);
    expect(logger.lines).toMatchObject([
      { level: "error", error: { message: "no presence of bob" } },
    ]);
  });

  test("messages that a client sends before its room is subscribed reach the room in order", async () => {
    const memory = new MemoryBroadcastAdapter();
    const app = new Application({ host: "127.0.0.1", logger: createRecordingLogger() });
    app.useBroadcast({
      publish: (channel, message) => memory.publish(channel, message),
      async subscribe(channel, receive) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        return memory.subscribe(channel, receive);
      },
    });
    const rooms = new Rooms(app, {
      handlers: { message: (_client, text, room) => room.send(text) },
    });
    app.getRouter().get("/", (ctx) => rooms.upgrade(ctx, "lobby", null));
    const { url } = await app.listen({ port: 0, gracefulSignals: false });
    const socket = new WebSocket(url.replace("http", "ws"));
    const received: unknown[] = [];
    socket.addEventListener("message", ({ data }) => void received.push(data));
    socket.addEventListener("open", () => {
      for (const text of ["1", "2", "3"]) socket.send(text);
    });
    await expect.poll(() => received.length).toBe(3);
    socket.send("4");
    await expect.poll(() => received).toEqual(["1", "2", "3", "4"]);
    await app.stop();
  });

  test("a change that was lost is noticed with the next one, or the next sign of life", async () => {
    const adapter = new MemoryBroadcastAdapter();
    let isLossy = false;
    const lossy: BroadcastAdapter = {
      publish: async (channel, message) => {
        if (!isLossy) await adapter.publish(channel, message);
      },
      subscribe: (channel, receive) => adapter.subscribe(channel, receive),
    };
    const [cluster, lossyCluster] = [new Cluster(adapter), new Cluster(lossy)];
    const [one, two] = [await cluster.start(), await lossyCluster.start()];
    const settle = async (): Promise<void> => {
      await cluster.settle();
      await lossyCluster.settle();
    };
    const [ada, bob, cleo, dan] = [new Client(), new Client(), new Client(), new Client()];
    await one.rooms.join(ada.socket, "lobby", { name: "ada" });
    await two.rooms.join(bob.socket, "lobby", { name: "bob" });
    await two.rooms.join(dan.socket, "lobby", { name: "dan" });
    await settle();
    isLossy = true;
    await two.rooms.leave(bob.socket, "lobby");
    await two.rooms.join(cleo.socket, "lobby", { name: "cleo" });
    isLossy = false;
    expect(await cluster.names(one.rooms)).toEqual(["ada", "bob", "dan"]);
    await lossyCluster.clock.advance(15_000);
    expect(await cluster.names(one.rooms)).toEqual(["ada", "dan", "cleo"]);
  });

  test("a room of 300 members is listed in parts", async () => {
    const sizes: number[] = [];
    const memory = new MemoryBroadcastAdapter();
    const cluster = new Cluster({
      publish: (channel, message) => {
        sizes.push(message.length);
        return memory.publish(channel, message);
      },
      subscribe: (channel, receive) => memory.subscribe(channel, receive),
    });
    const [one, two] = [await cluster.start(), await cluster.start()];
    for (let index = 0; index < 300; index += 1) {
      await one.rooms.join(new Client().socket, "lobby", { name: "x".repeat(100) + index });
    }
    expect(await cluster.names(two.rooms)).toHaveLength(300);
    expect(Math.max(...sizes)).toBeLessThan(7000);
  });

  test("no more than 1,000 rooms are followed because their members were asked for", async () => {
    const memory = new MemoryBroadcastAdapter();
    let subscriptions = 0;
    const cluster = new Cluster({
      publish: (channel, message) => memory.publish(channel, message),
      subscribe(channel, receive) {
        subscriptions += 1;
        const unsubscribe = memory.subscribe(channel, receive);
        return () => {
          subscriptions -= 1;
          unsubscribe();
        };
      },
    });
    const { rooms } = await cluster.start();
    const other = await cluster.start();
    await other.rooms.join(new Client().socket, "room 1400", { name: "ada" });
    const before = subscriptions;
    const listing = Array.from({ length: 1_500 }, (_, index) => rooms.members(`room ${index}`));
    await cluster.settle();
    const lists = await Promise.all(listing);
    expect(lists.filter((list) => list.length > 0)).toEqual([lists[1400]]);
    expect(subscriptions - before).toBe(1_000);
    // Two calls for a room that is not followed: neither ends the other.
    expect(
      await Promise.all([cluster.names(rooms, "room 1400"), cluster.names(rooms, "room 1400")]),
    ).toEqual([["ada"], ["ada"]]);
    await cluster.clock.advance(90_000);
    expect(subscriptions - before).toBe(0);
    expect(await cluster.names(rooms, "room 1400")).toEqual(["ada"]);
    expect(subscriptions - before).toBe(1);
  });

  test("join rejects while the adapter fails, and works again afterwards", async () => {
    const memory = new MemoryBroadcastAdapter();
    let isBroken = true;
    const cluster = new Cluster({
      publish: (channel, message) => memory.publish(channel, message),
      subscribe: (channel, receive) => {
        if (isBroken) throw new Error("connection refused");
        return memory.subscribe(channel, receive);
      },
    });
    const { rooms } = await cluster.start();
    const ada = new Client();
    await expect(rooms.join(ada.socket, "lobby", { name: "ada" })).rejects.toMatchObject({
      status: 503,
    });
    await expect(rooms.members("lobby")).rejects.toMatchObject({ status: 503 });
    isBroken = false;
    await rooms.join(ada.socket, "lobby", { name: "ada" });
    await rooms.send("lobby", "hello");
    expect(ada.received).toEqual(['"ada joined, 1"', "hello"]);
  });

  test("nothing is left when all members have left", async () => {
    const cluster = new Cluster();
    const { rooms, app } = await cluster.start();
    const ada = new Client();
    await rooms.join(ada.socket, "lobby", { name: "ada" });
    await cluster.settle();
    await rooms.leave(ada.socket, "lobby");
    await cluster.clock.advance(15_000);
    expect(cluster.clock.pendingTimers).toBe(0);
    await app.stop();
  });

  test("a connection that is closed already leaves no room behind", async () => {
    const cluster = new Cluster();
    const { rooms } = await cluster.start();
    const ada = new Client();
    ada.socket.close();
    await rooms.join(ada.socket, "lobby", { name: "ada" });
    expect(cluster.clock.pendingTimers).toBe(0);
    expect(await cluster.names(rooms)).toEqual([]);
  });

  test.each(["", "x".repeat(201), "\ud800"])("the name %j of a client is a 400", async (name) => {
    const { rooms, app } = await new Cluster().start();
    const { socket } = new Client();
    const ctx = {} as RequestContext<object>; // not used before the name is checked
    const calls = [
      () => rooms.upgrade(ctx, name, { name: "ada" }),
      () => rooms.join(socket, name, { name: "ada" }),
      () => rooms.send(name, "hello"),
      () => rooms.sendJson(name, "hello"),
      () => rooms.members(name),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining("1 to 200 characters"),
      });
    }
    await expect(rooms.members(7 as never)).rejects.toMatchObject({
      code: "ERR_WEBSOCKET_BAD_OPTION",
    });
    await app.stop();
  });

  test("a Durable Object that fails is a 503 and is logged, each for its own room", async () => {
    const fail = (): Promise<never> => Promise.reject(new Error("overloaded"));
    const namespace = {
      idFromName: (name: string) => name,
      get: (id: { toString(): string }) => ({
        fetch: id.toString() === "busy" ? fail : async () => Response.json([]),
      }),
    };
    const logger = createRecordingLogger();
    const rooms = new Rooms(new Application({ logger }), { namespace: () => namespace });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(rooms.members("busy")).rejects.toMatchObject({ status: 503 });
    }
    expect(logger.lines).toHaveLength(10);
    expect(logger.lines[0]).toMatchObject({
      level: "warn",
      message: "A call of the Durable Object of the room failed.",
      error: { code: "ERR_STORE_FAILED", cause: { message: "overloaded" } },
    });
    await expect(rooms.send("busy", "hello")).rejects.toMatchObject({ status: 503 });
    expect(await rooms.members("idle")).toEqual([]);
  });

  test("a Durable Object that hangs is a 503 after a second", async () => {
    const hang = { fetch: () => new Promise<never>(() => {}) };
    const namespace = { idFromName: (name: string) => name, get: () => hang };
    const rooms = new Rooms(new Application({ logger: createRecordingLogger() }), {
      namespace: () => namespace,
    });
    await expect(rooms.members("lobby")).rejects.toMatchObject({ status: 503 });
  });

  test("a Durable Object has timeoutMs for a call", async () => {
    const clock = new FakeClock();
    const hang = { fetch: () => new Promise<never>(() => {}) };
    const namespace = { idFromName: (name: string) => name, get: () => hang };
    const rooms = new Rooms(new Application({ logger: createRecordingLogger() }), {
      namespace: () => namespace,
      timeoutMs: 5_000,
      clock,
    });
    let failure: { message?: string } = {};
    const done = rooms.members("lobby").catch((error: Error) => {
      failure = error;
    });
    await clock.advance(4_999);
    expect(failure).toEqual({});
    await clock.advance(1);
    await done;
    expect(failure.message).toContain("did not respond within 5000 ms");
  });

  test("a WebSocket that a Durable Object returns after the deadline is closed", async () => {
    const clock = new FakeClock();
    const events: unknown[] = [];
    const webSocket = {
      accept: () => void events.push("accept"),
      close: (...given: unknown[]) => void events.push(given),
      addEventListener() {},
    };
    let respond = (_response: object): void => {};
    const slow = { fetch: () => new Promise<never>((resolve) => (respond = resolve as never)) };
    const namespace = { idFromName: (name: string) => name, get: () => slow };
    const app = new Application({ logger: createRecordingLogger() });
    const rooms = new Rooms(app, { namespace: () => namespace, clock });
    app.getRouter().get("/", (ctx) => rooms.upgrade(ctx, "lobby", null));
    const headers = {
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const response = app.request("/", { headers });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await clock.advance(1_000);
    expect((await response).status).toBe(503);
    expect(events).toEqual([]);
    respond({ status: 101, webSocket });
    await clock.advance(0);
    expect(events).toEqual(["accept", [1013, "The room did not respond in time."]]);
  });

  test("refuses wrong data and options", async () => {
    const { rooms, app } = await new Cluster().start();
    const { socket } = new Client();
    await expect(rooms.join(socket, "lobby", { name: "x".repeat(1024) })).rejects.toThrow(
      'The option "data" of Rooms must be JSON of at most 1024 characters',
    );
    expect(() => new Rooms(app, { heartbeatMs: 1 })).toThrow("an integer of at least 100");
    expect(() => new Rooms(app, { timeoutMs: 0 })).toThrow('"timeoutMs" of Rooms must be');
    expect(() => new Rooms(app, { heartbeat: 1 } as never)).toThrow('Did you mean "heartbeatMs"?');
  });
});
