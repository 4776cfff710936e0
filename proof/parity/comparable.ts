import { gunzipSync, inflateSync } from "node:zlib";
import type { Answer } from "./case.ts";

/** What a platform gave. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Uint8Array;
}

/** Headers that the platform's server writes, not the application. */
const ofThePlatform: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "server",
  "transfer-encoding",
]);

/** What differs from run to run stands as its kind, so that it must still be there, in its form. */
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

/** An answer as it must be the same everywhere. */
export function comparable(raw: RawAnswer, base: string, method = "GET"): Answer {
  const headers: [string, string][] = [];
  for (const [mixed, value] of raw.headers) {
    const name = mixed.toLowerCase();
    // For HEAD it would have to be that of GET's body (RFC 9110, section 8.6), so that it counts.
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

/** One line for each name, as a client reads them (RFC 9110, section 5.3); cookies stay apart. */
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

/** The text of a body; packed bodies are unpacked, since packers may write the same in several ways. */
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

/** Long bodies are kept by their beginning, length and hash. */
function shortened(body: string): string {
  if (body.length <= 4_000) return body;
  let hash = 0;
  for (let at = 0; at < body.length; at += 1) {
    hash = (Math.imul(hash, 31) + body.charCodeAt(at)) | 0;
  }
  return `${body.slice(0, 80)}… ${body.length} characters, hash ${hash >>> 0}`;
}
