/**
 * Returns true if an object in a JSON text has a duplicate member. `JSON.parse` silently takes the
 * last one, while another parser of the same text may take the first.
 *
 * @param json JSON text that `JSON.parse` has accepted
 * @param value the parsed value
 */
export function hasDuplicateMembers(json: string, value: unknown): boolean {
  // Fast path: nearly every token is compact JSON, which serialises to the same string without duplicates.
  if (JSON.stringify(value) === json) return false;
  const open: Set<string>[] = [];
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) {
      // Decoded, because `"alg"` and `"\u0061lg"` are the same name.
      const name: unknown = JSON.parse(token.slice(0, -colon.length));
      const names = open.at(-1);
      if (typeof name !== "string" || names === undefined || names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}
