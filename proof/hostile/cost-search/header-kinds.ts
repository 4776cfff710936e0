import { createHmac } from "node:crypto";
import { newWord } from "./genome.ts";
import type { SearchKind } from "./kind.ts";
import { get, repeatUsual } from "./request.ts";

/** Below the 16 KiB that Node's servers allow for the head of a request. */
const length = 12_000;

const words = ["orders", "customers", "invoices", "2026", "reports", "north-west", "page"];
const usualWord = (at: number): string => words[at % words.length] ?? "";

/** Creates the kind of a header; its content is sent in each of them in turn. */
function headerKind(
  name: string,
  target: string,
  headers: readonly string[],
  pieces: readonly string[],
  usual: (at: number) => string,
): SearchKind {
  return {
    name,
    length: Math.floor(length / headers.length),
    createText: (random) => random.pick(pieces),
    writeBenign: (size) => repeatUsual(size, usual),
    encode: (content) =>
      get(
        target,
        headers.map((header) => `${header}: ${content.join("")}`),
      ),
  };
}

const oddCharacters = ["\x80", "\xff", "\xc3\xa4", "\t", " ", '"', "\\", "%", "%ff", "%C3%A4"];

const tokenHead = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url");
/** Signs a token; the signature is wrong, as that of a stranger would be. */
function signToken(content: string): string {
  const payload = Buffer.from(content).toString("base64url");
  const signed = `${tokenHead}.${payload}`;
  return `${signed}.${createHmac("sha256", "another secret").update(signed).digest("base64url")}`;
}

export const headerKinds: readonly SearchKind[] = [
  {
    name: "path",
    length,
    createText: (random) =>
      random.pick([
        ...["/", "//", "/.", "/..", "/%2e", "/%2E%2e/", "a", "aaaaaaaa", "-", ".", ":", "@", "+"],
        ...["%41", "%ff", "%C3%A4", "%25", "%2F", "%", "%e2%82", ";", "=", "*", "~", "1", newWord],
        ...["items/", "items/1/", "items/1", "between/", "between/a-", "between/a-b.", "files/"],
        ...["between/--", "-.", "a-b.", "files/a/", "\\", "//files"],
      ]),
    writeBenign: (size) => ["files", ...repeatUsual(size - 5, (at) => `/${usualWord(at)}`)],
    encode: (content) => get(`/${content.join("").replace(/^\/+/, "")}`),
  },
  {
    name: "query",
    length,
    createText: (random) =>
      random.pick([
        ...["&", "=", "a", "a=", "a&", "=&", "+", "%41", "%ff", "%", "%e2%82", "%C3%A4", "[]"],
        ...["tags=a&", "tags[]=a&", "q=", "q=1&", "page=1&", "__proto__=1&", "a[b][c]=1&", ";"],
        ...[`${newWord}&`, `${newWord}=1&`, "tags=%ff&", "tags=&", "a.b.c=1&", "%26", "%3D"],
      ]),
    writeBenign: (size) => [
      "q=a+few+usual+words",
      ...repeatUsual(size - 20, (at) => `&${usualWord(at)}${at}=${usualWord(at + 1)}+and+more`),
    ],
    encode: (content) => get(`/query?${content.join("")}`),
  },
  headerKind(
    "cookies",
    "/cookies",
    ["Cookie"],
    [
      ...["; ", ";", "=", "a=b; ", "a; ", "who=", "who=a; ", "a=; ", `${newWord}=1; `, ","],
      ...["session=", "session=a.b; ", "__Host-a=b;", "__proto__=1; ", ...oddCharacters],
    ],
    (at) => `preference${at}=kX3v9QpLr2mN8sTbYc5wZfGhJ1dA7eUo; `,
  ),
  {
    name: "header lines",
    length,
    createText: (random) =>
      random.pick([
        ...[`${newWord}: 1\r\n`, "a: b\r\n", "x:\r\n", "Accept: a/b\r\n", "Cookie: a=b\r\n"],
        ...["Traceparent: 00-0-0-0\r\n", "X-Request-Id: a=b\r\n", "X-Forwarded-For: 1.2.3.4\r\n"],
        ...["Origin: https://a.example\r\n", "Forwarded: for=a\r\n", "Via: 1.1 a\r\n"],
        ...["Authorization: a\r\n", "Tracestate: a=b,c=d\r\n", "x: \xff\r\n", "token: a\r\n"],
      ]),
    writeBenign: (size) =>
      repeatUsual(size, (at) => `X-Usual-${usualWord(at)}: the value of header ${at} is usual\r\n`),
    encode: (content) => get("/headers", [content.join("").slice(0, -2)]),
  },
  headerKind(
    "forwarded addresses",
    "/headers",
    ["X-Forwarded-For", "Forwarded"],
    [
      ...["1.2.3.4, ", "1.2.3.4:80, ", "[::1], ", "::1, ", "::ffff:1.2.3.4, ", ",", ";", "="],
      ...["for=a, ", "for=a;", 'for="[::1]:80";', 'for="a\\"b", ', "proto=https;", "host=a;"],
      ...["::", ":", "1", ".", "f", "[", "]", newWord, ...oddCharacters],
    ],
    (at) => (at === 0 ? "for=203.0.113.7" : `, for=203.0.${at % 200}.7;proto=https`),
  ),
  headerKind(
    "traces and ids",
    "/headers",
    ["Traceparent", "Tracestate", "X-Request-Id"],
    [
      ...["00-", "0", "f", "-", "-01", "a=b,", ",", "=", "@", "/", newWord, ...oddCharacters],
      ...["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "ff-"],
    ],
    (at) => `vendor${at}=00f067aa0ba902b7,`,
  ),
  headerKind(
    "accept",
    "/accept",
    ["Accept"],
    [
      ...["a/b,", "a/b;q=0.5,", "*/*,", "a/*;q=0,", ",", ";", "q=1", "q=", ";a=b", "/", "a", "A"],
      ...[`a/${newWord},`, `${newWord}/a;q=0.1,`, ", ", ";q=0.999", ...oddCharacters],
    ],
    (at) => `application/vnd.usual.type${at % 50}+json;q=0.${(at % 9) + 1}, `,
  ),
  headerKind(
    "accept-encoding and accept-language",
    "/page",
    ["Accept-Encoding", "Accept-Language"],
    [
      ...["gzip,", "gzip;q=0,", "*,", "*;q=0.5,", "identity;q=0,", ",", ";", "q=1", "q=", "br,"],
      ...["en,", "en-GB;q=0.8,", "-", "a", `${newWord},`, `${newWord};q=0.1,`, ...oddCharacters],
    ],
    (at) => `usual-encoding-${at % 50};q=0.${(at % 9) + 1}, `,
  ),
  headerKind(
    "if-none-match and range",
    "/page",
    ["If-None-Match", "If-Modified-Since", "Range"],
    [
      ...['"a",', 'W/"a",', '"",', ",", '"', "*", "W/", "bytes=0-1,", "0-1,", "-1,", "1-,", "="],
      ...[`"${newWord}",`, 'W/"', "\\", ", ", "bytes=", ...oddCharacters],
    ],
    (at) => `"33a64df551425fcc55e4d42a148795d9f25f89${at % 90}", `,
  ),
  headerKind(
    "media type",
    "/accept",
    ["Content-Type", "Origin"],
    [
      ...["multipart/form-data", "; ", ";", "a=b;", "boundary=", 'a="b";', '"', "\\", "=", "/"],
      ...["text/plain", "charset=utf-8;", `; ${newWord}=a`, "https://", ".", ":", ...oddCharacters],
    ],
    (at) => (at === 0 ? "application/usual" : `; parameter${at}="a usual value"`),
  ),
  {
    name: "token",
    // Encoded in Base64, somewhat below the 8 KiB that are allowed.
    length: 5_800,
    createText: (random) =>
      random.pick([
        ...['"a":1,', '"":"",', '"exp":1,', '"aud":["a"],', '"a":{},', '"a":[],', "[", "{", ","],
        ...[`"${newWord}":1,`, '"\\u0061":1,', '"__proto__":1,', '"a":1e308,', '"roles":["a"],'],
        ...[" ", '"', "\\", "ä", "\u{1f333}", '"user":{"id":1},', `"a":{"${newWord}":1},`],
      ]),
    writeBenign: (size) =>
      repeatUsual(size, (at) => `"claim${at}":"a usual value of usual length",`),
    encode: (content) =>
      get("/token", [`Authorization: Bearer ${signToken(`{${content.join("")}"sub":"7"}`)}`]),
  },
  {
    ...headerKind(
      "malformed token",
      "/token",
      ["Authorization"],
      [
        ...["Bearer ", "bearer ", "Basic ", ".", "..", "-", "_", "=", "e30", "e30.", "a", " ", ","],
        ...["eyJhbGciOiJIUzI1NiJ9.", "eyJhbGciOiJub25lIn0.", newWord, ...oddCharacters],
      ],
      (at) =>
        at === 0
          ? `Bearer ${tokenHead}.`
          : at === 100
            ? "."
            : Buffer.from(`"claim${at}":"a usual value of usual length",`).toString("base64url"),
    ),
    // Longer ones are rejected at once.
    length: 8_000,
  },
];
