/** Fields encoded in the name of a job's KV key, so that jobs are selected without reading values. */
export interface JobKey {
  /** Earliest time to run; for a leased job, the end of the lease. Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly priority: number;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /** Number of times the job was leased. */
  readonly attempt: number;
  /** `waiting`, or `leased` until `dueAt`. */
  readonly state: "waiting" | "leased";
  /** Makes the key unique: a key is written once, and is never reused after deletion. */
  readonly token: string;
  readonly id: string;
}

const timeDigits = 15;
const priorityDigits = 7;
const largestPriority = 1_000_000;
const attemptDigits = 6;

/**
 * `<due>/<priority>/<enqueued>/<attempt>/<w or l>/<token>/<id>`: KV lists keys in byte order, so jobs due
 * longest come first and, at equal times, those of higher priority.
 */
export function formatJobKey(key: JobKey): string {
  return [
    String(Math.max(0, Math.ceil(key.dueAt))).padStart(timeDigits, "0"),
    String(largestPriority - key.priority).padStart(priorityDigits, "0"),
    String(key.enqueuedAt).padStart(timeDigits, "0"),
    String(key.attempt).padStart(attemptDigits, "0"),
    key.state === "leased" ? "l" : "w",
    key.token,
    key.id,
  ].join("/");
}

/** Parses a key without its prefix; returns undefined if it has another format. */
export function parseJobKey(text: string): JobKey | undefined {
  const match = /^(\d{15})\/(\d{7})\/(\d{15})\/(\d{6})\/([lw])\/([^/]+)\/(.+)$/su.exec(text);
  if (match === null) return undefined;
  const [, dueAt, priority, enqueuedAt, attempt, state, token, id] = match;
  if (token === undefined || id === undefined) return undefined;
  return {
    dueAt: Number(dueAt),
    priority: largestPriority - Number(priority),
    enqueuedAt: Number(enqueuedAt),
    attempt: Number(attempt),
    state: state === "l" ? "leased" : "waiting",
    token,
    id,
  };
}
