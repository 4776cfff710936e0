import { type Frame, opcodes } from "./frame.ts";
import {
  binary,
  binaryReply,
  byClient,
  close,
  type Ending,
  type FrameCase,
  more,
  ping,
  pong,
  pongReply,
  protocolError,
  text,
  textReply,
} from "./frame-case.ts";

const hello = "Good morning!";

/** Messages of every length encoding, whole and in pieces (RFC 6455, section 5.2). */
export function lengthCases(): FrameCase[] {
  const group = "lengths";
  return [0, 1, 125, 126, 127, 128, 65_535, 65_536, 262_144, 1_048_576].flatMap((length) => {
    const value = "*".repeat(length);
    const bytes = Buffer.alloc(length, 0xfe);
    const pieces = [undefined, ...(length <= 65_536 ? [997] : []), ...(length <= 128 ? [1] : [])];
    return pieces.flatMap((size): FrameCase[] => {
      const piece = size === undefined ? {} : { pieceBytes: size };
      const suffix = size === undefined ? "" : `, in pieces of ${size}`;
      const rest = { group, ...piece, ending: byClient };
      return [
        {
          ...rest,
          title: `text of ${length} bytes${suffix}`,
          steps: [text(value)],
          replies: [textReply(value)],
        },
        {
          ...rest,
          title: `${length} bytes${suffix}`,
          steps: [binary(bytes)],
          replies: [binaryReply(bytes)],
        },
      ];
    });
  });
}

/** Control frames (section 5.5). */
export function controlCases(): FrameCase[] {
  const bytes = Buffer.from([0x00, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0x00, 0xff]);
  const long = Buffer.alloc(125, 0xfe);
  const tooLong = Buffer.alloc(126, 0xfe);
  const ten = Array.from({ length: 10 }, (_, at) => `ping ${at}`);
  const good: readonly (readonly [string, FrameCase["steps"], FrameCase["replies"]])[] = [
    ["ping without a payload", [ping()], [pongReply()]],
    ["ping with text", [ping(hello)], [pongReply(hello)]],
    ["ping with bytes that are not UTF-8", [ping(bytes)], [pongReply(bytes)]],
    ["ping of 125 bytes", [ping(long)], [pongReply(long)]],
    ["pong that was not requested", [pong()], []],
    ["pong with a payload that was not requested", [pong("for nothing")], []],
    ["pong, then a ping", [pong("for nothing"), ping(hello)], [pongReply(hello)]],
    // With pauses: a server may reply to the last of several pings alone (section 5.5.3).
    ["ten pings", ten.flatMap((value) => [ping(value), 30]), ten.map((value) => pongReply(value))],
  ];
  const bad: readonly (readonly [string, FrameCase["steps"]])[] = [
    ["ping of 126 bytes", [ping(tooLong)]],
    ["pong of 126 bytes", [pong(tooLong)]],
    ["close of 126 bytes", [close(1000, Buffer.alloc(124, 97))]],
    ["ping in two fragments", [ping("a", { fin: false }), more("b", true)]],
    ["pong in two fragments", [pong("a", { fin: false }), more("b", true)]],
  ];
  return [
    ...good.flatMap(([title, steps, replies]): FrameCase[] => {
      const rest = { group: "control frames", steps, replies, ending: byClient };
      return [
        { ...rest, title },
        { ...rest, title: `${title}, in pieces of 1`, pieceBytes: 1 },
      ];
    }),
    ...bad.map(([title, steps]): FrameCase => {
      return { group: "control frames", title, steps, replies: [], ending: protocolError };
    }),
  ];
}

/** Reserved bits and opcodes, and what only a server may send (sections 5.1 and 5.2). */
export function reservedCases(): FrameCase[] {
  const group = "reserved bits and opcodes";
  type Reserved = Pick<FrameCase, "title"> & { readonly frame: Frame; readonly ending?: Ending };
  const bits = [1, 2, 3, 4, 5, 6, 7].flatMap((rsv) => [
    { title: `text with reserved bits ${rsv}`, frame: text(hello, { rsv }) },
    { title: `ping with reserved bits ${rsv}`, frame: ping(hello, { rsv }) },
    { title: `close with reserved bits ${rsv}`, frame: { ...close(1000), rsv } },
  ]);
  const codes = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap((opcode) => [
    { title: `opcode ${opcode}`, frame: { opcode } },
    { title: `opcode ${opcode} with a payload`, frame: { opcode, payload: Buffer.from(hello) } },
  ]);
  const others: readonly Reserved[] = [
    { title: "text without a mask", frame: text(hello, { isMasked: false }) },
    { title: "ping without a mask", frame: ping(hello, { isMasked: false }) },
    {
      title: "a length with the highest bit",
      frame: binary(Buffer.alloc(8), { declaredLength: 2n ** 63n + 8n }),
      // Too large as well.
      ending: { by: "server", codes: [1002, 1009] } as const,
    },
  ];
  const all: readonly Reserved[] = [...bits, ...codes, ...others];
  return all.flatMap(({ title, frame, ending = protocolError }): FrameCase[] => [
    { group, title, steps: [frame], replies: [], ending },
    {
      group,
      title: `${title}, between a message and a ping`,
      steps: [text(hello), frame, ping()],
      replies: [textReply(hello)],
      ending,
    },
  ]);
}

/** Fragments and the frames between them (section 5.4). */
export function fragmentCases(): FrameCase[] {
  const start = text("one ", { fin: false });
  const parts = "one two three four";
  const good: readonly (readonly [string, FrameCase["steps"], FrameCase["replies"]])[] = [
    ["two fragments", [start, more("two", true)], [textReply("one two")]],
    [
      "two binary fragments",
      [binary(Buffer.from([1, 0xff]), { fin: false }), more(Buffer.from([0xfe, 2]), true)],
      [binaryReply(Buffer.from([1, 0xff, 0xfe, 2]))],
    ],
    ["empty fragments", [text("", { fin: false }), more(""), more("", true)], [textReply("")]],
    [
      "a payload in the middle fragment only",
      [text("", { fin: false }), more("middle"), more("", true)],
      [textReply("middle")],
    ],
    [
      "a ping between two fragments",
      [start, ping(hello), more("two", true)],
      [pongReply(hello), textReply("one two")],
    ],
    [
      "pings between four fragments, with a pause",
      [start, more("two "), ping("a"), 150, more("three "), ping("b"), more("four", true)],
      [pongReply("a"), pongReply("b"), textReply(parts)],
    ],
    [
      "a character that is split by fragments",
      [
        text(Buffer.from([0x67, 0xc3]), { fin: false }),
        more(Buffer.from([0xb6])),
        more("\u{1f4da}", true),
      ],
      [textReply("g\u00f6\u{1f4da}")],
    ],
  ];
  const bad: readonly (readonly [string, FrameCase["steps"], FrameCase["replies"]])[] = [
    ["a last fragment without a first", [more("lost", true), text(hello)], []],
    ["a fragment without a first", [more("lost"), text(hello)], []],
    [
      "a fragment after the last one",
      [start, more("two", true), more("three"), text(hello)],
      [textReply("one two")],
    ],
    ["a message between fragments", [start, text(hello), more("two", true)], []],
    [
      "a first fragment between fragments",
      [start, text("x", { fin: false }), more("two", true)],
      [],
    ],
    ["a binary message between fragments", [start, binary(Buffer.from([1])), more("", true)], []],
  ];
  const group = "fragments";
  return [
    ...good.flatMap(([title, steps, replies]): FrameCase[] => [
      { group, title, steps, replies, ending: byClient },
      {
        group,
        title: `${title}, in pieces of 1`,
        steps,
        pieceBytes: 1,
        replies,
        ending: byClient,
      },
    ]),
    ...bad.map(([title, steps, replies]): FrameCase => {
      return { group, title, steps, replies, ending: protocolError };
    }),
    ...[64, 256, 4_096, 65_536].map((size): FrameCase => {
      const bytes = Buffer.from(Array.from({ length: 65_536 }, (_, at) => at % 251));
      const frames = Array.from({ length: bytes.length / size }, (_, at) => {
        const payload = bytes.subarray(at * size, (at + 1) * size);
        const fin = (at + 1) * size === bytes.length;
        return { opcode: at === 0 ? opcodes.binary : opcodes.more, payload, fin };
      });
      return {
        group,
        title: `65,536 bytes in fragments of ${size}`,
        steps: frames,
        replies: [binaryReply(bytes)],
        ending: byClient,
      };
    }),
  ];
}
