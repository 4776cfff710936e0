import { connect, type Socket } from "node:net";
import { AnswerReader } from "../wire.ts";
import { lastMessage } from "./application.ts";
import { frame } from "./frames.ts";

/** Timeout of a response, for a machine under load. */
const timeoutMs = 20_000;

/** A connection over which inputs are sent one after the other; it is opened again when the server closes it. */
export class Connection {
  readonly #port: number;
  readonly #handshake: string;
  readonly #isDone: () => (chunk: Buffer) => boolean;
  #socket: Socket | undefined;

  /**
   * @param handshake bytes to send first, which the server answers with a head; none if empty
   * @param isDone creates a function that reads the response to one input, and returns true at its end
   */
  constructor(port: number, handshake: string, isDone: () => (chunk: Buffer) => boolean) {
    this.#port = port;
    this.#handshake = handshake;
    this.#isDone = isDone;
  }

  /** Sends an input, and resolves when it was responded to or the server has closed the connection. */
  async send(bytes: Uint8Array): Promise<void> {
    this.#socket ??= await this.#open();
    await this.#exchange(this.#socket, bytes, this.#isDone());
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #open(): Promise<Socket> {
    const socket = connect(this.#port, "127.0.0.1");
    socket.setNoDelay(true);
    socket.on("error", () => {}); // a close follows
    socket.on("close", () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    if (this.#handshake !== "") {
      const isHead = (chunk: Buffer): boolean => chunk.includes("\r\n\r\n");
      await this.#exchange(socket, Buffer.from(this.#handshake), isHead);
    }
    return socket;
  }

  #exchange(socket: Socket, bytes: Uint8Array, isDone: (chunk: Buffer) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        socket.off("data", read).off("close", finish);
        resolve();
      };
      const timer = setTimeout(() => {
        const start = Buffer.from(bytes).toString("latin1", 0, 200);
        reject(new Error(`No response within ${timeoutMs} ms to ${JSON.stringify(start)}`));
      }, timeoutMs);
      const read = (chunk: Buffer): void => {
        if (!isDone(chunk)) return;
        finish();
      };
      socket.on("data", read).on("close", finish);
      if (socket.destroyed) finish();
      else socket.write(bytes);
    });
  }
}

/** Opens a connection for requests. */
export function connectHttp(port: number): Connection {
  return new Connection(port, "", () => {
    const reader = new AnswerReader();
    return (chunk) => {
      reader.add(chunk);
      const answer = reader.next("GET", false);
      // A server that closes the connection is waited for: the next input would be lost in it.
      return answer !== undefined && answer.headers.get("connection")?.[0] !== "close";
    };
  });
}

/** Opens a WebSocket; each input is followed by a message that the application replies to. */
export function connectWebSocket(port: number): Connection {
  const lines = [
    "GET /socket HTTP/1.1",
    "Host: a",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const connection = new Connection(port, `${lines.join("\r\n")}\r\n\r\n`, () => {
    let received = "";
    return (chunk) => {
      received = received.slice(-lastMessage.length) + chunk.toString("latin1");
      return received.includes(lastMessage);
    };
  });
  const end = Buffer.from(frame(0x81, lastMessage), "latin1");
  const send = connection.send.bind(connection);
  connection.send = (bytes) => send(Buffer.concat([bytes, end]));
  return connection;
}
