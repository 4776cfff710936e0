import { gunzipSync, inflateSync } from "node:zlib";
import type { Answer } from "./case.ts";

/** A response of a platform. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Uint8Array;
}

/** Headers set by the platform's server instead of the application. */
const ofThePlatform: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "server",
  "transfer-encoding",
]);

/** Placeholders for values that differ between runs; their format is still checked. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g, "<uuid>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>"],
  [/"durationMs":\d+(\.\d+)?/g, '"durationMs":<ms>'],
  [/Try again in \d+ seconds?\./g, "Try again in <seconds>."],
];

const varyingHeaders: Readonly<Record<string, readonly [RegExp, string]>> = {
  ratelimit: [/;t=\d+/g, ";t=<seconds>"],
  "retry-after": [/^[1-5]?\d$|^60$/, "<seconds of a minute>"],
  "set-cookie": [/^((?:__Host-)?session|stored)=[\w.~%-]+/, "$1=<signed>"],
  "x-ratelimit-reset": [/^1[789]\d{8}$/, "<seconds since the epoch>"],
};

/** Returns a response in the form that must be equal on all platforms. */
export function comparable(raw: RawAnswer, base: string, method = "GET"): Answer {
  const headers: [string, string][] = [];
  for (const [mixed, value] of raw.headers) {
    const name = mixed.toLowerCase();
    // For HEAD it must be the length of GET's body (RFC 9110, section 8.6), so it is compared.
    const counts = name === "content-length" && method === "HEAD";
    if (ofThePlatform.has(name) && !counts) continue;
    const [pattern, kind] = varyingHeaders[name] ?? [/(?!)/, ""];
    headers.push([name, steady(value, base).replace(pattern, kind)]);
  }
  return {
    status: raw.status,
    headers: joined(headers),
    body: shortened(steady(textOf(raw), base)),
  };
}

/** Merges headers with the same name (RFC 9110, section 5.3), except cookies. */
function joined(headers: readonly (readonly [string, string])[]): [string, string][] {
  const lines = new Map<string, string>();
  const cookies: [string, string][] = [];
  for (const [name, value] of headers) {
    const present = lines.get(name);
    if (name === "set-cookie") cookies.push([name, value]);
    else lines.set(name, present === undefined ? value : `${present}, ${value}`);
  }
  return [...[...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)), ...cookies];
}

function steady(text: string, base: string): string {
  let result = text.replaceAll(base.replace(/\/$/, ""), "<base>");
  for (const [pattern, kind] of varying) result = result.replace(pattern, kind);
  return result;
}

/** Returns the text of a body; decompressed, since compressors differ in their output. */
function textOf({ headers, bytes }: RawAnswer): string {
  const coding = headers.find(([name]) => name.toLowerCase() === "content-encoding")?.[1];
  let plain = bytes;
  if (bytes.length > 0 && coding === "gzip") plain = gunzipSync(bytes);
  if (bytes.length > 0 && coding === "deflate") plain = inflateSync(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plain);
  } catch {
    return `base64:${Buffer.from(plain).toString("base64")}`;
  }
}

/** Shortens long bodies to their start, length and hash. */
function shortened(body: string): string {
  if (body.length <= 4_000) return body;
  let hash = 0;
  for (let at = 0; at < body.length; at += 1) {
    hash = (Math.imul(hash, 31) + body.charCodeAt(at)) | 0;
  }
  return `${body.slice(0, 80)}… ${body.length} characters, hash ${hash >>> 0}`;
}
