/**
 * The parts of Durable Objects and the Rate Limiting binding that Espalier uses, so that its published types
 * need no globals. Compatible with `DurableObjectNamespace`, `DurableObjectState` and `RateLimit` of
 * `@cloudflare/workers-types`.
 */
export interface RateLimitNamespace {
  idFromName(name: string): RateLimitObjectId;
  get(id: RateLimitObjectId): RateLimitStub;
}

/** The id of a Durable Object. */
export interface RateLimitObjectId {
  toString(): string;
}

/** Stub that sends requests to a Durable Object. */
export interface RateLimitStub {
  fetch(url: string): Promise<RateLimitResponse>;
}

/** Response of a Durable Object. */
export interface RateLimitResponse {
  readonly status: number;
  json(): Promise<unknown>;
}

/** Constructor argument of a Durable Object. */
export interface RateLimitObjectState {
  readonly storage: RateLimitObjectStorage;
  /** Blocks incoming requests until the callback has finished. */
  blockConcurrencyWhile(callback: () => Promise<void>): Promise<void>;
}

/** Durable storage of a Durable Object. */
export interface RateLimitObjectStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  deleteAll(): Promise<void>;
  /** Schedules a call of the object's `alarm`, in milliseconds since the epoch. */
  setAlarm(atMs: number): Promise<void>;
}

/** Rate Limiting binding of Workers; its limit and period are set in the Worker's configuration. */
export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}
