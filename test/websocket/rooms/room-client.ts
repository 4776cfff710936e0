/** A client of a room, and what it has received. */
export interface RoomTestClient {
  readonly received: unknown[];
  readonly socket: WebSocket;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Connects to a room. */
export async function enterRoom(
  base: string,
  room: string,
  name: string,
  protocols: string[] = [],
): Promise<RoomTestClient> {
  const url = new URL(`/rooms/${room}?name=${name}`, base.replace("http", "ws"));
  const socket = new WebSocket(url, protocols);
  socket.binaryType = "arraybuffer";
  const received: unknown[] = [];
  socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== "string") received.push([...new Uint8Array(data)]);
    else received.push(data.startsWith("{") ? JSON.parse(data) : data);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error("The connection failed.")));
  });
  return { received, socket, closed };
}
