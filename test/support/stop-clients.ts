import { connect, type Socket } from "node:net";

/** A client of a server that is about to stop. */
export interface StopClient {
  readonly socket: Socket;
  /** Received bytes so far, as Latin-1. */
  readonly received: () => string;
  /** Resolves when the connection has ended, to all that has come and to when, by `performance.now()`. */
  readonly closed: Promise<{ readonly received: string; readonly at: number }>;
}

export interface StopClientOptions {
  /** Reads no faster than this; default as fast as it comes. */
  readonly bytesPerSecond?: number;
}

/** Connects, sends bytes, and stays. Without any bytes it is a silent client. */
export async function openClient(
  port: number,
  bytes: string,
  { bytesPerSecond = Number.POSITIVE_INFINITY }: StopClientOptions = {},
): Promise<StopClient> {
  const socket = connect({ port, host: "127.0.0.1" });
  const chunks: Buffer[] = [];
  const received = (): string => Buffer.concat(chunks).toString("latin1");
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    if (!Number.isFinite(bytesPerSecond)) return;
    socket.pause();
    setTimeout(() => socket.resume(), (chunk.length / bytesPerSecond) * 1_000);
  });
  // A reset is an end like any other.
  socket.on("error", () => {});
  const closed = new Promise<{ received: string; at: number }>((resolve) => {
    socket.on("close", () => resolve({ received: received(), at: performance.now() }));
  });
  await new Promise<void>((resolve) => socket.on("connect", () => resolve()));
  if (bytes !== "") socket.write(bytes);
  return { socket, received, closed };
}

/** The bytes of a GET over HTTP/1.1. */
export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Client whose head never ends. */
export const halfHead = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: ";

/** Client whose body never ends. */
export const halfBody =
  "POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
  'Content-Length: 100\r\n\r\n{"a":';

/** A WebSocket handshake; what it never does is to answer a close frame. */
export const handshake =
  "GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/** Returns whether a response to GET over HTTP/1.1 is complete by its own framing. */
export function isComplete(response: string): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const head = response.slice(0, end).toLowerCase();
  const body = response.slice(end + 4);
  const length = /^content-length: (\d+)$/m.exec(head.replaceAll("\r", ""));
  if (length !== null) return body.length === Number(length[1]);
  return head.includes("transfer-encoding: chunked") && body.endsWith("0\r\n\r\n");
}
