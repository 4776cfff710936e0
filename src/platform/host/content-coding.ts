import { detectRuntime, type Runtime } from "../runtime.ts";

const usual: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br"]);

/**
 * Content codings that `fetch` decodes without removing the corresponding response headers, measured per runtime;
 * undefined where bodies are passed through unchanged.
 */
const byRuntime: Readonly<Record<Runtime, ReadonlySet<string> | undefined>> = {
  node: usual,
  deno: new Set(["gzip", "br"]),
  bun: new Set([...usual, "zstd"]),
  other: usual,
  workerd: undefined,
};

const decodedCodings = byRuntime[detectRuntime()];

/**
 * Removes `Content-Encoding` and `Content-Length` of a body that `fetch` has already decoded (RFC 9110, 8.4):
 * a client would decode it again, or wait for another length. Any other response is returned unchanged.
 */
export function stripContentEncoding(response: Response): Response {
  // Only a received response, such as one of fetch(), has a URL.
  if (decodedCodings === undefined || response.url === "") return response;
  const coding = response.headers.get("content-encoding")?.toLowerCase();
  if (coding === undefined || !decodedCodings.has(coding)) return response;
  const { body, status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(body, { status, statusText, headers });
}
