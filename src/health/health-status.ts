/** Status of a check; `warn` works but needs attention. */
export type HealthStatus = "pass" | "warn" | "fail";

/** Words that checks may return; any other counts as a failure. */
const words: ReadonlyMap<unknown, HealthStatus> = new Map<unknown, HealthStatus>([
  [true, "pass"],
  ["pass", "pass"],
  ["ok", "pass"],
  ["up", "pass"],
  ["healthy", "pass"],
  ["warn", "warn"],
  ["warning", "warn"],
  ["degraded", "warn"],
  [false, "fail"],
  ["fail", "fail"],
  ["down", "fail"],
  ["error", "fail"],
  ["unhealthy", "fail"],
]);

/**
 * Returns the status of a word, ignoring letter case; undefined for an unknown word, which counts as a
 * failure.
 */
export function parseHealthStatus(status: unknown): HealthStatus | undefined {
  return words.get(typeof status === "string" ? status.toLowerCase() : status);
}

/** Returns the worst of several statuses. */
export function worstOf(statuses: readonly HealthStatus[]): HealthStatus {
  if (statuses.includes("fail")) return "fail";
  return statuses.includes("warn") ? "warn" : "pass";
}
