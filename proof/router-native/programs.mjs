// Programs for two builds of the router: a set of routes and requests, as calls of the exports of the
// WebAssembly module.
import { Random } from "../../test/support/random.ts";
import { generateRouteSet } from "../../test/support/route-generator.ts";

export const CREATE = 0;
export const INSERT = 1;
export const FIND = 2;

/** `MAX_TEXT` of `router-wasm/src/path.rs`. */
const BUFFER_BYTES = 17_408;
const PATH_BYTES = 16_384;

const KNOWN_METHODS = ["GET", "HEAD", "ALL", "POST", "DELETE", "PURGE"];
const UNKNOWN_METHOD = 0xffff_ffff;
const ANY_METHOD = 0xffff_fffe;
const BLANK = { method: 0, from: 0, bytes: Buffer.alloc(0) };

/** All calls of one set of routes; `requests` of them match a path. */
function generateProgram(random, requests) {
  const set = generateRouteSet(random);
  const lengthen = lengthener(random);
  const methods = KNOWN_METHODS.length;
  const from = set.ignoreTrailingSlash ? 1 : 0;
  return [
    { ...BLANK, operation: CREATE, method: methods, from },
    ...set.routes.map(([method, pattern]) => ({
      operation: INSERT,
      method: KNOWN_METHODS.indexOf(method),
      from: 0,
      bytes: Buffer.from(lengthen(pattern)),
    })),
    ...Array.from({ length: requests }, () => findCall(random, set.request(), lengthen)),
  ];
}

/** Serialises programs in the format of `router-wasm/examples/programs.rs`. */
export function encodeProgram(calls) {
  const parts = calls.flatMap(({ operation, method, from, bytes }) => [
    Buffer.from(Uint32Array.of(operation, method, from, bytes.length).buffer),
    bytes,
  ]);
  return Buffer.concat(parts);
}

/** Generates programs with a total number of requests. */
export function* generatePrograms(seed, pairs, requestsPerProgram) {
  const random = new Random(seed);
  for (let done = 0; done < pairs; done += requestsPerProgram) {
    yield generateProgram(random, Math.min(requestsPerProgram, pairs - done));
  }
}

/**
 * Lengthens words, consistently in patterns and paths: strings are compared and hashed in blocks of 8
 * and 16 bytes, and the generator's words all fit into one block.
 */
function lengthener(random) {
  if (random.chance(0.5)) return (text) => text;
  const long = random.pick(["u", "ab", "é"]).repeat(random.between(1, 70));
  const other = long.slice(0, random.between(0, long.length)) + random.pick(["", "x", "u"]);
  return (text) => text.replaceAll("users", long).replaceAll("abc", other);
}

function findCall(random, [method, url], lengthen) {
  const known = KNOWN_METHODS.indexOf(method);
  const number = known === -1 ? random.pick([UNKNOWN_METHOD, ANY_METHOD]) : known;
  let bytes = Buffer.from(lengthen(new URL(url).origin + url.slice(url.indexOf("/", 8))));
  let from = 8;
  if (random.chance(0.02)) bytes = damage(random, bytes);
  if (random.chance(0.01)) from = random.between(0, bytes.length);
  if (random.chance(0.002)) bytes = overlong(random, bytes);
  return { operation: FIND, method: number, from, bytes };
}

/** Changes one byte, for nearly equal strings and invalid UTF-8. */
function damage(random, bytes) {
  const damaged = Buffer.from(bytes);
  damaged[random.between(0, bytes.length - 1)] = random.between(0, 255);
  return damaged;
}

/** Pads a string to about the maximum length of a path, or of a string, in the router. */
function overlong(random, bytes) {
  const limit = random.pick([PATH_BYTES, BUFFER_BYTES]);
  const length = limit + random.between(-40, 40);
  const filler = random.pick(["a", "/", "%61", "/a", "é", "%"]);
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length), filler)]);
}
