import { encode } from "../cost/generate.ts";

/** Returns a request without a body. */
export function get(target: string, headers: readonly string[] = []): Uint8Array {
  const lines = [`GET ${target} HTTP/1.1`, "Host: a", ...headers];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** Returns a request with a body, in which U+F700 to U+F7FF stand for bytes that are not UTF-8. */
export function post(target: string, contentType: string, body: string): Uint8Array {
  const bytes = encode(body, Number.POSITIVE_INFINITY);
  const lines = [
    `POST ${target} HTTP/1.1`,
    "Host: a",
    `Content-Type: ${contentType}`,
    `Content-Length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}

/** Repeats usual pieces until no further one fits; each gets its index. */
export function repeatUsual(length: number, write: (index: number) => string): string[] {
  const pieces: string[] = [];
  let size = 0;
  for (let index = 0; ; index += 1) {
    const piece = write(index);
    size += piece.length;
    if (size > length) return pieces;
    pieces.push(piece);
  }
}
