/**
 * Whether an object in a JSON text names a member twice. `JSON.parse` would take the last one
 * without a word, and another reader of the same text perhaps the first.
 *
 * @param json a text that `JSON.parse` has accepted
 * @param value what it made of it
 */
export function hasDuplicateMembers(json: string, value: unknown): boolean {
  // What was written twice would be missing here. Nearly every token is written as compactly as this.
  if (JSON.stringify(value) === json) return false;
  const open: Set<string>[] = [];
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) {
      // Decoded, because `"alg"` and `"\u0061lg"` are one name.
      const name: unknown = JSON.parse(token.slice(0, -colon.length));
      const names = open.at(-1);
      if (typeof name !== "string" || names === undefined || names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}
