import { type Frame, opcodes } from "./frame.ts";

/** A message or a pong that the server sends. */
export interface Reply {
  readonly kind: "text" | "binary" | "pong";
  readonly payload: Buffer;
}

/** How a connection ends. */
export type Ending =
  /** The client closes with 1000, and the server completes the closing handshake. */
  | { readonly by: "client" }
  /** The server replies to the close frame of the case, with one of these codes or without a code. */
  | { readonly by: "handshake"; readonly codes: readonly number[] }
  /** The server fails the connection: it sends a close frame with one of these codes, or none. */
  | { readonly by: "server"; readonly codes: readonly number[] };

/** Frames of a client, and what RFC 6455 requires of the server. */
export interface FrameCase {
  readonly group: string;
  readonly title: string;
  /** Frames, and pauses in milliseconds. */
  readonly steps: readonly (Frame | number)[];
  /** Sends the bytes in pieces of this size. */
  readonly pieceBytes?: number;
  /** Offers this value of Sec-WebSocket-Extensions; the messages are compressed if the server accepts. */
  readonly extension?: string;
  /** In the order of the client's messages. A server that fails the connection may omit them. */
  readonly replies: readonly Reply[];
  readonly ending: Ending;
}

export const byClient: Ending = { by: "client" };
export const protocolError: Ending = { by: "server", codes: [1002] };

export const text = (value: string | Buffer, more: Partial<Frame> = {}): Frame => {
  return { opcode: opcodes.text, payload: Buffer.from(value), ...more };
};
export const binary = (value: Buffer, more: Partial<Frame> = {}): Frame => {
  return { opcode: opcodes.binary, payload: value, ...more };
};
export const more = (value: string | Buffer, fin = false): Frame => {
  return { opcode: opcodes.more, payload: Buffer.from(value), fin };
};
export const ping = (value: string | Buffer = "", rest: Partial<Frame> = {}): Frame => {
  return { opcode: opcodes.ping, payload: Buffer.from(value), ...rest };
};
export const pong = (value: string | Buffer = "", rest: Partial<Frame> = {}): Frame => {
  return { opcode: opcodes.pong, payload: Buffer.from(value), ...rest };
};

/** Creates a close frame; without a code, one without a payload. */
export function close(code?: number, reason: string | Buffer = ""): Frame {
  if (code === undefined) return { opcode: opcodes.close };
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return { opcode: opcodes.close, payload: Buffer.concat([head, Buffer.from(reason)]) };
}

export const textReply = (value: string | Buffer): Reply => {
  return { kind: "text", payload: Buffer.from(value) };
};
export const binaryReply = (payload: Buffer): Reply => ({ kind: "binary", payload });
export const pongReply = (value: string | Buffer = ""): Reply => {
  return { kind: "pong", payload: Buffer.from(value) };
};
