import type { JobRecord } from "../../queue/queue-adapter.ts";

/** A pending job; the payload is stored as bytes, because the database limits its size in bytes. */
export interface StoredJob extends Omit<JobRecord, "payload"> {
  readonly payload: Uint8Array;
  /** Token of the message that runs the job; messages with another token are stale. */
  readonly token: string;
  readonly lease?: string;
}

/** A failed job. */
export interface StoredFailure extends StoredJob {
  readonly error: string;
  readonly failedAt: number;
}

/** Returns the payload of a stored job. */
export function decodePayload({ payload }: StoredJob): unknown {
  return JSON.parse(new TextDecoder().decode(payload));
}

/** Message in the database's own queue. */
export interface Wake {
  readonly espalierQueue: string;
  readonly id: string;
  readonly token: string;
}

/** Returns true for a message of a queue of jobs; the database may have other messages. */
export function isWake(message: unknown): message is Wake {
  return typeof message === "object" && message !== null && "espalierQueue" in message;
}
