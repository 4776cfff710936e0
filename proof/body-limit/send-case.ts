import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { AnswerReader } from "../hostile/wire.ts";
import type { BodyCase } from "./body-case.ts";

/** Result of a case. */
export interface CaseAnswer {
  /** Undefined if the connection closed, or the time ran out, without a response. */
  readonly status: number | undefined;
  readonly isLate: boolean;
  /** Length of the head, which does not count towards the body. */
  readonly headBytes: number;
}

const patienceMs = 20_000;
/** Bytes of an endless body after which the server evidently has no limit. */
const endlessBytes = 32 * 2 ** 20;

/** Sends a case on a separate connection, until a response arrives or the connection closes. */
export async function sendCase(port: number, one: BodyCase): Promise<CaseAnswer> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const head = Buffer.from(
    `POST ${one.path} HTTP/1.1\r\nHost: a\r\nX-Case: ${one.name}\r\n` +
      `Content-Type: ${one.contentType}\r\n${one.headers}\r\n`,
  );
  const answer = readStatus(socket);
  let isOver = false;
  const over = answer.then(() => {
    isOver = true;
  });
  const write = async (bytes: Buffer): Promise<void> => {
    if (isOver || socket.destroyed || socket.write(bytes)) return;
    await Promise.race([over, new Promise((resolve) => socket.once("drain", resolve))]);
  };
  await write(head);
  for (const piece of one.pieces) {
    if (one.pauseMs > 0) await Promise.race([over, sleep(one.pauseMs)]);
    await write(piece);
  }
  if (one.endsStream) socket.end();
  const again = one.pieces.at(-1) ?? Buffer.alloc(0);
  for (let sent = 0; one.isEndless && !isOver && sent < endlessBytes; sent += again.length) {
    await write(again);
    // Leaves time to read the response.
    await sleep(0);
  }
  const { status, isLate } = await answer;
  socket.destroy();
  return { status, isLate, headBytes: head.length };
}

function readStatus(socket: Socket): Promise<Omit<CaseAnswer, "headBytes">> {
  return new Promise((resolve) => {
    const reader = new AnswerReader();
    const finish = (status: number | undefined, isLate = false): void => {
      clearTimeout(timer);
      resolve({ status, isLate });
    };
    const timer = setTimeout(() => finish(undefined, true), patienceMs);
    const read = (isClosed: boolean): void => {
      try {
        const answer = reader.next("POST", isClosed);
        if (answer !== undefined) finish(answer.status);
      } catch {
        finish(undefined);
      }
    };
    socket.on("data", (bytes) => {
      reader.add(bytes);
      read(false);
    });
    socket.on("error", () => {});
    for (const event of ["end", "close"]) {
      socket.on(event, () => {
        read(true);
        finish(undefined);
      });
    }
  });
}
