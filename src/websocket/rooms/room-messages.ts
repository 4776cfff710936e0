import { bytesOfBase64, encodeBase64 } from "../../util/base64url.ts";
import type { RoomMember } from "./room-types.ts";

/** Content of a message to members: a string, or bytes in base64. */
export type RoomContent = { readonly text: string } | { readonly base64: string };

/** Messages about a room between the instances of an application. */
export type RoomMessage<Data> =
  /** A message for the members. */
  | { readonly type: "data"; readonly content: RoomContent; readonly except?: string }
  | PresenceMessage<Data>
  /** Asks for the members of all other instances, or of one. */
  | { readonly type: "sync"; readonly from: string; readonly to?: string };

/** A message about the members of one instance. `change` counts their changes, so that a lost one is noticed. */
export type PresenceMessage<Data> = { readonly from: string; readonly change: number } & (
  | { readonly type: "joined" | "left"; readonly member: RoomMember<Data> }
  /** All members, in one or more parts. */
  | {
      readonly type: "members";
      readonly members: readonly RoomMember<Data>[];
      readonly isLast: boolean;
    }
  /** The instance still has members. */
  | { readonly type: "alive" }
  /** The instance stops. */
  | { readonly type: "gone" }
);

/** Returns the content of a message as JSON can hold it. */
export function toContent(data: string | Uint8Array | ArrayBuffer): RoomContent {
  if (typeof data === "string") return { text: data };
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  return { base64: encodeBase64(bytes) };
}

/** Returns the string or bytes of a content. */
export function fromContent(content: RoomContent): string | Uint8Array<ArrayBuffer> {
  if ("text" in content) return content.text;
  return bytesOfBase64(content.base64);
}

/** Size of one part of a list of members, in characters of JSON: PostgreSQL carries less than 8,000 bytes. */
const partLength = 2000;

/** Splits members into parts, each small enough for every adapter; at least one part. */
export function splitMembers<Data>(
  members: Iterable<RoomMember<Data>>,
): readonly (readonly RoomMember<Data>[])[] {
  const parts: RoomMember<Data>[][] = [[]];
  let length = 0;
  for (const member of members) {
    const memberLength = JSON.stringify(member).length;
    length += memberLength;
    if (length > partLength && parts.at(-1)?.length !== 0) {
      parts.push([]);
      length = memberLength;
    }
    parts.at(-1)?.push(member);
  }
  return parts;
}
