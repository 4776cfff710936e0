import type { SocketData, SocketListener, SocketTransport } from "./contract.ts";
import { PendingMessages } from "./pending-messages.ts";

/** The part of the server-side `WebSocket` that Workers and Deno share. */
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

/** Memory of a message that waits on Deno, beside its data, in bytes. */
const messageBytes = 1_024;

/** Forwards the events of a web-standard socket to the listener. */
export function forwardEvents(
  socket: ServerWebSocket,
  listener: SocketListener,
  holdsServer: boolean,
): SocketTransport {
  // Otherwise binary messages may arrive as a Blob, which can only be read asynchronously.
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }: { data: string | ArrayBuffer }) => {
    listener.received(typeof data === "string" ? data : new Uint8Array(data));
  });
  socket.addEventListener("close", ({ code, reason }: ClosingEvent) => {
    // On Workers we must complete the closing handshake; elsewhere it is already complete.
    quietly(() => socket.close(code === 1005 ? 1000 : code, reason));
    // Deno has 0 for a connection that was cut off.
    listener.closed(code === 0 ? 1006 : code, reason);
  });
  socket.addEventListener("error", (event: { error?: unknown; message?: string }) => {
    listener.failed(event.error ?? new Error(event.message ?? "The WebSocket failed."));
  });
  const pending = new PendingMessages();
  return {
    send(data) {
      const before = socket.bufferedAmount;
      socket.send(data);
      // Undefined on Workers.
      if (before !== undefined) pending.add(before, socket.bufferedAmount ?? before);
    },
    close: (code, reason) => socket.close(code, reason),
    // Web-standard sockets have no terminate().
    terminate: () => quietly(() => socket.close(1001)),
    holdsServer,
    bufferedBytes: () => socket.bufferedAmount ?? 0,
    overheadBytes: () => pending.count(socket.bufferedAmount ?? 0) * messageBytes,
  };
}

function quietly(close: () => void): void {
  try {
    close();
  } catch {
    // Already closed, or the code cannot be sent.
  }
}
