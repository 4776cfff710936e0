import type { QueueAdapter } from "../queue/queue-adapter.ts";

/** Gives the adapter, chosen at the first call when a function chooses it, and always the same. */
export function lazy(adapter: QueueAdapter | (() => QueueAdapter)): () => QueueAdapter {
  if (typeof adapter !== "function") return () => adapter;
  let chosen: QueueAdapter | undefined;
  return () => {
    chosen ??= adapter();
    return chosen;
  };
}
