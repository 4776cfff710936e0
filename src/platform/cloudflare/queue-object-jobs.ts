import type {
  FailedJob,
  JobCounts,
  JobRecord,
  JobSnapshot,
  LeasedJob,
  NewJobRecord,
} from "../../queue/queue-adapter.ts";
import type { ObjectSql, SqlValue } from "./durable-object-types.ts";

/** A stored job: the record without the fields that change between attempts. */
type StoredJob = Omit<JobRecord, "attempt" | "dueAt">;

type Row = Readonly<Record<string, unknown>>;

/** Limits of a pull for one name. */
export interface NameLimit {
  readonly name: string;
  readonly max: number;
  readonly leaseMs: number;
}

/**
 * `due` is the end of the lease while `lease` is set. Each statement writes one row, and one of the index if `due`
 * changes: rows written are what Cloudflare charges.
 */
const schema = [
  `CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, priority INTEGER NOT NULL, due INTEGER NOT NULL, seq INTEGER NOT NULL,
    attempt INTEGER NOT NULL, lease TEXT, name TEXT NOT NULL, job TEXT NOT NULL
  ) WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS jobs_due ON jobs (priority, due, seq)",
  `CREATE TABLE IF NOT EXISTS failed (
    id TEXT PRIMARY KEY, attempts INTEGER NOT NULL, error TEXT NOT NULL, failed_at INTEGER NOT NULL,
    job TEXT NOT NULL
  ) WITHOUT ROWID`,
  "CREATE TABLE IF NOT EXISTS taken (id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID",
];

/** Jobs in the database of a Durable Object. Each method is one transaction: none of them waits. */
export class QueueObjectJobs {
  readonly #sql: ObjectSql;
  #lastSeq = 0;

  constructor(sql: ObjectSql) {
    this.#sql = sql;
    for (const statement of schema) sql.exec(statement);
  }

  push(jobs: readonly NewJobRecord[], now: number): void {
    for (const { hasGeneratedId = false, ...job } of jobs) {
      if (!hasGeneratedId && this.#isTaken(job.id, now)) continue;
      if (!this.#add(job, now) || job.keepIdMs === 0) continue;
      const until = job.enqueuedAt + job.keepIdMs;
      this.#run("INSERT OR REPLACE INTO taken (id, until) VALUES (?, ?)", job.id, until);
    }
  }

  #isPending(id: string): boolean {
    return this.#first("SELECT 1 FROM jobs WHERE id = ?", id) !== undefined;
  }

  #isTaken(id: string, now: number): boolean {
    return this.#first("SELECT 1 FROM taken WHERE id = ? AND until > ?", id, now) !== undefined;
  }

  /** Returns false, without effect, if a job with that id is pending. */
  #add(record: JobRecord, now: number): boolean {
    const { attempt, dueAt, ...job } = record;
    // Order of arrival, also across restarts of the object.
    this.#lastSeq = Math.max(this.#lastSeq + 1, now * 1000);
    return this.#run(
      "INSERT OR IGNORE INTO jobs (id, priority, due, seq, attempt, name, job) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[job.id, job.priority, Math.ceil(dueAt), this.#lastSeq, attempt, job.name],
      JSON.stringify(job),
    );
  }

  pull(max: number, limits: readonly NameLimit[], now: number): LeasedJob[] {
    const room = new Map(limits.map((limit) => [limit.name, { ...limit }]));
    const chosen: { row: Row; leaseMs: number }[] = [];
    for (const row of this.#due(now)) {
      if (chosen.length >= max || room.size === 0) break;
      const limit = room.get(String(row["name"]));
      if (limit === undefined) continue;
      chosen.push({ row, leaseMs: limit.leaseMs });
      limit.max -= 1;
      if (limit.max <= 0) room.delete(limit.name);
    }
    return chosen.map(({ row, leaseMs }) => this.#lease(row, Math.ceil(now + leaseMs)));
  }

  /** Reads due jobs, the highest priority first; within one priority the index has the order of due times. */
  *#due(now: number): Generator<Row> {
    let priority = this.#first("SELECT max(priority) AS value FROM jobs")?.["value"];
    while (typeof priority === "number") {
      yield* this.#sql.exec(
        "SELECT id, name, attempt, job FROM jobs WHERE priority = ? AND due <= ? ORDER BY due, seq",
        ...[priority, now],
      );
      const lower = "SELECT max(priority) AS value FROM jobs WHERE priority < ?";
      priority = this.#first(lower, priority)?.["value"];
    }
  }

  #lease(row: Row, dueAt: number): LeasedJob {
    const job = parseJob(row);
    const lease = crypto.randomUUID();
    const attempt = Number(row["attempt"]) + 1;
    const update = "UPDATE jobs SET attempt = ?, lease = ?, due = ? WHERE id = ?";
    this.#run(update, attempt, lease, dueAt, job.id);
    return { ...job, attempt, dueAt, lease };
  }

  renew(id: string, lease: string, leaseMs: number, now: number): boolean {
    const update = "UPDATE jobs SET due = ? WHERE id = ? AND lease = ?";
    return this.#run(update, Math.ceil(now + leaseMs), id, lease);
  }

  ack(id: string, lease: string): boolean {
    return this.#run("DELETE FROM jobs WHERE id = ? AND lease = ?", id, lease);
  }

  retry(id: string, lease: string, atMs: number): boolean {
    const update = "UPDATE jobs SET due = ?, lease = NULL WHERE id = ? AND lease = ?";
    return this.#run(update, Math.ceil(atMs), id, lease);
  }

  release(id: string, lease: string, now: number): boolean {
    const update =
      "UPDATE jobs SET due = ?, lease = NULL, attempt = attempt - 1 WHERE id = ? AND lease = ?";
    return this.#run(update, now, id, lease);
  }

  dead(id: string, lease: string, error: string, now: number): boolean {
    const row = this.#first("SELECT attempt, job FROM jobs WHERE id = ? AND lease = ?", id, lease);
    if (row === undefined) return false;
    const attempts = Math.min(Number(row["attempt"]), parseJob(row).maxAttempts);
    this.#run(
      "INSERT OR REPLACE INTO failed (id, attempts, error, failed_at, job) VALUES (?, ?, ?, ?, ?)",
      // SQLite stores UTF-8: each byte of a lone surrogate would be replaced.
      ...[id, attempts, error.toWellFormed(), now, String(row["job"])],
    );
    return this.ack(id, lease);
  }

  failed(limit: number): FailedJob[] {
    const rows = this.#sql.exec("SELECT * FROM failed ORDER BY failed_at, id LIMIT ?", limit);
    return Array.from(rows, (row) => {
      const { id, name, payload } = parseJob(row);
      const failedAt = Number(row["failed_at"]);
      return { id, name, payload, ...failureOf(row), failedAt };
    });
  }

  retryFailed(id: string, now: number): boolean {
    const row = this.#first("SELECT job FROM failed WHERE id = ?", id);
    if (row === undefined || this.#isPending(id)) return false;
    this.#run("DELETE FROM failed WHERE id = ?", id);
    this.#add({ ...parseJob(row), attempt: 0, dueAt: now }, now);
    return true;
  }

  discardFailed(id: string): boolean {
    return this.#run("DELETE FROM failed WHERE id = ?", id);
  }

  counts(now: number): JobCounts {
    const counts = { waiting: 0, delayed: 0, running: 0, failed: 0 };
    for (const row of this.#sql.exec("SELECT due, lease FROM jobs")) {
      counts[stateOf(row, now)] += 1;
    }
    const failed = this.#first("SELECT count(*) AS value FROM failed")?.["value"];
    return { ...counts, failed: Number(failed) };
  }

  find(id: string, now: number): JobSnapshot | undefined {
    const pending = this.#first("SELECT due, lease, attempt, job FROM jobs WHERE id = ?", id);
    const row = pending ?? this.#first("SELECT * FROM failed WHERE id = ?", id);
    if (row === undefined) return undefined;
    const { name, payload, maxAttempts, enqueuedAt } = parseJob(row);
    const job = { id, name, payload, maxAttempts, enqueuedAt };
    if (pending !== undefined) {
      return { ...job, state: stateOf(pending, now), attempt: Number(pending["attempt"]) };
    }
    const { attempts, error } = failureOf(row);
    return { ...job, state: "failed", attempt: attempts, error };
  }

  cancel(id: string, now: number): boolean {
    return this.#run("DELETE FROM jobs WHERE id = ? AND (lease IS NULL OR due <= ?)", id, now);
  }

  /** Returns the earliest due time or end of a lease, in milliseconds since the epoch; undefined without jobs. */
  nextDueAt(): number | undefined {
    let earliest: number | undefined;
    let priority = this.#first("SELECT max(priority) AS value FROM jobs")?.["value"];
    while (typeof priority === "number") {
      const due = Number(
        this.#first("SELECT min(due) AS value FROM jobs WHERE priority = ?", priority)?.["value"],
      );
      earliest = Math.min(earliest ?? due, due);
      const lower = "SELECT max(priority) AS value FROM jobs WHERE priority < ?";
      priority = this.#first(lower, priority)?.["value"];
    }
    return earliest;
  }

  /** Removes ids whose time is over. */
  forgetTaken(now: number): void {
    this.#run("DELETE FROM taken WHERE until <= ?", now);
  }

  #first(query: string, ...bindings: SqlValue[]): Row | undefined {
    for (const row of this.#sql.exec(query, ...bindings)) return row;
    return undefined;
  }

  /** Returns true if a row was written. */
  #run(query: string, ...bindings: SqlValue[]): boolean {
    return this.#sql.exec(query, ...bindings).rowsWritten > 0;
  }
}

/** Unchecked cast: only this class writes the column. */
function parseJob(row: Row): StoredJob {
  return JSON.parse(String(row["job"])) as StoredJob;
}

function failureOf(row: Row): { readonly attempts: number; readonly error: string } {
  return { attempts: Number(row["attempts"]), error: String(row["error"]) };
}

function stateOf(row: Row, now: number): "waiting" | "delayed" | "running" {
  if (Number(row["due"]) <= now) return "waiting";
  return row["lease"] === null ? "delayed" : "running";
}
