/** What the events of the application's own life carry: nothing so far, an empty object. */
export type LifecyclePayload = Readonly<Record<string, unknown>>;

/** What every event about a request tells of it. */
export interface RequestSummary {
  /** The correlation id, `ctx.id`. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The pattern of the route that answered; undefined where none did. */
  readonly route: string | undefined;
}

/** A response has been made, whatever its status. */
export interface RequestCompleted extends RequestSummary {
  readonly status: number;
  readonly durationMs: number;
}

/** An error that nobody expected became a 500. */
export interface RequestFailed extends RequestSummary {
  readonly error: unknown;
}

/** A cache was asked for a key, with or without success. */
export interface CacheAccess {
  readonly key: string;
}

/** A job has been done. */
export interface QueueCompleted {
  readonly id: string;
  readonly name: string;
  /** Which attempt it was; the first is 1. */
  readonly attempt: number;
  readonly durationMs: number;
}

/** A job has used up its attempts and is dead: `queue.failed()` lists it. */
export interface QueueFailed {
  readonly id: string;
  readonly name: string;
  /** How many attempts were made. */
  readonly attempts: number;
  /** What went wrong in the last of them. */
  readonly error: string;
}

/** A guard refused a request for want of a valid token. */
export interface AuthFailed extends RequestSummary {
  /** Why, in a few words that hold nothing of the token. */
  readonly reason: string;
}

/** A rate limiter refused a request. */
export interface RateLimited extends RequestSummary {
  /** Whom the limit counts: the client's address, or what the limiter's `key` made. */
  readonly key: string;
  readonly retryAfterMs: number;
}

/**
 * The events that Espalier emits itself, by name, with what they carry. Without a subscriber none
 * of them costs anything.
 */
export interface FrameworkEvents {
  /** Everything is registered, checked and started. */
  readonly "app.booted": LifecyclePayload;
  /** The application takes requests. */
  readonly "app.ready": LifecyclePayload;
  /** `stop()` has been called; requests in flight are still being answered. */
  readonly "app.stopping": LifecyclePayload;
  /** Everything has been shut down. */
  readonly "app.stopped": LifecyclePayload;
  /** A response is there; its body may still be sent. */
  readonly "request.completed": RequestCompleted;
  /** A handler or middleware threw something unexpected, and the client got a 500. */
  readonly "request.failed": RequestFailed;
  /** A value was found. */
  readonly "cache.hit": CacheAccess;
  /** No value was found, or it had expired. */
  readonly "cache.miss": CacheAccess;
  /** A job is done. */
  readonly "queue.completed": QueueCompleted;
  /** A job has used up its attempts. */
  readonly "queue.failed": QueueFailed;
  /** A guard or a policy refused a request for want of a user. */
  readonly "auth.failed": AuthFailed;
  /** A limiter refused a request. */
  readonly "rate.limited": RateLimited;
}
