import { Application, HttpError, StoreError, ValidationError } from "espalier";
import { upgradeWebSocket, type WebSocketHandlers } from "espalier/websocket";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { FakeSocket } from "./support/fake-socket.ts";
import { listenOnBun, listenOnDeno } from "./support/platform-servers.ts";

afterEach(() => void vi.unstubAllGlobals());

/** Events of a connection that a handler received, in order. */
function record(told: unknown[]): WebSocketHandlers {
  return {
    open: (socket) => {
      told.push(["open", socket.protocol, socket.bufferedBytes]);
      socket.send("hello");
    },
    message: (socket, data) => {
      told.push(["message", data]);
      socket.send(data);
    },
    close: (_socket, { code, reason }) => void told.push(["close", code, reason]),
    error: (_socket, error) => void told.push(["error", String(error)]),
  };
}

function createApp(told: unknown[] = [], handlers: WebSocketHandlers = record(told)) {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  app.use(async (_ctx, next) => {
    const response = await next();
    response.headers.set("x-outer", "1");
    return response;
  });
  app.getRouter().get("/", (ctx) => upgradeWebSocket(ctx, handlers, { protocols: ["chat"] }));
  app.getRouter().get("/wrong", (ctx) => upgradeWebSocket(ctx, {}, { maxMessageBytes: 0.5 }));
  return { app, lines: logger.lines };
}

function handshake(headers: Readonly<Record<string, string>> = {}, path = "/"): Request {
  return new Request(`http://localhost${path}`, {
    headers: {
      connection: "keep-alive, Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    },
  });
}

const chat = { "sec-websocket-protocol": "other, chat" };

describe("workerd's pair of sockets", () => {
  /** A 101 cannot be constructed here: records its arguments. */
  function stubPair(server: FakeSocket): { readonly init: () => object | undefined } {
    let init: object | undefined;
    class WebSocketPair {
      readonly 0 = "the client's end";
      readonly 1 = server;
    }
    class WorkerResponse extends Response {
      constructor(body: BodyInit | null, given: ResponseInit = {}) {
        super(body, given.status === 101 ? { ...given, status: 200 } : given);
        if (given.status !== 101) return;
        init = given;
        Object.defineProperty(this, "status", { value: 101 });
      }
    }
    vi.stubGlobal("WebSocketPair", WebSocketPair);
    vi.stubGlobal("Response", WorkerResponse);
    return { init: () => init };
  }

  test("is accepted and opened, and one end is passed to the response", async () => {
    const told: unknown[] = [];
    const server = new FakeSocket();
    const { init } = stubPair(server);
    const response = await createApp(told).app.fetch(handshake(chat));
    expect(response.status).toBe(101);
    expect(init()).toMatchObject({ status: 101, webSocket: "the client's end" });
    expect(response.headers.get("sec-websocket-protocol")).toBe("chat");
    expect(response.headers.get("x-outer")).toBe("1");
    expect(server.calls).toEqual([["accept"], ["send", "hello"]]);
    expect(server.binaryType).toBe("arraybuffer");

    server.emit("message", { data: "text" });
    server.emit("message", { data: new Uint8Array([1, 2]).buffer });
    server.emit("error", { error: new TypeError("cut off") });
    server.emit("error", {});
    server.emit("close", { code: 4000, reason: "done" });
    // Events after the close are not reported.
    server.emit("message", { data: "late" });
    server.emit("error", { message: "late" });
    server.emit("close", { code: 1006, reason: "" });
    await vi.waitFor(() => expect(told).toHaveLength(6), { timeout: 10_000 });
    expect(told).toEqual([
      ["open", "chat", 0],
      ["message", "text"],
      ["message", new Uint8Array([1, 2])],
      ["error", "TypeError: cut off"],
      ["error", "Error: The WebSocket failed."],
      ["close", 4000, "done"],
    ]);
    // The framework completes the closing handshake there.
    expect(server.calls).toContainEqual(["close", 4000, "done"]);
  });

  test("responds to a close without a code with 1000", async () => {
    const server = new FakeSocket();
    stubPair(server);
    await createApp().app.fetch(handshake());
    server.emit("close", { code: 1005, reason: "" });
    expect(server.calls.at(-1)).toEqual(["close", 1000, ""]);
  });

  test("does not prevent an application from stopping, and is not closed again afterwards", async () => {
    const server = new FakeSocket();
    stubPair(server);
    const { app } = createApp();
    await app.fetch(handshake());
    await app.stop();
    expect(server.calls.filter(([call]) => call === "close")).toEqual([]);
  });
});

describe("Deno's upgrade", () => {
  test("runs last, and its response gets the headers of middleware", async () => {
    const told: unknown[] = [];
    const socket = new FakeSocket();
    socket.bufferedAmount = 7;
    const asked: unknown[] = [];
    const { app } = createApp(told);
    const answer = await listenOnDeno(app, (request: Request, options: object) => {
      asked.push([request.url, options]);
      const headers = { "sec-websocket-protocol": "chat", "x-deno": "1" };
      return { socket, response: new Response(null, { headers }) };
    });
    const response = await answer(handshake(chat));
    expect(asked).toEqual([["http://localhost/", { protocol: "chat" }]]);
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
      "sec-websocket-protocol": "chat",
      "x-deno": "1",
      "x-outer": "1",
    });
    expect(told).toEqual([]);
    socket.emit("open", {});
    await vi.waitFor(() => expect(told).toEqual([["open", "chat", 7]]), { timeout: 10_000 });

    await answer(handshake());
    expect(asked.at(-1)).toEqual(["http://localhost/", {}]);
  });

  test("terminates a connection at shutdown if the client does not respond", async () => {
    vi.useFakeTimers();
    try {
      const socket = new FakeSocket();
      const { app } = createApp();
      const answer = await listenOnDeno(app, () => ({ socket, response: new Response(null) }));
      await answer(handshake());
      socket.emit("open", {});
      const stopped = app.stop();
      await vi.waitFor(
        () => expect(socket.calls.at(-1)).toEqual(["close", 1001, "The server is shutting down."]),
        { timeout: 10_000 },
      );
      expect((await answer(handshake()))?.status).toBe(503);
      socket.close = () => {
        throw new Error("closed already");
      };
      await vi.advanceTimersByTimeAsync(1_000);
      await stopped;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("Bun's upgrade", () => {
  interface BunSocket {
    readonly data: unknown;
    send(data: unknown): number;
    close(code: number, reason: string): void;
    terminate(): void;
    getBufferedAmount(): number;
  }
  type Handlers = Readonly<Record<string, (socket: BunSocket, ...rest: unknown[]) => void>>;

  test("passes the listener and the headers to the server, and returns nothing", async () => {
    const told: unknown[] = [];
    const { app } = createApp(told);
    const given: { data?: unknown; headers?: Headers } = {};
    const { answer, websocket } = await listenOnBun(app, (_request, options) => {
      return Object.assign(given, options) !== null;
    });
    const handlers = websocket as Handlers;
    expect(await answer(handshake(chat))).toBeUndefined();
    expect(given.headers?.get("x-outer")).toBe("1");
    expect(given.headers?.get("sec-websocket-protocol")).toBe("chat");

    const calls: unknown[] = [];
    const socket: BunSocket = {
      data: given.data,
      send: (data) => calls.push(["send", data]),
      close: (code, reason) => void calls.push(["close", code, reason]),
      terminate: () => void calls.push(["terminate"]),
      getBufferedAmount: () => 3,
    };
    handlers["open"]?.(socket);
    handlers["message"]?.(socket, "text");
    await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 10_000 });
    expect(calls).toEqual([
      ["send", "hello"],
      ["send", "text"],
    ]);
    vi.useFakeTimers();
    const stopped = app.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    await stopped;
    vi.useRealTimers();
    expect(calls.slice(2)).toEqual([
      ["close", 1001, "The server is shutting down."],
      ["terminate"],
    ]);
    handlers["close"]?.(socket, 1006, "");
    await vi.waitFor(() => expect(told).toHaveLength(3), { timeout: 10_000 });
    expect(told).toEqual([
      ["open", "chat", 3],
      ["message", "text"],
      ["close", 1006, ""],
    ]);
  });

  test("is a 500 if the server does not upgrade", async () => {
    const { answer } = await listenOnBun(createApp().app, () => false);
    expect((await answer(handshake()))?.status).toBe(500);
  });
});

describe("everywhere", () => {
  test.each([
    ["http://localhost", "http", 500],
    // A proxy may have terminated TLS.
    ["https://localhost", "http", 500],
    ["https://localhost", "https", 500],
    // A page that someone in the network between has written.
    ["http://localhost", "https", 403],
    ["https://localhost:8443", "https", 403],
  ])("a page of %s that connects over %s gets a %i", async (origin, scheme, status) => {
    const { url, headers } = handshake({ origin });
    const request = new Request(url.replace("http", scheme), { headers });
    // The handshake is valid where it is a 500: this request has no connection to upgrade.
    expect((await createApp().app.fetch(request)).status).toBe(status);
  });

  test("only accepted requests are upgraded", async () => {
    const { app } = createApp();
    const never = vi.fn();
    app.middleware("refused", () => new Response("no", { status: 403 }));
    app.getRouter().get("/refused", () => new Response(), { middleware: ["refused"] });
    const answer = await listenOnDeno(app, never);
    expect((await answer(handshake({}, "/refused")))?.status).toBe(403);
    expect(never).not.toHaveBeenCalled();
  });

  test("without an upgrade function, the log names the supported servers", async () => {
    const { app, lines } = createApp();
    expect((await app.fetch(handshake())).status).toBe(500);
    expect(JSON.stringify(lines)).toContain("On Node, Deno and Bun use app.listen()");
  });

  test("an invalid limit is logged", async () => {
    const { app, lines } = createApp();
    expect((await app.fetch(handshake({}, "/wrong"))).status).toBe(500);
    expect(JSON.stringify(lines)).toContain(
      "of upgradeWebSocket must be a positive integer, got 0.5",
    );
  });

  test.each([
    [999, ""],
    [1004, ""],
    [1005, ""],
    [1006, ""],
    [1015, ""],
    [2999, ""],
    [5000, ""],
    [1000.5, ""],
    [1000, "r".repeat(124)],
    [1000, "ü".repeat(62)],
  ])("a connection is not closed with %d and %j", async (code, reason) => {
    const { socket, failures } = await openConnection((connection) =>
      connection.close(code, reason),
    );
    expect(failures).toEqual(["ERR_WEBSOCKET_BAD_OPTION"]);
    expect(socket.calls).toEqual([["close", 1011, "Unexpected error."]]);
  });

  test.each([
    [1000, "r".repeat(123)],
    [1014, ""],
    [3000, ""],
    [4999, ""],
  ])("but with %d and %j it is", async (code, reason) => {
    const { socket, failures } = await openConnection((connection) =>
      connection.close(code, reason),
    );
    expect(failures).toEqual([]);
    expect(socket.calls).toEqual([["close", code, reason]]);
  });

  test("bytes are sent as a separate view, and nothing is sent after the close", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(3)).fill(5);
    const { socket, failures } = await openConnection((connection) => {
      connection.send(new Uint8Array([9, 1, 2, 9]).subarray(1, 3));
      connection.send(new Uint8Array([3]).buffer);
      connection.send(shared);
      expect(connection.isOpen).toBe(true);
      connection.close();
      connection.close();
      connection.send("late");
      expect([connection.isOpen, connection.bufferedBytes]).toEqual([false, 0]);
    });
    expect(failures).toEqual([]);
    expect(socket.calls).toEqual([
      ["send", new Uint8Array([1, 2])],
      ["send", new Uint8Array([3])],
      ["send", new Uint8Array([5, 5, 5])],
      ["close", 1000, ""],
    ]);
  });

  const storeError = new StoreError("ERR_STORE_TIMEOUT", "The store did not respond.", {
    retryAfterMs: 1000,
  });

  test.each([
    [new HttpError(422, "The text is too long."), 1008, "The text is too long."],
    [new HttpError(400, "x".repeat(124)), 1008, ""],
    [new ValidationError([]), 1008, "One or more validation errors occurred."],
    [storeError, 1011, "Unexpected error."],
  ])(
    "what a client has caused, and a store has logged, is not logged: %s",
    async (error, ...close) => {
      const { socket, lines } = await openConnection(() => {
        throw error;
      });
      expect(socket.calls).toEqual([["close", ...close]]);
      expect(lines).toEqual([]);
    },
  );

  test.each([new Error("broken"), new HttpError(500, "broken"), "broken"])(
    "any other error is logged, and the client does not see it: %s",
    async (error) => {
      const { socket, lines } = await openConnection(() => {
        throw error;
      });
      expect(socket.calls).toEqual([["close", 1011, "Unexpected error."]]);
      expect(lines).toMatchObject([{ level: "error", message: "Background work failed" }]);
    },
  );

  async function openConnection(open: NonNullable<WebSocketHandlers["open"]>): Promise<{
    socket: FakeSocket;
    failures: readonly unknown[];
    lines: readonly unknown[];
  }> {
    const socket = new FakeSocket();
    const failures: unknown[] = [];
    const { app, lines } = createApp([], {
      open(connection) {
        try {
          return open(connection);
        } catch (error) {
          failures.push(error instanceof Error && "code" in error ? error.code : error);
          throw error;
        }
      },
    });
    const answer = await listenOnDeno(app, () => ({ socket, response: new Response(null) }));
    await answer(handshake());
    socket.emit("open", {});
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { socket, failures, lines };
  }
});
