import { ConnectionCheck } from "../resilience/connection-check.ts";
import { createSystemClock } from "../util/clock.ts";
import type { PgListener, PgPool, PostgresConnection } from "./postgres-client.ts";

const firstPauseMs = 500;
const maxPauseMs = 30_000;

/** Receives what happens on a channel. */
export interface NotificationHandlers {
  /** Called at each notification. */
  notified(payload: string): void;
  /** Called at the first connection, and at each one after it was lost: notifications may have been missed. */
  connected(): void;
}

/**
 * Listens for the notifications of a channel. Connects in the background, and again when the connection is lost.
 *
 * @returns a function that ends it
 */
export function listenForNotifications(
  listener: NonNullable<PostgresConnection["listener"]>,
  channel: string,
  handlers: NotificationHandlers,
): () => void {
  if ("listen" in listener) {
    const { notified, connected } = handlers;
    const listening = listener.listen(channel, notified, connected);
    listening.catch(() => {});
    return () => void listening.then((one) => one.unlisten()).catch(() => {});
  }
  const connection = new PoolListener(listener, channel, handlers);
  void connection.connect();
  return () => connection.stop();
}

/** Occupies one connection of a pool. */
class PoolListener {
  readonly #pool: PgPool;
  readonly #channel: string;
  readonly #handlers: NotificationHandlers;
  #connection: PgListener | undefined;
  #cancelTimer = (): void => {};
  #isStopped = false;
  #pauseMs = firstPauseMs;
  readonly #check = new ConnectionCheck(
    async () => await this.#connection?.query("select 1"),
    () => this.#reconnect(),
  );
  readonly #onLoss = (): void => this.#reconnect();
  readonly #onNotification = (message?: unknown): void =>
    this.#handlers.notified(payloadOf(message));

  constructor(pool: PgPool, channel: string, handlers: NotificationHandlers) {
    this.#pool = pool;
    this.#channel = channel;
    this.#handlers = handlers;
  }

  async connect(): Promise<void> {
    let connection: PgListener | undefined;
    try {
      connection = await this.#pool.connect();
      if (this.#isStopped) return connection.release();
      this.#connection = connection;
      connection.on("notification", this.#onNotification);
      connection.on("error", this.#onLoss);
      connection.on("end", this.#onLoss);
      // Already now: the pool may have kept a connection that was dropped silently.
      this.#check.start();
      await connection.query(`listen "${this.#channel}"`);
      if (this.#connection !== connection) return;
      this.#pauseMs = firstPauseMs;
      this.#handlers.connected();
    } catch {
      // Not if a check has replaced it already.
      if (this.#connection === connection) this.#reconnect();
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
    this.#check.stop();
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    // What it reports while it is closed must not end the process.
    connection.on("error", () => {});
    connection.off("error", this.#onLoss);
    connection.off("end", this.#onLoss);
    connection.off("notification", this.#onNotification);
    connection.release(true);
  }
}

function payloadOf(message: unknown): string {
  const hasPayload = typeof message === "object" && message !== null && "payload" in message;
  return hasPayload ? String(message.payload) : "";
}
