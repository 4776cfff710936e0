import { frame } from "./frames.ts";
import type { SearchKind } from "./kind.ts";
import { repeatUsual } from "./request.ts";

const payloads = ["", "a", "\xc3\xa4", "\xff", "\xe2\x82", "\0", "{}", "a".repeat(125), "é"];

/** Frames of a WebSocket: messages, fragments, pings, and what no client may send. */
export const webSocketKind: SearchKind = {
  name: "WebSocket frames",
  length: 16_384,
  isFrames: true,
  createText(random) {
    const payload = random.pick(payloads).repeat(random.pick([1, 1, 1, 10]));
    const small = payload.slice(0, 125);
    return random.pick([
      frame(0x81, payload),
      frame(0x82, payload),
      frame(0x89, small),
      frame(0x8a, small),
      // The beginning of a message, a fragment, and the last one.
      frame(0x01, payload) + frame(0x80, ""),
      frame(0x01, "") + frame(0x00, small).repeat(random.pick([1, 50])) + frame(0x80, ""),
      frame(0x02, "") + frame(0x89, "") + frame(0x80, small),
      ...(random.chance(0.1) ? [frame(0x00, small), frame(0x83, small), frame(0x88, small)] : []),
    ]);
  },
  writeBenign: (length) =>
    repeatUsual(length, (at) => frame(0x81, `{"type":"move","piece":${at % 32}}`)),
  encode: (pieces) => Buffer.from(pieces.join(""), "latin1"),
};
