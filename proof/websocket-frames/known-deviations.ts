import type { FrameCase } from "./frame-case.ts";

export const runtimes = ["node", "deno", "bun", "workerd"] as const;
export type Runtime = (typeof runtimes)[number];

/** Behaviour of a runtime's own WebSockets that an application cannot change. */
interface Deviation {
  readonly runtime: Runtime;
  readonly group: string;
  /** Matches the title of a case. */
  readonly title: RegExp;
  /** Matches the fault. */
  readonly fault: RegExp;
  readonly reason: string;
}

const deviations: readonly Deviation[] = [
  {
    runtime: "deno",
    group: "reserved bits and opcodes",
    title: /without a mask/,
    fault: /^unexpected reply/,
    reason: "Deno accepts frames without a mask.",
  },
  {
    runtime: "deno",
    group: "control frames",
    title: /^(close|pong) of 126 bytes$/,
    fault: /bad control frame|closed with 1000/,
    reason: "Deno accepts pong and close frames of more than 125 bytes, and returns the latter.",
  },
  {
    runtime: "deno",
    group: "fragments",
    title: /^a first fragment between fragments$/,
    fault: /^unexpected reply/,
    reason: "Deno discards an unfinished message when another one starts.",
  },
  {
    runtime: "deno",
    group: "UTF-8",
    title: /^invalid .*, in fragments of a byte$/,
    fault: /^unexpected reply: text ""/,
    reason: "Deno discards an incomplete character at the end of a fragmented message.",
  },
  {
    runtime: "workerd",
    group: "UTF-8",
    title: /^invalid /,
    fault: /^unexpected reply/,
    reason: "workerd replaces invalid UTF-8 by U+FFFD.",
  },
  {
    runtime: "workerd",
    group: "closing",
    title: /^bad: /,
    fault: /^closed with \d+, expected/,
    reason: "workerd completes the closing handshake without checking code and reason.",
  },
  {
    runtime: "workerd",
    group: "control frames",
    title: /^(close|ping|pong) of 126 bytes$/,
    fault: /bad control frame|closed with 1000/,
    reason: "workerd accepts control frames of more than 125 bytes, and returns their payload.",
  },
  {
    runtime: "workerd",
    group: "reserved bits and opcodes",
    title: /without a mask|reserved bits 4/,
    fault: /^unexpected reply|bad control frame/,
    reason: "workerd accepts frames without a mask, and the compressed bit on control frames.",
  },
];

/** Returns `true` for a known deviation. */
export function isKnown(runtime: Runtime, { group, title }: FrameCase, fault: string): boolean {
  return deviations.some(
    (one) =>
      one.runtime === runtime &&
      one.group === group &&
      one.title.test(title) &&
      one.fault.test(fault),
  );
}
