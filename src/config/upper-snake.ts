/**
 * A name as environment variables are written: `maxBodySize` is `MAX_BODY_SIZE`, `apiURL` is
 * `API_URL`, `db.host` is `DB_HOST`.
 */
export function upperSnake(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .toUpperCase();
}
