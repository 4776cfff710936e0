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
