import * as workers from "cloudflare:workers";

/** The bindings and variables of this worker; undefined under an old compatibility date. */
export function platformBindings(): Readonly<Record<string, unknown>> | undefined {
  return workers.env;
}

/**
 * Keeps the current request alive until `promise` is settled.
 *
 * @returns false where the platform cannot: an old runtime, or no request to keep alive
 */
export function keepAlive(promise: Promise<unknown>): boolean {
  try {
    workers.waitUntil?.(promise);
    return workers.waitUntil !== undefined;
  } catch {
    return false;
  }
}
