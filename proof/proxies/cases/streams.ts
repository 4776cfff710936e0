import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { Finding } from "../../support/finding.ts";
import type { RunningProxy } from "../proxy.ts";
import { streamsEnd } from "./transfers.ts";

/** Server-sent events and WebSockets pass the proxy at once, and end with their client. */
export async function proveStreams(
  { port }: RunningProxy,
  { serverPort, clients }: { readonly serverPort: number; readonly clients: number },
): Promise<Finding> {
  const finding = new Finding("server-sent events and WebSockets");
  await Promise.all(Array.from({ length: clients }, () => readEvents(port, finding)));
  finding.check(await streamsEnd(serverPort), "events went on without their client", "");
  await Promise.all(Array.from({ length: clients }, () => exchangeMessages(port, finding)));
  return finding;
}

/** The first events arrive while the stream is open. */
function readEvents(port: number, finding: Finding): Promise<void> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => {
      socket.write("GET /events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n");
    });
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      finding.tried += 1;
      finding.check(/data: more/.test(received), "no events within 30 s", received.slice(0, 300));
      resolve();
    };
    const timer = setTimeout(finish, 30_000);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.includes("data: more")) finish();
    });
    socket.on("error", finish);
  });
}

/** Text and a megabyte of bytes come back, and the server's close code arrives. */
function exchangeMessages(port: number, finding: Finding): Promise<void> {
  return new Promise((resolve) => {
    const bytes = randomBytes(2 ** 20);
    const received: string[] = [];
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
    socket.binaryType = "arraybuffer";
    const timer = setTimeout(() => socket.close(), 60_000);
    socket.onopen = () => socket.send("grüezi");
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string") {
        received.push(data);
        socket.send(bytes);
        return;
      }
      received.push(Buffer.from(data).equals(bytes) ? "the same bytes" : "other bytes");
      socket.send("close");
    };
    socket.onclose = ({ code, reason }) => {
      clearTimeout(timer);
      finding.tried += 1;
      const all = [...received, code, reason].join();
      const expected = "grüezi,the same bytes,4001,as asked";
      finding.check(all === expected, "a WebSocket conversation differs", all);
      resolve();
    };
  });
}
