/** What the name of a job's key in KV tells, so that no value has to be read to choose a job. */
export interface JobKey {
  /** Not to be taken before; for a leased job the end of the lease. Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly priority: number;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /** How often the job was taken. */
  readonly attempt: number;
  /** Whether it waits to be taken, or is taken until `dueAt`. */
  readonly state: "waiting" | "leased";
  /** Makes the name unlike any other: a key is written once, and once deleted never comes back. */
  readonly token: string;
  readonly id: string;
}

const timeDigits = 15;
const priorityDigits = 7;
const largestPriority = 1_000_000;
const attemptDigits = 6;

/**
 * `<due>/<priority>/<enqueued>/<attempt>/<w or l>/<token>/<id>`: KV lists keys in the order of their bytes, so
 * what is due longest comes first, and of equal times the higher priority.
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

/** The parts of a key without its prefix; undefined when it is none of ours. */
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
