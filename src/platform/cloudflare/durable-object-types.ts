/**
 * The parts of Durable Objects that the queue and the locks use, so that their published types need no globals.
 * Compatible with `DurableObjectNamespace` and `DurableObjectState` of `@cloudflare/workers-types`.
 */
export interface ObjectNamespace {
  idFromName(name: string): ObjectId;
  get(id: ObjectId): ObjectStub;
}

/** The id of a Durable Object. */
export interface ObjectId {
  toString(): string;
}

/** Stub that sends requests to a Durable Object, or to the Worker. */
export interface ObjectStub {
  fetch(
    url: string,
    init?: { readonly method: string; readonly body?: string },
  ): Promise<ObjectResponse>;
}

/** Response of a Durable Object. */
export interface ObjectResponse {
  readonly status: number;
  json(): Promise<unknown>;
}

/** Constructor argument of a Durable Object. */
export interface ObjectState {
  readonly storage: ObjectStorage;
  /** Blocks incoming requests until the callback has finished. */
  blockConcurrencyWhile(callback: () => Promise<void>): Promise<void>;
  /** Entry points of the Worker; absent before the compatibility date 2025-11-17. */
  readonly exports?: { readonly default?: ObjectStub };
}

/** Storage of a Durable Object whose class is in `new_sqlite_classes`. */
export interface ObjectStorage {
  readonly sql: ObjectSql;
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  /** Returns the time of the next call of `alarm`, in milliseconds since the epoch; null without one. */
  getAlarm(): Promise<number | null>;
  /** Schedules a call of `alarm`, in milliseconds since the epoch. */
  setAlarm(atMs: number): Promise<void>;
  deleteAll(): Promise<void>;
}

/** Value of a column. */
export type SqlValue = string | number | null;

/** Database of a Durable Object. Statements without an `await` between them are one transaction. */
export interface ObjectSql {
  exec(query: string, ...bindings: SqlValue[]): ObjectCursor;
}

/** Rows of a query, read as they are iterated. */
export interface ObjectCursor extends Iterable<Record<string, unknown>> {
  /** Number of rows written, including those of indexes. */
  readonly rowsWritten: number;
}
