import { trustedHops } from "./client-address.ts";
import type { ClientAddressInput } from "./client-address-input.ts";
import { forwardedElements } from "./forwarded.ts";
import { isValidHost } from "./host-header.ts";

/** Schemes that proxies send; some send those of WebSockets. */
const schemes: ReadonlyMap<string, "http" | "https"> = new Map([
  ["http", "http"],
  ["https", "https"],
  ["ws", "http"],
  ["wss", "https"],
]);

/** A host in the form that a URL has. */
const normalHost = /^[a-z\d.-]+$/;

/**
 * Returns the URL that the client has requested: behind trusted proxies with the scheme and host of
 * `X-Forwarded-Proto` and `X-Forwarded-Host`, or else of `Forwarded`. A value that is not valid is ignored.
 *
 * @param url absolute http or https URL, as the connection tells
 */
export function forwardedUrl(url: string, input: ClientAddressInput): string {
  const hops = trustedHops(input);
  if (hops === 0) return url;
  const { proto, host } = forwardedOrigin(input.headers, hops);
  const scheme = schemes.get((proto ?? "").toLowerCase());
  const isHost = isValidHost(host ?? null);
  if (scheme === undefined && !isHost) return url;
  const hostStart = url.indexOf("://") + 3;
  const pathStart = url.indexOf("/", hostStart);
  const origin = `${scheme ?? url.slice(0, hostStart - 3)}://${isHost ? host : url.slice(hostStart, pathStart)}`;
  return normalOrigin(origin) + url.slice(pathStart);
}

function forwardedOrigin(
  headers: Headers,
  hops: number,
): { readonly proto: string | undefined; readonly host: string | undefined } {
  const elements = forwardedElements(headers);
  if (elements !== undefined) {
    const element = trustedEntry(elements, hops);
    return { proto: element?.get("proto"), host: element?.get("host") };
  }
  return {
    proto: trustedEntry(listOf(headers, "x-forwarded-proto"), hops),
    host: trustedEntry(listOf(headers, "x-forwarded-host"), hops),
  };
}

/**
 * Returns the entry of the outermost trusted proxy. Proxies append to the list or replace it, so that a list
 * with fewer entries than proxies begins with the one of the outermost.
 */
function trustedEntry<Entry>(entries: readonly Entry[], hops: number): Entry | undefined {
  return entries[Math.max(0, entries.length - hops)];
}

function listOf(headers: Headers, name: string): readonly string[] {
  const value = headers.get(name);
  return value === null ? [] : value.split(",").map((entry) => entry.trim());
}

/** Returns an origin in lower case and without the default port, as URL parsing does. */
function normalOrigin(origin: string): string {
  const host = origin.slice(origin.indexOf("://") + 3);
  return normalHost.test(host) ? origin : new URL(origin).origin;
}
