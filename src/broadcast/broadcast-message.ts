import { EspalierError } from "../errors.ts";
import { stringifyLossless } from "../util/stringify-lossless.ts";

/** A broadcast as it travels, in JSON. */
export interface BroadcastMessage {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Id of the application that has sent it. */
  readonly sender: string;
  readonly payload: unknown;
}

/**
 * Serialises a broadcast.
 *
 * @throws EspalierError `ERR_BROADCAST_NOT_JSON` for a payload with data that JSON would lose
 */
export function writeMessage(name: string, sender: string, payload: unknown): string {
  const details = { id: crypto.randomUUID(), timestamp: Date.now(), sender };
  if (payload === undefined) return JSON.stringify(details);
  const json = stringifyLossless(payload);
  if ("text" in json) return `${JSON.stringify(details).slice(0, -1)},"payload":${json.text}}`;
  throw new EspalierError(
    "ERR_BROADCAST_NOT_JSON",
    `The payload of the broadcast "${name}" cannot be sent: ${json.problem} ` +
      "Send plain data: objects, arrays, strings, numbers, booleans and null.",
    "cause" in json ? { cause: json.cause } : undefined,
  );
}

/** Parses a broadcast; undefined for a message that is not one. */
export function readMessage(text: string): BroadcastMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is BroadcastMessage {
  return typeof value === "object" && value !== null && "id" in value && "sender" in value;
}
