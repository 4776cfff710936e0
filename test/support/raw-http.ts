import { connect } from "node:net";

/** Sends bytes over a new socket and returns the output until the server closes. */
export function exchange(
  port: number,
  request: string | Uint8Array,
  timeoutMs = 5000,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString("latin1"));
    });
  });
}

/** Returns the status of a raw response; undefined without one. */
export function statusOf(response: string): number | undefined {
  const match = /^HTTP\/1\.1 (\d{3})/.exec(response);
  return match === null ? undefined : Number(match[1]);
}
