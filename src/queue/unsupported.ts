import { EspalierError } from "../errors.ts";
import type { QueueAdapter, QueueFeature } from "./queue-adapter.ts";

/** @throws EspalierError `ERR_QUEUE_UNSUPPORTED` if the adapter lacks a feature that an option of enqueue needs */
export function requireFeature(adapter: QueueAdapter, feature: QueueFeature): void {
  if (adapter.features?.includes(feature)) return;
  throw new EspalierError(
    "ERR_QUEUE_UNSUPPORTED",
    `The queue "${adapter.name ?? "custom"}" does not support the option "${feature}" of enqueue. ` +
      "Leave it out, or use an adapter that supports it.",
  );
}

/** Returns the error of a call for which the adapter has no method. */
export function unsupported(adapter: QueueAdapter, what: string): EspalierError {
  return new EspalierError(
    "ERR_QUEUE_UNSUPPORTED",
    `The queue "${adapter.name ?? "custom"}" cannot ${what}: its adapter has no method for it.`,
  );
}
