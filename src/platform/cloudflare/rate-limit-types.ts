/**
 * What Espalier uses of Durable Objects and of the Rate Limiting binding, so that its published types pull
 * in no globals. `DurableObjectNamespace`, `DurableObjectState` and `RateLimit` of
 * `@cloudflare/workers-types` fit.
 */
export interface RateLimitNamespace {
  idFromName(name: string): RateLimitObjectId;
  get(id: RateLimitObjectId): RateLimitStub;
}

/** The id of one object. */
export interface RateLimitObjectId {
  toString(): string;
}

/** The way to one object. */
export interface RateLimitStub {
  fetch(url: string): Promise<RateLimitResponse>;
}

/** What an object answers. */
export interface RateLimitResponse {
  readonly status: number;
  json(): Promise<unknown>;
}

/** What an object is constructed with. */
export interface RateLimitObjectState {
  readonly storage: RateLimitObjectStorage;
  /** Lets no request in until the callback is done. */
  blockConcurrencyWhile(callback: () => Promise<void>): Promise<void>;
}

/** What an object keeps on disk. */
export interface RateLimitObjectStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  deleteAll(): Promise<void>;
  /** Calls the object's `alarm` at that moment, in milliseconds since the epoch. */
  setAlarm(atMs: number): Promise<void>;
}

/** Workers' own limiter, whose limit and period are in the Worker's configuration. */
export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}
