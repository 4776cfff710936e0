import { createResponse } from "../http/create-response.ts";
import { removeHopByHopFields } from "../http/hop-by-hop.ts";
import { decodeBase64, encodeBase64 } from "../util/base64url.ts";
import { peekBody } from "./peek-body.ts";

/** A response as JSON. The body is a string, or base64 if it is not UTF-8. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text?: string;
  readonly base64?: string;
}

/** A response to send, and its stored form; undefined if the body is a stream or too large. */
export interface CapturedResponse {
  readonly response: Response;
  readonly stored: StoredResponse | undefined;
}

/** Headers that are not stored: cookies are of one client, and the length is computed again. */
const omittedHeaders: readonly string[] = ["set-cookie", "content-length"];

/** Reads the body of a response up to a limit. The response must not be used afterwards. */
export async function captureResponse(
  response: Response,
  limitBytes: number,
): Promise<CapturedResponse> {
  const { body, headers } = response;
  if (body === null) return { response, stored: toStored(response, undefined) };
  // Not aborted with the request: the response is for the retry of a client that has disconnected.
  const { signal } = new AbortController();
  const mayPause = !headers.has("content-length");
  const peeked = await peekBody(body, { limitBytes, signal, mayPause });
  const copy = new Response(peeked.isWhole ? peeked.bytes : peeked.stream, response);
  const stored = peeked.isWhole ? toStored(copy, peeked.bytes) : undefined;
  return { response: copy, stored };
}

/** Creates a response from its stored form. */
export function restoreResponse({ status, headers, text, base64 }: StoredResponse): Response {
  const body = text ?? (base64 === undefined ? null : (decodeBase64(base64) ?? null));
  const fields = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  return createResponse(body, { status, headers: fields });
}

function toStored(response: Response, bytes: Uint8Array<ArrayBuffer> | undefined): StoredResponse {
  const headers = new Headers(response.headers);
  removeHopByHopFields(headers);
  for (const name of omittedHeaders) headers.delete(name);
  const { status } = response;
  const common = { status, headers: [...headers] };
  if (bytes === undefined) return common;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { ...common, text };
  } catch {
    return { ...common, base64: encodeBase64(bytes) };
  }
}
