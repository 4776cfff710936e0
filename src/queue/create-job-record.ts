import { checkEnqueueOptions, type JobOptions } from "./enqueue-options.ts";
import { copyPayload } from "./payload.ts";
import type { NewJobRecord, QueueAdapter } from "./queue-adapter.ts";
import { requireFeature } from "./unsupported.ts";

/** Inputs of a job besides its own options. */
export interface JobRecordDefaults {
  readonly adapter: QueueAdapter;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Creates the id of a job without one. */
  readonly createId: () => string;
}

/**
 * Returns a new job as the adapter stores it, with a copy of the payload.
 *
 * @throws EspalierError `ERR_QUEUE_BAD_OPTION`, `ERR_QUEUE_PAYLOAD_NOT_JSON`, `ERR_QUEUE_PAYLOAD_TOO_LARGE`,
 *   `ERR_QUEUE_UNSUPPORTED` if the adapter lacks a feature that an option needs
 */
export function createJobRecord(
  name: string,
  payload: unknown,
  options: JobOptions,
  { adapter, now, createId }: JobRecordDefaults,
): NewJobRecord {
  checkEnqueueOptions(name, options);
  const { delayMs = 0, maxAttempts = 3, priority = 0, backoff = {}, keepIdMs = 0 } = options;
  if (keepIdMs > 0) requireFeature(adapter, "keepIdMs");
  return {
    ...(options.id === undefined ? { id: createId(), hasGeneratedId: true } : { id: options.id }),
    keepIdMs,
    name,
    payload: copyPayload(name, payload, adapter.payloadLimitBytes),
    attempt: 0,
    maxAttempts,
    priority,
    enqueuedAt: now,
    dueAt: now + delayMs,
    backoff,
  };
}
