import { maxMessageBytes } from "./application.ts";
import { compress } from "./frame.ts";
import {
  binary,
  binaryReply,
  byClient,
  close,
  type FrameCase,
  more,
  text,
  textReply,
} from "./frame-case.ts";

/** Bytes as hexadecimal digits: the boundaries of UTF-8 (RFC 3629), and characters that are not. */
const validUtf8 = [
  "68656c6c6f24776f726c64",
  "68656c6c6fc2a2776f726c64",
  "68656c6c6fe282ac776f726c64",
  "68656c6c6ff0a4ada2776f726c64",
  "cebae1bdb9cf83cebcceb5",
  "00",
  "c280",
  "e0a080",
  "f0908080",
  "7f",
  "dfbf",
  "efbfbf",
  "f48fbfbf",
  "ed9fbf",
  "ee8080",
  "efbfbd",
  "efbfbe",
  "f09fbfbf",
  "efbbbf61",
];
const invalidUtf8 = [
  "cebae1bdb9cf83cebcceb5eda080656469746564",
  "f888808080",
  "fc8480808080",
  "f7bfbfbf",
  "fbbfbfbfbf",
  "fdbfbfbfbfbf",
  "f4908080",
  "80",
  "bf",
  "80bf80bf80bf",
  "c020",
  "e020",
  "f020",
  "c0",
  "e080",
  "f08080",
  "df",
  "efbf",
  "f0908f",
  "fe",
  "ff",
  "fefeffff",
  "c0af",
  "e080af",
  "f08080af",
  "c1bf",
  "e09fbf",
  "f08fbfbf",
  "eda080",
  "edbfbf",
  "eda080edb080",
];

/** Splits bytes into one fragment each. */
function byteFragments(bytes: Buffer): FrameCase["steps"] {
  const last = bytes.length - 1;
  return [...bytes].map((byte, at) =>
    at === 0
      ? text(Buffer.from([byte]), { fin: at === last })
      : more(Buffer.from([byte]), at === last),
  );
}

/** Text that is UTF-8 and text that is not, whole and in fragments of a byte (section 8.1). */
export function utf8Cases(): FrameCase[] {
  const group = "UTF-8";
  const ways = [
    { suffix: "", stepsOf: (bytes: Buffer): FrameCase["steps"] => [text(bytes)] },
    { suffix: ", in fragments of a byte", stepsOf: byteFragments },
  ];
  return ways.flatMap(({ suffix, stepsOf }) => [
    ...validUtf8.map((hex): FrameCase => {
      const bytes = Buffer.from(hex, "hex");
      const replies = [textReply(bytes)];
      const title = `valid ${hex}${suffix}`;
      return { group, title, steps: stepsOf(bytes), replies, ending: byClient };
    }),
    ...invalidUtf8.map((hex): FrameCase => {
      return {
        group,
        title: `invalid ${hex}${suffix}`,
        steps: stepsOf(Buffer.from(hex, "hex")),
        replies: [],
        ending: { by: "server", codes: [1007] },
      };
    }),
  ]);
}

/** The closing handshake (sections 5.5.1 and 7.4). */
export function closeCases(): FrameCase[] {
  const group = "closing";
  const hello = "Good evening!";
  const anyCode = [1000, 1001, 1005];
  const codes = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
  const badCodes = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535];
  const good: readonly (readonly [string, FrameCase["steps"], FrameCase["replies"]])[] = [
    ["no code", [close()], []],
    ["two close frames", [close(1000), close(1000)], []],
    ["a ping after the close frame", [close(1000), { opcode: 9 }], []],
    ["a message after the close frame", [close(1000), text("late")], []],
    ["a fragment after the close frame", [text("a", { fin: false }), close(1000), more("b")], []],
    ["a message, then the close frame", [text(hello), 100, close(1000)], [textReply(hello)]],
    ["a reason", [close(1000, hello)], []],
    ["a reason of 123 bytes", [close(1000, "*".repeat(123))], []],
  ];
  const bad: readonly (readonly [string, FrameCase["steps"], readonly number[]])[] = [
    ["a payload of one byte", [{ opcode: 8, payload: Buffer.from("a") }], [1002]],
    ["a reason that is not UTF-8", [close(1000, Buffer.from("cebaeda080", "hex"))], [1007, 1002]],
    ...badCodes.map((code) => [`the code ${code}`, [close(code)], [1002]] as const),
  ];
  return [
    ...good.map(([title, steps, replies]): FrameCase => {
      return { group, title, steps, replies, ending: { by: "handshake", codes: anyCode } };
    }),
    ...codes.map((code): FrameCase => {
      const ending = { by: "handshake", codes: [...anyCode, code] } as const;
      return { group, title: `the code ${code}`, steps: [close(code)], replies: [], ending };
    }),
    ...bad.map(([title, steps, endCodes]): FrameCase => {
      const ending = { by: "server", codes: endCodes } as const;
      return { group, title: `bad: ${title}`, steps, replies: [], ending };
    }),
  ];
}

/** Messages above the application's limit, also as fragments and compressed (code 1009). */
export function limitCases(): FrameCase[] {
  const tooLarge = { by: "server", codes: [1009] } as const;
  const half = Buffer.alloc(maxMessageBytes / 2, 97);
  const rest = { group: "limit", replies: [], ending: tooLarge };
  return [
    { ...rest, title: "text", steps: [text("a".repeat(maxMessageBytes + 1))] },
    { ...rest, title: "bytes", steps: [binary(Buffer.alloc(maxMessageBytes + 1))] },
    {
      ...rest,
      title: "fragments",
      steps: [text(half, { fin: false }), more(half), more("a", true)],
    },
    {
      ...rest,
      title: "three times the limit in fragments",
      steps: [text(half, { fin: false }), ...[1, 2, 3, 4].map(() => more(half)), more(half, true)],
    },
  ];
}

const parameters = ["server_no_context_takeover", "client_no_context_takeover"].join("; ");

/** Compressed messages (RFC 7692), if the server accepts the extension. */
export function compressionCases(): FrameCase[] {
  const group = "compression";
  const offers = [
    `permessage-deflate; ${parameters}`,
    `permessage-deflate; ${parameters}; client_max_window_bits`,
    `permessage-deflate; ${parameters}; server_max_window_bits=9`,
    `permessage-deflate; ${parameters}, permessage-deflate`,
  ];
  const sizes = [0, 16, 64, 256, 1_024, 8_192, 65_536, 131_072];
  return offers.flatMap((extension, offer) =>
    sizes.flatMap((size): FrameCase[] => {
      const words = Buffer.from('{"title":"A quiet day","pages":214},'.repeat(4_000));
      const value = words.subarray(0, size);
      const rest = { group, extension, ending: byClient };
      return [
        {
          ...rest,
          title: `offer ${offer + 1}, text of ${size} bytes`,
          steps: [text(value)],
          replies: [textReply(value)],
        },
        {
          ...rest,
          title: `offer ${offer + 1}, ${size} bytes three times`,
          steps: [binary(value), binary(value), binary(value)],
          replies: [binaryReply(value), binaryReply(value), binaryReply(value)],
        },
      ];
    }),
  );
}

/** A message that is small compressed and above the limit decompressed. */
export function bombCase(): FrameCase {
  const bytes = Buffer.alloc(maxMessageBytes * 8);
  return {
    group: "compression",
    title: "a compressed message of eight times the limit",
    extension: `permessage-deflate; ${parameters}`,
    steps: [{ opcode: 2, payload: compress(bytes), rsv: 4 }],
    replies: [],
    ending: { by: "server", codes: [1009, 1002, 1007] },
  };
}
