import { decodeBase64 } from "../util/base64url.ts";

/** Credentials of an `Authorization: Basic` header. */
export interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

const maxHeaderLength = 8192;

/**
 * Reads an `Authorization: Basic` header (RFC 7617): base64 of `name:password` in UTF-8, where the
 * first colon ends the name.
 *
 * @returns undefined for anything else, including control characters
 */
export function parseBasicCredentials(header: string | null): BasicCredentials | undefined {
  if (header === null || header.length > maxHeaderLength) return undefined;
  const [, base64] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  const bytes = base64 === undefined ? undefined : decodeBase64(base64);
  const text = bytes === undefined ? undefined : decodeUtf8(bytes);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon === -1 || /\p{Cc}/u.test(text)) return undefined;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
