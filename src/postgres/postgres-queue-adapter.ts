import { CallBatch } from "../queue/call-batch.ts";
import type {
  FailedJob,
  JobCounts,
  JobSnapshot,
  JobState,
  LeasedJob,
  NewJobRecord,
  PullRequest,
  PushOptions,
  QueueAdapter,
  QueueFeature,
} from "../queue/queue-adapter.ts";
import { badOption, type OptionNames } from "../util/options.ts";
import { ExpiredRows } from "./expired-rows.ts";
import { encodeJobs, toFailedJob, toLeasedJob, toSnapshot } from "./job-rows.ts";
import { type JobStatements, writeJobStatements } from "./job-statements.ts";
import {
  connectTransaction,
  type PostgresConnection,
  type PostgresRow,
  type PostgresValue,
} from "./postgres-client.ts";
import { listenForNotifications } from "./postgres-listener.ts";
import { checkPostgresOptions, type PostgresStoreOptions } from "./postgres-options.ts";

/** Options of {@link PostgresQueueAdapter}. */
export interface PostgresQueueAdapterOptions extends PostgresStoreOptions {
  /**
   * Wakes workers by LISTEN and NOTIFY instead of polling alone; default true. It occupies one connection of a
   * pool of pg. Set it to false behind a pooler in transaction mode, through which LISTEN does not work.
   */
  readonly notifications?: boolean;
  /**
   * Prepares the frequent statements on each connection of a pool of pg and of postgres.js, which halves their cost;
   * default: the value of `notifications`. A pooler in transaction mode may not support it.
   */
  readonly prepare?: boolean;
}

const optionNames: OptionNames<PostgresQueueAdapterOptions> = {
  client: true,
  schema: true,
  notifications: true,
  prepare: true,
};

interface EndedJob {
  readonly id: string;
  readonly lease: string;
}

/**
 * Queue adapter over tables of PostgreSQL, with `for update skip locked`. Jobs can be enqueued in a transaction
 * of the application: they exist exactly if it commits.
 *
 * @example
 * import { Pool } from "pg";
 * app.useQueue(new PostgresQueueAdapter({ client: new Pool({ connectionString: env.DATABASE_URL }) }));
 */
export class PostgresQueueAdapter implements QueueAdapter {
  readonly name = "postgres";
  readonly features: readonly QueueFeature[] = ["transaction", "keepIdMs"];
  readonly #connection: PostgresConnection;
  readonly #statements: JobStatements;
  /** Channel of the notifications; null without. */
  readonly #channel: string | null;
  /** Prefix of the names of prepared statements; undefined if none is prepared. */
  readonly #prefix: string | undefined;
  readonly #pushes = new CallBatch((pushes: readonly (readonly NewJobRecord[])[]) =>
    this.#pushTogether(pushes),
  );
  readonly #acks = new CallBatch((done: readonly EndedJob[]) => this.#ackTogether(done));
  readonly #expiredIds: ExpiredRows;

  /** @throws EspalierError `ERR_POSTGRES_BAD_OPTION`, `ERR_POSTGRES_BAD_CLIENT` */
  constructor(options: PostgresQueueAdapterOptions) {
    const name = "PostgresQueueAdapter";
    const { connection, schema } = checkPostgresOptions(name, options, optionNames);
    const notifications = checkBoolean("notifications", options.notifications ?? true);
    const prepare = checkBoolean("prepare", options.prepare ?? notifications);
    this.#connection = connection;
    this.#statements = writeJobStatements(schema);
    const condition = "expires_at <= clock_timestamp()";
    this.#expiredIds = new ExpiredRows(connection, `${schema}.kept_ids`, condition);
    const schemaName = schema.slice(1, -1);
    this.#channel = notifications ? `${schemaName}.jobs` : null;
    this.#prefix = prepare ? `espalier.${schemaName}.` : undefined;
  }

  /** @throws EspalierError `ERR_POSTGRES_BAD_CLIENT` for a transaction that is not one of a supported client, such as a pool */
  async push(jobs: readonly NewJobRecord[], { transaction }: PushOptions = {}): Promise<void> {
    if (transaction === undefined) await this.#pushes.add(jobs);
    else {
      const { query } = connectTransaction(transaction);
      await query(this.#statements.push, this.#pushValues(jobs));
    }
    this.#expiredIds.countCall();
  }

  async #pushTogether(pushes: readonly (readonly NewJobRecord[])[]): Promise<readonly void[]> {
    await this.#runOften("push", ...this.#pushValues(pushes.flat()));
    return [];
  }

  #pushValues(jobs: readonly NewJobRecord[]): PostgresValue[] {
    return [encodeJobs(jobs, Date.now()), this.#channel];
  }

  async pull({ max, names, leaseMs }: PullRequest): Promise<readonly LeasedJob[]> {
    const wanted = Array.from(names, ([name, room]) => ({
      name,
      room: Math.min(room, max),
      leaseMs: leaseMs(name),
    }));
    const rows = await this.#runOften("pull", JSON.stringify(wanted), max);
    return rows.map(toLeasedJob);
  }

  async subscribe(wake: () => void): Promise<() => void> {
    const { listener } = this.#connection;
    if (this.#channel === null || listener === undefined) return () => {};
    // Jobs may have been enqueued while nothing listened.
    return listenForNotifications(listener, this.#channel, { notified: wake, connected: wake });
  }

  async renew(id: string, lease: string, leaseMs: number): Promise<boolean> {
    return hasRow(await this.#run(this.#statements.renew, id, lease, leaseMs));
  }

  async ack(id: string, lease: string): Promise<boolean> {
    return await this.#acks.add({ id, lease });
  }

  async #ackTogether(done: readonly EndedJob[]): Promise<readonly boolean[]> {
    const rows = await this.#runOften("ack", JSON.stringify(done));
    const current = new Set(rows.map(({ lease }) => String(lease)));
    // Of two calls with one lease, the second is stale.
    return done.map(({ lease }) => current.delete(lease));
  }

  async retry(id: string, lease: string, atMs: number): Promise<boolean> {
    return hasRow(await this.#run(this.#statements.retry, id, lease, atMs - Date.now()));
  }

  async release(id: string, lease: string): Promise<boolean> {
    return hasRow(await this.#run(this.#statements.release, id, lease, this.#channel));
  }

  async dead(id: string, lease: string, error: string): Promise<boolean> {
    // A message may hold what `text` cannot.
    const message = error.replaceAll("\0", "\ufffd");
    return hasRow(await this.#run(this.#statements.dead, id, lease, message));
  }

  async failed(limit: number): Promise<readonly FailedJob[]> {
    return (await this.#run(this.#statements.failed, limit)).map(toFailedJob);
  }

  async retryFailed(id: string): Promise<boolean> {
    return hasRow(await this.#run(this.#statements.retryFailed, id, this.#channel));
  }

  async discardFailed(id: string): Promise<boolean> {
    return hasRow(await this.#run(this.#statements.discardFailed, id));
  }

  async counts(): Promise<JobCounts> {
    const [row = {}] = await this.#run(this.#statements.counts);
    const count = (name: JobState): number => Number(row[name]);
    return {
      waiting: count("waiting"),
      delayed: count("delayed"),
      running: count("running"),
      failed: count("failed"),
    };
  }

  async find(id: string): Promise<JobSnapshot | undefined> {
    const [row] = await this.#run(this.#statements.find, id);
    return row === undefined ? undefined : toSnapshot(row);
  }

  async cancel(id: string): Promise<boolean> {
    return hasRow(await this.#run(this.#statements.cancel, id));
  }

  #run(statement: string, ...values: PostgresValue[]): Promise<readonly PostgresRow[]> {
    return this.#connection.query(statement, values);
  }

  /** Runs a statement of every job, prepared if possible. */
  #runOften(
    key: "push" | "pull" | "ack",
    ...values: PostgresValue[]
  ): Promise<readonly PostgresRow[]> {
    const name = this.#prefix === undefined ? undefined : this.#prefix + key;
    return this.#connection.query(this.#statements[key], values, name);
  }
}

/** @throws EspalierError `ERR_POSTGRES_BAD_OPTION` */
function checkBoolean(option: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  const owner = { code: "ERR_POSTGRES_BAD_OPTION", name: "PostgresQueueAdapter" } as const;
  throw badOption(owner, option, value, "a boolean");
}

function hasRow(rows: readonly PostgresRow[]): boolean {
  return rows.length > 0;
}
