import type { QueueAdapter } from "./queue-adapter.ts";

/** Gives the adapter, chosen at the first call when a function chooses it, and always the same. */
export function onceNeeded(adapter: QueueAdapter | (() => QueueAdapter)): () => QueueAdapter {
  if (typeof adapter !== "function") return () => adapter;
  let chosen: QueueAdapter | undefined;
  return () => {
    chosen ??= adapter();
    return chosen;
  };
}
