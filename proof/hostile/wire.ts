import { gunzipSync, inflateSync } from "node:zlib";

/** A response as received. */
export interface Answer {
  readonly status: number;
  /** By lower-case name; all values of a repeated header, in order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Decoded: without transfer and content coding. */
  readonly body: Buffer;
}

/** Returns the first value of a header. */
export function headerOf(answer: Answer, name: string): string | undefined {
  return answer.headers.get(name)?.[0];
}

/** Strict parser of the responses on a connection: throws for invalid responses. */
export class AnswerReader {
  #bytes: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
  }

  /** Received bytes that are not part of a response yet. */
  get rest(): string {
    return this.#bytes.toString("latin1");
  }

  /**
   * Returns the next complete response; skips interim ones (1xx).
   *
   * @param method method of its request
   * @param isClosed true if the connection is closed
   */
  next(method: string, isClosed: boolean): Answer | undefined {
    const end = this.#bytes.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const [first = "", ...lines] = this.#bytes.toString("latin1", 0, end).split("\r\n");
    const match = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first);
    if (match === null)
      throw new Error(`invalid status line: ${JSON.stringify(first.slice(0, 80))}`);
    const status = Number(match[1]);
    const headers = new Map<string, string[]>();
    for (const line of lines) {
      const colon = line.indexOf(":");
      if (colon < 1) throw new Error(`no header: ${JSON.stringify(line.slice(0, 80))}`);
      const name = line.slice(0, colon).toLowerCase();
      headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
    }
    const start = end + 4;
    if (status < 200 && status !== 101) {
      this.#bytes = this.#bytes.subarray(start);
      return this.next(method, isClosed);
    }
    const hasBody = method !== "HEAD" && status !== 204 && status !== 304 && status !== 101;
    const framed = hasBody
      ? this.#body(headers, start, isClosed)
      : { body: Buffer.alloc(0), end: start };
    if (framed === undefined) return undefined;
    this.#bytes = this.#bytes.subarray(framed.end);
    return { status, headers, body: decoded(framed.body, headers.get("content-encoding")?.[0]) };
  }

  #body(
    headers: ReadonlyMap<string, readonly string[]>,
    start: number,
    isClosed: boolean,
  ): { body: Buffer; end: number } | undefined {
    const lengths = headers.get("content-length");
    if (headers.get("transfer-encoding")?.[0] === "chunked") {
      if (lengths !== undefined) throw new Error("both Content-Length and Transfer-Encoding");
      return this.#chunks(start);
    }
    if (lengths === undefined) {
      return isClosed ? { body: this.#bytes.subarray(start), end: this.#bytes.length } : undefined;
    }
    if (lengths.length > 1) throw new Error("two Content-Length");
    const end = start + Number(lengths[0]);
    return this.#bytes.length < end ? undefined : { body: this.#bytes.subarray(start, end), end };
  }

  #chunks(start: number): { body: Buffer; end: number } | undefined {
    const parts: Buffer[] = [];
    let at = start;
    for (;;) {
      const line = this.#bytes.indexOf("\r\n", at);
      if (line === -1) return undefined;
      const size = Number.parseInt(this.#bytes.toString("latin1", at, line), 16);
      if (Number.isNaN(size)) throw new Error("invalid chunk size");
      const next = line + 2 + size + 2;
      if (this.#bytes.length < next) return undefined;
      parts.push(this.#bytes.subarray(line + 2, line + 2 + size));
      if (size === 0) return { body: Buffer.concat(parts), end: next };
      at = next;
    }
  }
}

function decoded(body: Buffer, coding: string | undefined): Buffer {
  if (body.length === 0) return body;
  if (coding === "gzip") return gunzipSync(body);
  if (coding === "deflate") return inflateSync(body);
  return body;
}
