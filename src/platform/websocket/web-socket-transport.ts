import type { SocketData, SocketListener, SocketTransport } from "./contract.ts";

/** The part of a `WebSocket` that Workers and Deno both give to servers. */
export interface ServerWebSocket {
  binaryType?: string;
  readonly bufferedAmount?: number;
  send(data: SocketData): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: never) => void): void;
}

interface ClosingEvent {
  readonly code: number;
  readonly reason: string;
}

/** Tells the listener what the events of a web-standard socket say. */
export function forwardEvents(
  socket: ServerWebSocket,
  listener: SocketListener,
  holdsServer: boolean,
): SocketTransport {
  // Otherwise bytes may come as a Blob, whose bytes are there only later.
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }: { data: string | ArrayBuffer }) => {
    listener.received(typeof data === "string" ? data : new Uint8Array(data));
  });
  socket.addEventListener("close", ({ code, reason }: ClosingEvent) => {
    // Workers leave the second half of the closing handshake to us; elsewhere it is over.
    quietly(() => socket.close(code === 1005 ? 1000 : code, reason));
    listener.closed(code, reason);
  });
  socket.addEventListener("error", (event: { error?: unknown; message?: string }) => {
    listener.failed(event.error ?? new Error(event.message ?? "The WebSocket failed."));
  });
  return {
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    // There is no other way to end a web-standard socket.
    terminate: () => quietly(() => socket.close(1001)),
    holdsServer,
    bufferedBytes: () => socket.bufferedAmount ?? 0,
  };
}

function quietly(close: () => void): void {
  try {
    close();
  } catch {
    // It is closed already, or by a code that cannot be sent.
  }
}
