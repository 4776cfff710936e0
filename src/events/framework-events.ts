/** Payload of the application's lifecycle events: currently an empty object. */
export type LifecyclePayload = Readonly<Record<string, unknown>>;

/** Members that every request event has. */
export interface RequestSummary {
  /** The correlation id, `ctx.id`. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /**
   * The path without the query: as it was sent, or with `useRequestObservability` without secrets, as in the
   * access log.
   */
  readonly path: string;
  /** The pattern of the matched route; undefined if no route matched. */
  readonly route: string | undefined;
}

/** A response was created, with any status. */
export interface RequestCompleted extends RequestSummary {
  readonly status: number;
  readonly durationMs: number;
}

/** An unexpected error occurred that `onError` did not turn into a 4xx, or the body of a response was broken off. */
export interface RequestFailed extends RequestSummary {
  readonly error: unknown;
}

/** A key was looked up in a cache, found or not. */
export interface CacheAccess {
  /** The key as the caller wrote it, without its namespaces. */
  readonly key: string;
  /** The names of the namespaces, outermost first; empty outside any. */
  readonly namespace: readonly string[];
}

/** A job was completed. */
export interface QueueCompleted {
  readonly id: string;
  readonly name: string;
  /** Number of the attempt; the first is 1. */
  readonly attempt: number;
  readonly durationMs: number;
}

/** A job has used up its attempts and failed: `queue.failed()` lists it. */
export interface QueueFailed {
  readonly id: string;
  readonly name: string;
  /** Number of attempts made. */
  readonly attempts: number;
  /** Error of the last attempt. */
  readonly error: string;
}

/** A guard refused a request without a valid token. */
export interface AuthFailed extends RequestSummary {
  /** The reason in a few words; contains no part of the token. */
  readonly reason: string;
}

/** A rate limiter refused a request. */
export interface RateLimited extends RequestSummary {
  /** Key of the limit: the client's address, or the result of the limiter's `key`. */
  readonly key: string;
  readonly retryAfterMs: number;
}

/**
 * The events that Espalier emits itself, by name, with their payloads. Events without subscribers cost
 * nothing.
 */
export interface FrameworkEvents {
  /** Everything is registered, checked and started. */
  readonly "app.booted": LifecyclePayload;
  /** The application accepts requests. */
  readonly "app.ready": LifecyclePayload;
  /** `stop()` was called; requests in progress are still being handled. */
  readonly "app.stopping": LifecyclePayload;
  /** Shutdown is complete. */
  readonly "app.stopped": LifecyclePayload;
  /** The response was created; its body may still be sent. */
  readonly "request.completed": RequestCompleted;
  /**
   * A handler or middleware threw an unexpected error that `onError` did not turn into a 4xx, or the body of the
   * response failed while it was sent.
   */
  readonly "request.failed": RequestFailed;
  /** A value was found. */
  readonly "cache.hit": CacheAccess;
  /** No value was found, or it had expired. */
  readonly "cache.miss": CacheAccess;
  /** A job was completed. */
  readonly "queue.completed": QueueCompleted;
  /** A job has used up its attempts. */
  readonly "queue.failed": QueueFailed;
  /** A guard or a policy refused a request that was not authenticated. */
  readonly "auth.failed": AuthFailed;
  /** A rate limiter refused a request. */
  readonly "rate.limited": RateLimited;
}
