import type { Logger } from "../observability/logger.ts";
import { logSafely } from "../util/log-safely.ts";

/** A store that can read the settings of its engine. */
export interface InspectableStore {
  /** Resolves to a warning about settings of the engine that put the data at risk; undefined if there is none. */
  findRisk?(): Promise<string | undefined>;
}

/**
 * Logs a warning if the settings of a store's engine put its data at risk. Returns at once. An engine that is
 * unavailable, or that refuses to show its settings, gets no warning: its calls fail by themselves.
 */
export function logStoreRisk(store: InspectableStore, logger: Logger): void {
  void logRisk(store, logger);
}

async function logRisk(store: InspectableStore, logger: Logger): Promise<void> {
  try {
    const risk = await store.findRisk?.();
    if (typeof risk === "string") logSafely(logger, "warn", risk);
  } catch {}
}
