import type { FrameCase, Reply } from "./frame-case.ts";
import type { Conversation } from "./run-case.ts";

/** Returns the violation of RFC 6455 in a conversation; undefined if there is none. */
export function findFault(given: FrameCase, found: Conversation): string | undefined {
  const { violation, closeCode, hasEnded, replies } = found;
  if (violation !== undefined) return violation;
  const { ending } = given;
  const isPrefix = replies.every((reply, at) => isSame(reply, given.replies[at]));
  if (!isPrefix) return `unexpected reply: ${replies.map(describe).join(", ").slice(0, 120)}`;
  if (ending.by !== "server" && replies.length < given.replies.length) {
    return `${replies.length} of ${given.replies.length} replies`;
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

function isSame(reply: Reply, expected: Reply | undefined): boolean {
  return expected?.kind === reply.kind && expected.payload.equals(reply.payload);
}

function describe({ kind, payload }: Reply): string {
  return `${kind} ${JSON.stringify(payload.toString("latin1", 0, 24))}`;
}
