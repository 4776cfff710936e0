import { createHash, randomBytes } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Finding } from "../../support/finding.ts";
import type { RunningProxy } from "../proxy.ts";
import { type ProxyResponse, readCounts, send } from "../request.ts";

export interface TransferOptions {
  /** Port of the server behind the proxy. */
  readonly serverPort: number;
  /** Size of each upload and download, in mebibytes. */
  readonly mebibytes: number;
}

/** Uploads and downloads arrive whole, also slow ones, and a client that disconnects ends its stream. */
export async function proveTransfers(
  { port }: RunningProxy,
  { serverPort, mebibytes }: TransferOptions,
): Promise<Finding> {
  const finding = new Finding(`uploads and downloads of ${mebibytes} MiB`);
  const body = randomBytes(mebibytes * 2 ** 20);
  const hash = createHash("sha256").update(body).digest("hex");
  for (const path of ["/upload", "/unbuffered/upload"]) {
    const answer = await send(port, "PUT", path, { body }).catch(describeFailure);
    finding.tried += 1;
    finding.check(
      answer.body === hash,
      "an upload arrived changed",
      `${path} ${answer.status} ${answer.body.slice(0, 200)}`,
    );
    const chunked = await upload(port, path, body).catch(String);
    finding.tried += 1;
    finding.check(
      chunked.includes(hash),
      "a chunked upload arrived changed",
      chunked.slice(0, 300),
    );
  }
  for (const path of [`/download/${mebibytes}`, `/stream/${mebibytes}`]) {
    for (const pauseMs of [0, 1]) {
      const received = await download(port, path, pauseMs);
      finding.tried += 1;
      const isWhole = received === mebibytes * 2 ** 20;
      finding.check(isWhole, "a download was cut", `${path}: ${received} bytes, pause ${pauseMs}`);
    }
  }
  await leave(port, mebibytes);
  finding.tried += 1;
  const isClosed = await streamsEnd(serverPort);
  finding.check(isClosed, "a stream went on without its client", `/stream/${mebibytes}`);
  return finding;
}

function describeFailure(error: unknown): ProxyResponse {
  return { status: 0, body: String(error) };
}

/** Uploads in chunks of 64 KiB, and returns the raw response. */
function upload(port: number, path: string, body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        `PUT ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      for (let at = 0; at < body.length; at += 2 ** 16) {
        const chunk = body.subarray(at, at + 2 ** 16);
        socket.write(`${chunk.length.toString(16)}\r\n`);
        socket.write(chunk);
        socket.write("\r\n");
      }
      socket.write("0\r\n\r\n");
    });
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(received).toString("latin1")));
  });
}

/** Downloads with a pause after each chunk, over HTTP/1.0 so that no framing is in between. */
function download(port: number, path: string, pauseMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`GET ${path} HTTP/1.0\r\nHost: a\r\n\r\n`);
    });
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (pauseMs === 0) return;
      socket.pause();
      setTimeout(() => socket.resume(), pauseMs);
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const bytes = Buffer.concat(chunks);
      resolve(bytes.length - bytes.indexOf("\r\n\r\n") - 4);
    });
  });
}

/** Disconnects in the middle of a stream. */
function leave(port: number, mebibytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`GET /unbuffered/../stream/${mebibytes * 100} HTTP/1.1\r\nHost: a\r\n\r\n`);
    });
    socket.once("data", () => socket.resetAndDestroy());
    socket.on("error", reject);
    socket.on("close", () => resolve());
  });
}

/** Resolves to whether all streams of a server end within ten seconds. */
export async function streamsEnd(serverPort: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await readCounts(serverPort)).openStreams === 0) return true;
    await sleep(100);
  }
  return false;
}
