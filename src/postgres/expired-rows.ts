import type { PostgresConnection } from "./postgres-client.ts";

/**
 * Number of rows that one statement deletes at most. It takes some 100 ms, for which a request that needs one of them
 * waits; one for millions of rows would exceed the deadlines of requests, or `statement_timeout` each time.
 */
const batchSize = 50_000;

/** Number of calls of a process after which it deletes expired rows. */
const callsBetween = 1000;

/** Shortest time between two searches of a process for expired rows, each of which reads the whole table. */
const pauseMs = 10_000;

/**
 * Time after which a search counts as lost. Its call may never settle: the host of the server has gone, or Workers has
 * cancelled it at the end of its request.
 */
const lostMs = 10 * 60_000;

/** The expired rows of a table, deleted in the background of calls. Processes share the work. */
export class ExpiredRows {
  readonly #connection: PostgresConnection;
  readonly #statement: string;
  #calls = 0;
  #searchedAtMs = Number.NEGATIVE_INFINITY;
  #isSearching = false;

  /**
   * @param table name with its schema, quoted for statements
   * @param condition SQL condition of an expired row
   */
  constructor(connection: PostgresConnection, table: string, condition: string) {
    this.#connection = connection;
    // Rows that are in use, or that another process deletes, are skipped. By the address of the row: an index on the
    // time would make each request that changes it write to that index, too.
    this.#statement = `with expired as (
  delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${condition} limit ${batchSize} for update skip locked
  )) returning 1
) select count(*)::float8 as deleted from expired`;
  }

  /** Counts a call, which need not wait for what it starts: deletes the expired rows if it is time. */
  countCall(): void {
    this.#calls += 1;
    if (this.#calls < callsBetween) return;
    const nowMs = performance.now();
    if (nowMs - this.#searchedAtMs < (this.#isSearching ? lostMs : pauseMs)) return;
    this.#calls = 0;
    this.#searchedAtMs = nowMs;
    void this.#deleteAll();
  }

  async #deleteAll(): Promise<void> {
    this.#isSearching = true;
    try {
      let deleted = batchSize;
      while (deleted >= batchSize) {
        const [row] = await this.#connection.query(this.#statement, []);
        deleted = Number(row?.["deleted"]);
      }
    } catch {
      // The next search deletes what is left.
    } finally {
      this.#isSearching = false;
    }
  }
}
