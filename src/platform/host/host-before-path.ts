/**
 * Returns the Host header from a URL that begins with it; undefined if it is ambiguous, and the headers must be read. In
 * Deno reading them takes a tenth of the time of a small request.
 *
 * A host with a slash would add a second slash to the URL.
 */
export function hostBeforePath(url: string): string | undefined {
  const start = url.indexOf("//") + 2;
  const end = url.indexOf("/", start);
  if (end === -1 || url.includes("/", end + 1)) return undefined;
  const host = url.slice(start, end);
  // Deno uses this host for a request with an empty or missing header.
  return host.startsWith("localhost") ? undefined : host;
}
