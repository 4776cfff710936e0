/**
 * The parts of Durable Objects that the queue and the locks use, so that their published types need no globals.
 * Compatible with `DurableObjectNamespace` and `DurableObjectState` of `@cloudflare/workers-types`.
 */
export interface ObjectNamespace {
  /** Returns the id of the object with this name. */
  idFromName(name: string): ObjectId;
  /** Returns a stub of the object, which is created by the first request to it. */
  get(id: ObjectId): ObjectStub;
}

/** The id of a Durable Object. */
export interface ObjectId {
  /** Returns the id as 64 hexadecimal digits. */
  toString(): string;
}

/** Stub that sends requests to a Durable Object, or to the Worker. */
export interface ObjectStub {
  /** Sends a request to the `fetch` method of the object or the Worker. */
  fetch(
    url: string,
    init?: {
      readonly method?: string;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    },
  ): Promise<ObjectResponse>;
}

/** Response of a Durable Object. */
export interface ObjectResponse {
  /** HTTP status. */
  readonly status: number;
  /** Returns the body, parsed as JSON. */
  json(): Promise<unknown>;
  /** The client's end of a WebSocket, if the object has accepted one. */
  readonly webSocket?: ObjectSocket | null;
}

/** The client's end of a WebSocket to a Durable Object. */
export interface ObjectSocket {
  /** Starts to receive messages. */
  accept(): void;
  /** Closes the connection. */
  close(code?: number, reason?: string): void;
  /** Adds a listener of `message`, `close` or `error`. */
  addEventListener(
    type: "message" | "close" | "error",
    listener: (event: { readonly data?: unknown }) => void,
  ): void;
}

/** The server's end of a WebSocket, which a Durable Object keeps while it hibernates. */
export interface HibernatingSocket {
  /** 1 while messages can be sent. */
  readonly readyState: number;
  /** Sends a message. */
  send(data: string | ArrayBuffer | ArrayBufferView): void;
  /** Closes the connection. */
  close(code?: number, reason?: string): void;
  /** Keeps a value of at most 2,048 bytes with the connection. */
  serializeAttachment(value: unknown): void;
  /** Returns a copy of the value. */
  deserializeAttachment(): unknown;
}

/** The part of a Durable Object's state that keeps WebSockets while the object hibernates. */
export interface HibernationState {
  /** Accepts a connection, whose events call `webSocketMessage`, `webSocketClose` and `webSocketError`. */
  acceptWebSocket(socket: HibernatingSocket, tags?: string[]): void;
  /** Returns the accepted connections, of one tag if it is given. */
  getWebSockets(tag?: string): HibernatingSocket[];
}

/** Constructor argument of a Durable Object. */
export interface ObjectState {
  /** Storage that belongs to this object alone. */
  readonly storage: ObjectStorage;
  /** Blocks incoming requests until the callback has finished. */
  blockConcurrencyWhile(callback: () => Promise<void>): Promise<void>;
  /** Entry points of the Worker; absent before the compatibility date 2025-11-17. */
  readonly exports?: { readonly default?: ObjectStub };
}

/** Storage of a Durable Object whose class is in `new_sqlite_classes`. */
export interface ObjectStorage {
  /** SQLite database of the object. */
  readonly sql: ObjectSql;
  /** Returns the value of the key, undefined without one. */
  get(key: string): Promise<unknown>;
  /** Stores a value that the structured clone algorithm supports. */
  put(key: string, value: unknown): Promise<void>;
  /** Returns the time of the next call of `alarm`, in milliseconds since the epoch; null without one. */
  getAlarm(): Promise<number | null>;
  /** Schedules a call of `alarm`, in milliseconds since the epoch. */
  setAlarm(atMs: number): Promise<void>;
  /** Deletes all keys and tables of the object. */
  deleteAll(): Promise<void>;
}

/** Value of a column. */
export type SqlValue = string | number | null;

/** Database of a Durable Object. Statements without an `await` between them are one transaction. */
export interface ObjectSql {
  /** Runs a statement with its bindings, in the order of its question marks. */
  exec(query: string, ...bindings: SqlValue[]): ObjectCursor;
}

/** Rows of a query, read as they are iterated. */
export interface ObjectCursor extends Iterable<Record<string, unknown>> {
  /** Number of rows written, including those of indexes. */
  readonly rowsWritten: number;
}
