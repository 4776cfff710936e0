import type { LockStore } from "../lock/lock-store.ts";
import { ExpiredRows } from "./expired-rows.ts";
import type { PostgresConnection, PostgresRow, PostgresValue } from "./postgres-client.ts";
import { checkPostgresOptions, type PostgresStoreOptions } from "./postgres-options.ts";

/**
 * Locks in a table of PostgreSQL, which exclude all processes of an application from each other. They expire by
 * the clock of the server. The last fencing token of a lock is remembered for a day.
 *
 * A table and not advisory locks: those occupy a connection each, have no time to live and no token.
 *
 * @example app.useLockStore(new PostgresLockStore({ client: pool }));
 */
export class PostgresLockStore implements LockStore {
  readonly #connection: PostgresConnection;
  readonly #table: string;
  readonly #forgotten: ExpiredRows;

  /** @throws EspalierError `ERR_POSTGRES_BAD_OPTION`, `ERR_POSTGRES_BAD_CLIENT` */
  constructor(options: PostgresStoreOptions) {
    const { connection, schema } = checkPostgresOptions("PostgresLockStore", options);
    this.#connection = connection;
    this.#table = `${schema}.locks`;
    const condition = "expires_at < clock_timestamp() - interval '1 day'";
    this.#forgotten = new ExpiredRows(connection, this.#table, condition);
  }

  /** Takes a lock; resolves to its fencing token, or undefined if it is held. */
  async acquire(name: string, owner: string, ttlMs: number): Promise<number | undefined> {
    this.#forgotten.countCall();
    const [row] = await this.#query(
      `insert into ${this.#table} as held (name, owner, token, expires_at)
       values ($1::text, $2::text, ${nowMicros}, ${expiry("$3")})
       on conflict (name) do update
         set owner = $2::text, token = greatest(held.token + 1, ${nowMicros}), expires_at = ${expiry("$3")}
       where held.owner = '' or held.expires_at <= clock_timestamp()
       returning token::text as token`,
      [name, owner, ttlMs],
    );
    return row === undefined ? undefined : Number(row["token"]);
  }

  /** Extends a lock; resolves to false if `owner` no longer holds it. */
  async renew(name: string, owner: string, ttlMs: number): Promise<boolean> {
    const rows = await this.#query(
      `update ${this.#table} set expires_at = ${expiry("$3")}
       where name = $1::text and owner = $2::text and expires_at > clock_timestamp() returning 1 as held`,
      [name, owner, ttlMs],
    );
    return rows.length > 0;
  }

  /**
   * Releases a lock; resolves to false if `owner` no longer holds it. Without an owner, a lock is free also if the
   * clock is set back afterwards.
   */
  async release(name: string, owner: string): Promise<boolean> {
    const rows = await this.#query(
      `update ${this.#table} set owner = '', expires_at = clock_timestamp()
       where name = $1::text and owner = $2::text and expires_at > clock_timestamp() returning 1 as held`,
      [name, owner],
    );
    return rows.length > 0;
  }

  #query(text: string, values: PostgresValue[]): Promise<readonly PostgresRow[]> {
    return this.#connection.query(text, values);
  }
}

/**
 * Time of the server's clock in microseconds since the epoch. A fencing token is at least that, so that tokens grow
 * also when the row of the lock was removed or is lost.
 */
const nowMicros = "floor(extract(epoch from clock_timestamp()) * 1000000)::bigint";

/** Time of the server's clock, so many milliseconds from now. */
function expiry(parameter: string): string {
  return `clock_timestamp() + ${parameter}::float8 * interval '1 millisecond'`;
}
