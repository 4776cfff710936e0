import { gzipSync } from "node:zlib";
import type { Random } from "../../test/support/random.ts";
import { limits } from "./application.ts";
import { type BodyCase, type Content, formOf, jsonOf, multipartOf } from "./body-case.ts";

/** A kind of framing: its bytes for a content, and the expected result. */
type Framing = (content: Content, limit: number, random: Random) => Partial<BodyCase>;

const length = (bytes: number | string): string => `Content-Length: ${bytes}\r\n`;
const chunked = "Transfer-Encoding: chunked\r\n";
const last = Buffer.from("0\r\n\r\n");
const chunk = (bytes: Buffer, extension = ""): Buffer =>
  Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}${extension}\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);

/** Cuts at random positions, into at most a few hundred pieces. */
function cut(bytes: Buffer, random: Random, least = 1): Buffer[] {
  const most = Math.max(least, Math.ceil(bytes.length / random.between(2, 100)));
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = random.between(least, most);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** Ambiguous framing: rejecting is always correct; above the limit no handler may run. */
const odd: Partial<BodyCase> = { statuses: [200, 400, 413, 422] };

const framings: Readonly<Record<string, Framing>> = {
  "a length": ({ bytes }) => ({ headers: length(bytes.length), pieces: [bytes] }),
  "a length, in pieces": ({ bytes }, _, random) => ({
    headers: length(bytes.length),
    pieces: cut(bytes, random),
  }),
  "a length, slowly": ({ bytes }, _, random) => ({
    headers: length(bytes.length),
    pieces: cut(bytes, random, Math.ceil(bytes.length / 20)),
    pauseMs: random.between(1, 10),
  }),
  "an expectation": ({ bytes }) => ({
    headers: `${length(bytes.length)}Expect: 100-continue\r\n`,
    pieces: [bytes],
  }),
  "one chunk": ({ bytes }) => ({ headers: chunked, pieces: [chunk(bytes), last] }),
  chunks: ({ bytes }, _, random) => ({
    headers: chunked,
    pieces: [...cut(bytes, random).map((piece) => chunk(piece)), last],
  }),
  "chunks of a byte": ({ bytes }) => ({
    headers: chunked,
    pieces: [Buffer.concat([...bytes].map((byte) => chunk(Buffer.from([byte])))), last],
  }),
  "chunks, slowly": ({ bytes }, _, random) => ({
    headers: chunked,
    pieces: [...cut(bytes, random, Math.ceil(bytes.length / 20)).map((one) => chunk(one)), last],
    pauseMs: random.between(1, 10),
  }),
  "chunks with extensions and a trailer": ({ bytes }, _, random) => ({
    headers: chunked,
    pieces: [
      ...cut(bytes, random).map((piece) => chunk(piece, ";a=b")),
      Buffer.from("0\r\nX-Trailer: a\r\n\r\n"),
    ],
  }),
  "chunks without an end": ({ bytes }) => ({
    headers: chunked,
    pieces: [chunk(bytes.length === 0 ? Buffer.from("1") : bytes)],
    isEndless: true,
    mayRun: false,
    statuses: [413],
  }),
  "a chunk that is said to be huge": () => ({
    headers: chunked,
    pieces: [Buffer.from("ffffffffff\r\n"), Buffer.alloc(4_096, 0x20)],
    isEndless: true,
    mayRun: false,
    statuses: [400, 413],
  }),
  "a length that is huge": () => ({
    headers: length("1000000000000"),
    pieces: [Buffer.from('"xx')],
    mayRun: false,
    statuses: [413],
  }),
  "a length beyond all numbers": () => ({
    headers: length("9".repeat(40)),
    pieces: [Buffer.from('"xx')],
    mayRun: false,
    statuses: [400, 413],
  }),
  "a length that is too large": ({ bytes }) => ({
    headers: length(bytes.length + 5),
    pieces: [bytes],
    endsStream: true,
    mayRun: false,
    statuses: [],
  }),
  // The remaining bytes are not a request. The handler may receive the declared length.
  "a length that is too small": ({ bytes }, limit) => ({
    headers: length(Math.min(2, limit)),
    pieces: [Buffer.concat([Buffer.from("11"), bytes])],
    mayRun: true,
    statuses: [200, 400, 422],
  }),
  "a length and chunks": ({ bytes }) => ({
    ...odd,
    headers: length(5) + chunked,
    pieces: [chunk(bytes), last],
  }),
  "chunks that break off": ({ bytes }) => ({
    headers: chunked,
    pieces: [chunk(bytes)],
    endsStream: true,
    mayRun: false,
    statuses: [],
  }),
  "a coding": ({ bytes }) => {
    const packed = gzipSync(bytes);
    return {
      headers: `${length(packed.length)}Content-Encoding: gzip\r\n`,
      pieces: [packed],
      mayRun: false,
      statuses: [415],
    };
  },
  "a coding that unpacks to megabytes": () => {
    const packed = gzipSync(Buffer.alloc(8_000_000, 0x20));
    return {
      headers: `${chunked}Content-Encoding: gzip\r\n`,
      pieces: [chunk(packed), last],
      mayRun: false,
      statuses: [415],
    };
  },
};

const contents: readonly (readonly [
  make: (size: number) => Content,
  path: string,
  limit: number,
])[] = [
  [jsonOf, "/usual", limits.usual],
  [jsonOf, "/own", limits.own],
  [formOf, "/typed", limits.usual],
  [multipartOf, "/usual", limits.multipart],
  [multipartOf, "/own", limits.own],
];

const smallContents = contents.filter(([, path]) => path === "/own");

/** Yields `count` cases: every framing in turn, with sizes around the limit and far above it. */
export function makeCases(random: Random, count: number): BodyCase[] {
  const names = Object.keys(framings);
  return Array.from({ length: count }, (_, index) => {
    const title = names[index % names.length] ?? "";
    // A chunk costs workerd 20 µs, so bodies with one byte per chunk are small.
    const isOfBytes = title === "chunks of a byte";
    const [make, path, limit] = random.pick(isOfBytes ? smallContents : contents);
    const size = random.pick([
      random.between(0, limit),
      limit - 1,
      limit,
      limit + 1,
      limit + random.between(2, 70_000),
      limit * 10,
      1_000_000,
    ]);
    const content = make(isOfBytes ? Math.min(size, limit + 500) : size);
    const isWithin = content.bytes.length <= limit;
    const framed = {
      headers: "",
      pieces: [],
      pauseMs: 0,
      isEndless: false,
      endsStream: false,
      mayRun: isWithin,
      statuses: isWithin ? [200] : [413],
      ...framings[title]?.(content, limit, random),
    };
    const wireBytes = framed.pieces.reduce((sum, piece) => sum + piece.length, 0);
    return {
      ...framed,
      title: `${title}, ${content.type.slice(0, 20)}, ${content.bytes.length} of ${limit}`,
      name: `case-${index}`,
      path,
      limit,
      contentType: content.type,
      wireShare: Math.max(1, wireBytes / Math.max(1, content.bytes.length)),
    };
  });
}
