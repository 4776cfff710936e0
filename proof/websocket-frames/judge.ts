import type { FrameCase, Reply } from "./frame-case.ts";
import type { Conversation } from "./run-case.ts";

/** Returns the violation of RFC 6455 in a conversation; undefined if there is none. */
export function findFault(given: FrameCase, found: Conversation): string | undefined {
  const { violation, closeCode, hasEnded, replies } = found;
  if (violation !== undefined) return violation;
  const { ending } = given;
  const expected = withoutSkippedPongs(given.replies, replies);
  const isPrefix = replies.every((reply, at) => isSame(reply, expected[at]));
  if (!isPrefix) return `unexpected reply: ${replies.map(describe).join(", ").slice(0, 120)}`;
  if (ending.by !== "server" && replies.length < expected.length) {
    return `${replies.length} of ${expected.length} replies`;
  }
  if (closeCode === undefined && !hasEnded) return "the connection stays open";
  if (ending.by === "server") {
    // A server may end the connection without a close frame (section 7.1.7).
    if (closeCode === undefined || ending.codes.includes(closeCode)) return undefined;
    return `closed with ${closeCode}, expected ${ending.codes.join(" or ")}`;
  }
  if (closeCode === undefined) return "no close frame in reply";
  const codes = ending.by === "client" ? [1000, 1005] : ending.codes;
  if (!codes.includes(closeCode)) return `closed with ${closeCode}, expected ${codes.join(" or ")}`;
  return hasEnded ? undefined : "the connection stays open after the closing handshake";
}

/**
 * Returns the expected replies without the pongs that were not sent: of several pings that arrive together, a server may
 * reply to the last one alone (section 5.5.3). On a busy machine they do, in spite of the pauses between them.
 */
function withoutSkippedPongs(expected: readonly Reply[], replies: readonly Reply[]): Reply[] {
  let at = 0;
  return expected.filter((reply, index) => {
    const isSent = isSame(reply, replies[at]);
    if (isSent) at += 1;
    return isSent || reply.kind !== "pong" || expected[index + 1]?.kind !== "pong";
  });
}

function isSame(one: Reply, other: Reply | undefined): boolean {
  return other?.kind === one.kind && other.payload.equals(one.payload);
}

function describe({ kind, payload }: Reply): string {
  return `${kind} ${JSON.stringify(payload.toString("latin1", 0, 24))}`;
}
