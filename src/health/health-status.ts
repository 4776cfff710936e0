/** How something is: `warn` works, but somebody should look at it. */
export type HealthStatus = "pass" | "warn" | "fail";

/** The words that checks use; whatever else one says is a failure. */
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
 * What a check's `status` means, in any case of letters; undefined for a word that is not known,
 * which has to count as a failure.
 */
export function parseHealthStatus(status: unknown): HealthStatus | undefined {
  return words.get(typeof status === "string" ? status.toLowerCase() : status);
}

/** The status of the whole: the worst of its parts. */
export function worstOf(statuses: readonly HealthStatus[]): HealthStatus {
  if (statuses.includes("fail")) return "fail";
  return statuses.includes("warn") ? "warn" : "pass";
}
