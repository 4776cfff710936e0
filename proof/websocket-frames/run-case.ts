import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { compress, decodeFrame, decompress, encodeFrame, type Frame, opcodes } from "./frame.ts";
import { close, type FrameCase, type Reply } from "./frame-case.ts";

/** Time for the server to send its replies, or to end the connection, in milliseconds. */
const limitMs = 5_000;
/** Time for a server to close a connection that it has failed. */
const closeLimitMs = 2_000;

/** Replies of the server on one connection, and how it ended. */
export interface Conversation {
  readonly replies: readonly Reply[];
  /** Code of the close frame; 1005 without a code, undefined without a close frame. */
  readonly closeCode: number | undefined;
  readonly hasEnded: boolean;
  readonly isCompressed: boolean;
  /** Violation of RFC 6455 by the server. */
  readonly violation: string | undefined;
}

/** Opens a connection, sends the frames of a case, and returns what the server did. */
export async function runCase(port: number, given: FrameCase): Promise<Conversation> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const reader = new ServerFrames(socket);
  try {
    socket.write(handshake(port, given.extension));
    await reader.until(() => reader.isOpen || reader.hasEnded);
    if (!reader.isOpen) return reader.result();
    for (const step of given.steps) {
      if (typeof step === "number") await new Promise((resolve) => setTimeout(resolve, step));
      else await send(socket, encodeFrame(reader.isCompressed ? compressed(step) : step), given);
    }
    if (given.ending.by === "client") {
      await reader.until(() => reader.replies.length >= given.replies.length || reader.isClosing);
      if (!reader.isClosing) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        socket.write(encodeFrame(close(1000)));
      }
    }
    const isDecided = (): boolean =>
      reader.isClosing || reader.replies.length > given.replies.length;
    await reader.until(isDecided);
    // A server that has failed the connection waits for the client's close frame.
    if (given.ending.by === "server" && !reader.hasEnded) socket.write(encodeFrame(close(1000)));
    await reader.until(() => reader.hasEnded, closeLimitMs);
    return reader.result();
  } finally {
    socket.destroy();
  }
}

function handshake(port: number, extension: string | undefined): string {
  const lines = [
    "GET / HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${key}`,
    ...(extension === undefined ? [] : [`Sec-WebSocket-Extensions: ${extension}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

const key = Buffer.from("sixteen bytes, 1").toString("base64");
/** RFC 6455, section 4.2.2. */
const acceptValue = createHash("sha1")
  .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
  .digest("base64");

/** Compresses a message. Returns control frames, fragments and prepared frames unchanged. */
function compressed(frame: Frame): Frame {
  const isMessage = frame.opcode === opcodes.text || frame.opcode === opcodes.binary;
  if (!isMessage || frame.rsv !== undefined) return frame;
  return { ...frame, payload: compress(frame.payload ?? Buffer.alloc(0)), rsv: 4 };
}

async function send(socket: Socket, bytes: Buffer, { pieceBytes }: FrameCase): Promise<void> {
  if (socket.destroyed) return;
  if (pieceBytes === undefined) {
    socket.write(bytes);
    return;
  }
  for (let at = 0; at < bytes.length && !socket.destroyed; at += pieceBytes) {
    socket.write(bytes.subarray(at, at + pieceBytes));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Reads the server's handshake and frames. */
class ServerFrames {
  readonly replies: Reply[] = [];
  isOpen = false;
  isCompressed = false;
  hasEnded = false;
  #closeCode: number | undefined;
  #violation: string | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #message: { opcode: number; rsv: number; parts: Buffer[] } | undefined;
  #onChange = (): void => {};

  constructor(socket: Socket) {
    socket.on("data", (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      try {
        this.#read();
      } catch (error) {
        this.#violation ??= error instanceof Error ? error.message : String(error);
      }
      this.#onChange();
    });
    const end = (): void => {
      this.hasEnded = true;
      this.#onChange();
    };
    socket.on("end", end).on("close", end).on("error", end);
  }

  /** `true` once the server has sent a close frame, broken a rule, or ended the connection. */
  get isClosing(): boolean {
    return this.#closeCode !== undefined || this.#violation !== undefined || this.hasEnded;
  }

  /** Waits until a condition holds, at most `timeoutMs`. */
  until(holds: () => boolean, timeoutMs: number = limitMs): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#onChange = () => {};
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      this.#onChange = () => {
        if (holds()) finish();
      };
      this.#onChange();
    });
  }

  result(): Conversation {
    const { replies, hasEnded, isCompressed } = this;
    const violation = this.#violation ?? (this.isOpen ? undefined : "the handshake was refused");
    return { replies, closeCode: this.#closeCode, hasEnded, isCompressed, violation };
  }

  #read(): void {
    if (!this.isOpen) this.#readHandshake();
    while (this.isOpen) {
      const frame = decodeFrame(this.#bytes);
      if (frame === undefined) return;
      this.#bytes = this.#bytes.subarray(frame.end);
      if (this.#closeCode !== undefined) throw new Error("the server sends after its close frame");
      this.#take(frame);
    }
  }

  #readHandshake(): void {
    const end = this.#bytes.indexOf("\r\n\r\n");
    if (end === -1) return;
    const head = this.#bytes.toString("latin1", 0, end);
    this.#bytes = this.#bytes.subarray(end + 4);
    const header = (name: string) => new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1];
    if (!head.startsWith("HTTP/1.1 101 "))
      throw new Error(`the handshake got ${head.slice(0, 30)}`);
    if (header("sec-websocket-accept") !== acceptValue) throw new Error("a wrong accept value");
    this.isCompressed = header("sec-websocket-extensions")?.includes("permessage-deflate") === true;
    this.isOpen = true;
  }

  #take({ opcode, payload, fin, rsv }: NonNullable<ReturnType<typeof decodeFrame>>): void {
    if (opcode === opcodes.close) {
      this.#closeCode = payload.length < 2 ? 1005 : payload.readUInt16BE(0);
      return;
    }
    if (opcode === opcodes.pong) {
      this.replies.push({ kind: "pong", payload });
      return;
    }
    if (opcode === opcodes.ping) return;
    if (opcode === opcodes.more) {
      if (this.#message === undefined) throw new Error("the server sends a lost fragment");
    } else {
      if (this.#message !== undefined) throw new Error("the server interleaves messages");
      if (rsv !== 0 && !(this.isCompressed && rsv === 4)) throw new Error("reserved bits are set");
      this.#message = { opcode, rsv, parts: [] };
    }
    this.#message.parts.push(payload);
    if (!fin) return;
    const whole = Buffer.concat(this.#message.parts);
    const content = this.#message.rsv === 4 ? decompress(whole) : whole;
    const kind = this.#message.opcode === opcodes.text ? "text" : "binary";
    this.#message = undefined;
    this.replies.push({ kind, payload: content });
  }
}
