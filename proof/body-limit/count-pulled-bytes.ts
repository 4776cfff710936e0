import { limits } from "./application.ts";

/** Bytes read of an endless body. */
export interface Pulled {
  readonly title: string;
  readonly status: number;
  readonly limit: number;
  readonly pulledBytes: number;
}

const chunkSizes = [1, 7, 1_000, 4_096, 16_384, 65_536];
const kinds = [
  { type: "application/json", path: "/usual", limit: limits.usual },
  { type: "application/json", path: "/own", limit: limits.own },
  { type: "application/x-www-form-urlencoded", path: "/typed", limit: limits.usual },
  { type: "multipart/form-data; boundary=x", path: "/usual", limit: limits.multipart },
];
/**
 * Passes endless bodies to an application, and counts the bytes that it reads.
 *
 * @param lengths false values of `Content-Length`; undefined for none. Workers trust the header, because
 *   workerd's server enforces it.
 */
export async function countPulledBytes(
  answer: (request: Request) => Promise<Response> | Response,
  lengths: readonly (string | undefined)[],
): Promise<Pulled[]> {
  const results: Pulled[] = [];
  for (const { type, path, limit } of kinds) {
    for (const chunkBytes of chunkSizes) {
      for (const length of lengths) {
        let pulledBytes = 0;
        const body = new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              pulledBytes += chunkBytes;
              controller.enqueue(new Uint8Array(chunkBytes).fill(0x20));
            },
          },
          { highWaterMark: 0 },
        );
        const headers = { "content-type": type, "x-case": "pulled" };
        const init = {
          method: "POST",
          headers: length === undefined ? headers : { ...headers, "content-length": length },
          body,
          duplex: "half",
        };
        const { status } = await answer(
          new Request(`http://localhost${path}`, init as RequestInit),
        );
        const title = `${type} to ${path} by ${chunkBytes}, Content-Length ${length}`;
        results.push({ title, status, limit, pulledBytes });
      }
    }
  }
  return results;
}
