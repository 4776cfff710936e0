/**
 * Returns a value as JSON, to keep it as it is now; undefined if JSON cannot represent it. Does not find what
 * JSON loses silently, such as the entries of a Map.
 */
export function snapshot(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
