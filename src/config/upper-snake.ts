/**
 * Converts a name to the form of environment variables: `maxBodySize` to `MAX_BODY_SIZE`, `apiURL` to
 * `API_URL`, `db.host` to `DB_HOST`.
 */
export function upperSnake(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .toUpperCase();
}
