import { connect } from "node:net";
import { type Answer, AnswerReader } from "./wire.ts";

/** A request on a connection. */
export interface Sent {
  readonly method: string;
  readonly bytes: Buffer;
}

export interface ConverseOptions {
  /** Timeout of the responses; default 10,000, for a machine under load. */
  readonly timeoutMs?: number;
  /** Closes the sending side after the requests. */
  readonly endsStream?: boolean;
  /** Resets the connection this many milliseconds after sending. */
  readonly leaveAfterMs?: number;
}

/** Responses of a connection. */
export interface Conversation {
  readonly answers: readonly Answer[];
  /** `answered`: exactly all responses arrived. `late`: neither all responses nor a close in time. */
  readonly end: "answered" | "closed" | "late" | "left";
  /** Reason why the bytes are not valid HTTP, or the bytes after the last response. */
  readonly problem: string | undefined;
}

/** Sends requests over one connection (pipelined), and reads the responses. */
export function converse(
  port: number,
  requests: readonly Sent[],
  options: ConverseOptions = {},
): Promise<Conversation> {
  const { timeoutMs = 10_000, endsStream = false, leaveAfterMs } = options;
  return new Promise((resolve) => {
    const reader = new AnswerReader();
    const answers: Answer[] = [];
    let problem: string | undefined;
    let isOver = false;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const finish = (end: Conversation["end"]): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers, end, problem });
    };
    const timer = setTimeout(() => finish("late"), timeoutMs);
    const read = (isClosed: boolean): void => {
      try {
        while (answers.length < requests.length) {
          const answer = reader.next(requests[answers.length]?.method ?? "GET", isClosed);
          if (answer === undefined) break;
          answers.push(answer);
          // After an upgrade the connection does not use HTTP.
          if (answer.status === 101) finish("closed");
        }
      } catch (error) {
        problem ??= String(error);
        finish("closed");
      }
      if (answers.length < requests.length || isOver) return;
      if (reader.rest !== "") problem ??= `unexpected bytes: ${reader.rest.slice(0, 80)}`;
      finish("answered");
    };
    socket.on("connect", () => {
      socket.write(Buffer.concat(requests.map(({ bytes }) => bytes)));
      if (endsStream) socket.end();
      if (leaveAfterMs !== undefined) {
        setTimeout(() => {
          if (!isOver) socket.resetAndDestroy();
          finish("left");
        }, leaveAfterMs);
      }
    });
    socket.on("data", (chunk) => {
      reader.add(chunk);
      read(false);
    });
    // A reset counts as a close; the responses decide whether it was allowed.
    socket.on("error", () => {});
    for (const event of ["end", "close"]) {
      socket.on(event, () => {
        if (isOver) return;
        read(true);
        finish("closed");
      });
    }
  });
}

/** Returns a well-formed request. */
export function requestBytes(
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
  body?: Buffer | string,
): Sent {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const all = [["Host", "a"], ...headers] as (readonly [string, string])[];
  if (bytes !== undefined) all.push(["Content-Length", String(bytes.length)]);
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const start = Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n`, "latin1");
  return { method, bytes: bytes === undefined ? start : Buffer.concat([start, bytes]) };
}
