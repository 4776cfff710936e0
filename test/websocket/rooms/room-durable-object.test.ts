import { HttpError } from "espalier";
import { expect, test, vi } from "vitest";
import type { HibernatingSocket } from "../../../src/platform/cloudflare/durable-object-types.ts";
import { RoomDurableObject } from "../../../src/platform/cloudflare/room-durable-object.ts";
import type { RoomHandlers } from "../../../src/websocket/rooms/room-types.ts";

/** A connection of a member. */
class FakeSocket implements HibernatingSocket {
  readyState = 1;
  readonly closed: unknown[] = [];
  #attachment: unknown = {
    id: "1",
    data: null,
    joinedAtMs: 0,
    room: "hall",
    maxMessageBytes: 100,
  };

  send(): void {}

  close(code: number, reason: string): void {
    this.readyState = 2;
    this.closed.push([code, reason]);
  }

  serializeAttachment(value: unknown): void {
    this.#attachment = value;
  }

  deserializeAttachment(): unknown {
    return this.#attachment;
  }
}

function createRoom(handlers: RoomHandlers) {
  const socket = new FakeSocket();
  class TestRoom extends RoomDurableObject {
    override readonly handlers = handlers;
  }
  const room = new TestRoom({ acceptWebSocket() {}, getWebSockets: () => [socket] });
  return { room, socket };
}

const failingPresence = (): never => {
  throw new Error("the presence handler failed");
};

test("an error of presence is logged, and does not replace that of the message handler", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const { room, socket } = createRoom({
    message() {
      throw new Error("the message handler failed");
    },
    presence: failingPresence,
  });
  await expect(room.webSocketMessage(socket, "hello")).rejects.toThrow(
    "the message handler failed",
  );
  expect(socket.closed).toEqual([[1011, "Unexpected error."]]);
  expect(log).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining("the presence handler failed"),
  );
  log.mockRestore();
});

test("an HttpError of the message handler closes with 1008, and is not reported to the platform", async () => {
  const { room, socket } = createRoom({
    async message() {
      throw new HttpError(422, "The text is too long.");
    },
  });
  await room.webSocketMessage(socket, "hello");
  expect(socket.closed).toEqual([[1008, "The text is too long."]]);
});

test("a presence handler that rejects is logged", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const { room, socket } = createRoom({
    presence: async () => failingPresence(),
  });
  room.webSocketClose(socket, 1000, "");
  await vi.waitFor(() => {
    expect(log).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("the presence handler failed"),
    );
  });
  log.mockRestore();
});

test.each(["client", "room"] as const)("sendJson of a %s refuses a promise", async (of) => {
  const errors: unknown[] = [];
  const { room, socket } = createRoom({
    async message(client, _data, hall) {
      const to = of === "client" ? client : hall;
      try {
        await to.sendJson(Promise.resolve(1));
      } catch (error) {
        errors.push(error);
      }
    },
  });
  await room.webSocketMessage(socket, "hello");
  expect(errors).toMatchObject([{ code: "ERR_HTTP_NOT_SERIALIZABLE" }]);
});
