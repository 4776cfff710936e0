import { connect } from "node:net";
import { AnswerReader } from "../hostile/wire.ts";

/** A request, as the rules see it. */
export interface Probe {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: "1.0" | "1.1";
}

/** A response, byte for byte. */
export interface Exchange {
  readonly probe: Probe;
  readonly status: number;
  /** Header lines as sent, without the line ends. */
  readonly lines: readonly string[];
  /** Content after decoding the transfer coding; undefined if the framing is invalid. */
  readonly body: Buffer | undefined;
  /** Bytes after the response. */
  readonly rest: string;
  readonly isClosed: boolean;
  /** Statuses of interim responses before it. */
  readonly interim: readonly number[];
}

/** Time after which the server is done with a connection that stays open. */
const quietMs = 120;
const limitMs = 5_000;

/** Returns the bytes of a probe. */
function encodeProbe({ method, path, headers, version }: Probe, body = ""): string {
  const lines = Object.entries({ Host: "127.0.0.1", ...headers }).map(([name, value]) => {
    return `${name}: ${value}\r\n`;
  });
  return `${method} ${path} HTTP/${version}\r\n${lines.join("")}\r\n${body}`;
}

/** Sends bytes, and returns everything that the server sends. */
export function sendBytes(
  port: number,
  bytes: string,
): Promise<{ readonly text: string; readonly isClosed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let text = "";
    let timer = setTimeout(() => finish(false), limitMs);
    const finish = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, isClosed });
    };
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(timer);
      timer = setTimeout(() => finish(false), text.includes("\r\n\r\n") ? quietMs : limitMs);
    });
    socket.on("end", () => finish(true)).on("error", () => finish(true));
    socket.write(Buffer.from(bytes, "latin1"));
  });
}

/** Sends a probe and returns its response; undefined if the server sent none. */
export async function exchange(
  port: number,
  probe: Probe,
  body = "",
): Promise<Exchange | undefined> {
  const { text, isClosed } = await sendBytes(port, encodeProbe(probe, body));
  return readExchange(probe, text, isClosed);
}

/** Reads the first final response of some bytes. */
export function readExchange(probe: Probe, text: string, isClosed: boolean): Exchange | undefined {
  const interim: number[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3}) ?[^\r\n]*\r\n/.exec(rest)?.[1]);
    if (end === -1 || Number.isNaN(status)) return undefined;
    if (status >= 200 || status === 101) {
      const lines = rest.slice(0, end).split("\r\n").slice(1);
      return { probe, status, lines, interim, isClosed, ...readBody(probe.method, rest, isClosed) };
    }
    interim.push(status);
    rest = rest.slice(end + 4);
  }
}

function readBody(
  method: string,
  text: string,
  isClosed: boolean,
): Pick<Exchange, "body" | "rest"> {
  const reader = new AnswerReader();
  reader.add(Buffer.from(text, "latin1"));
  try {
    const answer = reader.next(method, isClosed);
    return { body: answer?.body, rest: reader.rest };
  } catch {
    return { body: undefined, rest: "" };
  }
}

/** Returns the values of a header, in order. */
export function valuesOf({ lines }: Pick<Exchange, "lines">, name: string): string[] {
  return lines
    .filter((line) => line.slice(0, line.indexOf(":")).toLowerCase() === name)
    .map((line) => line.slice(line.indexOf(":") + 1).trim());
}
