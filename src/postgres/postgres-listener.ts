import { createSystemClock } from "../util/clock.ts";
import type { PgListener, PgPool, PostgresConnection } from "./postgres-client.ts";

const firstPauseMs = 500;
const maxPauseMs = 30_000;

/**
 * Calls `wake` at each notification of a channel, and when the connection is there again after it was lost.
 * Never rejects: without notifications jobs are found by polling.
 *
 * @returns a function that ends it
 */
export async function listenForJobs(
  listener: NonNullable<PostgresConnection["listener"]>,
  channel: string,
  wake: () => void,
): Promise<() => void> {
  if ("listen" in listener) {
    // It connects again by itself; the first connection must not keep the start of the queue waiting.
    const listening = listener.listen(channel, wake);
    listening.catch(() => {});
    return () => void listening.then((one) => one.unlisten()).catch(() => {});
  }
  const connection = new PoolListener(listener, channel, wake);
  void connection.connect();
  return () => connection.stop();
}

/** Occupies one connection of a pool. */
class PoolListener {
  readonly #pool: PgPool;
  readonly #channel: string;
  readonly #wake: () => void;
  #connection: PgListener | undefined;
  #cancelTimer = (): void => {};
  #isStopped = false;
  #pauseMs = firstPauseMs;
  readonly #onLoss = (): void => this.#reconnect();

  constructor(pool: PgPool, channel: string, wake: () => void) {
    this.#pool = pool;
    this.#channel = channel;
    this.#wake = wake;
  }

  async connect(): Promise<void> {
    try {
      const connection = await this.#pool.connect();
      if (this.#isStopped) return connection.release();
      this.#connection = connection;
      connection.on("notification", this.#wake);
      connection.on("error", this.#onLoss);
      connection.on("end", this.#onLoss);
      await connection.query(`listen "${this.#channel}"`);
      this.#pauseMs = firstPauseMs;
      // Jobs may have been enqueued while nothing listened.
      this.#wake();
    } catch {
      this.#reconnect();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
    this.#drop();
  }

  #reconnect(): void {
    this.#drop();
    if (this.#isStopped) return;
    this.#cancelTimer();
    this.#cancelTimer = createSystemClock().after(this.#pauseMs, () => void this.connect());
    this.#pauseMs = Math.min(2 * this.#pauseMs, maxPauseMs);
  }

  /** Closes the connection: returned to the pool, it would go on listening. */
  #drop(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    // What it reports while it is closed must not end the process.
    connection.on("error", () => {});
    connection.off("error", this.#onLoss);
    connection.off("end", this.#onLoss);
    connection.off("notification", this.#wake);
    connection.release(true);
  }
}
