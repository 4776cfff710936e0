import type { Backoff } from "../../queue/backoff.ts";
import type { JobRecord, LeasedJob } from "../../queue/queue-adapter.ts";

/** Body of a message: a job, and the number of attempts used by its earlier messages. */
export interface JobMessage extends Omit<JobRecord, "attempt"> {
  readonly espalier: 1;
  readonly attemptsBefore: number;
  /** Present if the job failed with attempts left. */
  readonly failure?: MessageFailure;
}

/** Failure of a job, in the body of its message. */
export interface MessageFailure {
  readonly attempts: number;
  /** Error message; absent if the payload leaves no room for it. */
  readonly error?: string;
}

/** An error message takes up to 6 bytes a character, and is stored beside payloads of up to 90 KB only. */
const maxErrorLength = 1000;
const maxPayloadLengthWithError = 30_000;

/** Parses the job in a message body; returns undefined for a foreign message. */
export function parseJob(body: unknown): JobMessage | undefined {
  if (typeof body !== "object" || body === null || !("espalier" in body)) return undefined;
  const { id, name, backoff } = body as { id?: unknown; name?: unknown; backoff?: Backoff };
  if (typeof id !== "string" || typeof name !== "string" || typeof backoff !== "object") {
    return undefined;
  }
  // Only the adapter sends bodies with the marker `espalier`; the fields checked above are required.
  return body as JobMessage;
}

/** Creates the failure of a job, with as much of its error as the message has room for. */
export function toFailure({ attempt, payload }: LeasedJob, error: string): MessageFailure {
  const hasRoom = (JSON.stringify(payload) ?? "").length <= maxPayloadLengthWithError;
  return { attempts: attempt, ...(hasRoom ? { error: error.slice(0, maxErrorLength) } : {}) };
}

/** Parses the failure in a message body; without a valid one the job has used all its attempts. */
export function parseFailure(failure: unknown, maxAttempts: number): Required<MessageFailure> {
  const text = "Cloudflare Queues moved it to the dead-letter queue";
  const { attempts, error } = (failure ?? {}) as { attempts?: unknown; error?: unknown };
  const isValid =
    Number.isInteger(attempts) && Number(attempts) >= 1 && Number(attempts) <= maxAttempts;
  if (!isValid) return { attempts: maxAttempts, error: text };
  return {
    attempts: Number(attempts),
    error: typeof error === "string" ? error.slice(0, maxErrorLength) : text,
  };
}
