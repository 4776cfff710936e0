/** Throws if two values differ; objects and arrays are compared by their content as JSON. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (Object.is(actual, expected) || toText(actual) === toText(expected)) return;
  throw new Error(`${what}: expected ${toText(expected)}, got ${toText(actual)}`);
}

/** Throws unless the promise rejects; resolves to the rejection's reason. */
export async function assertRejects(work: Promise<unknown>, what: string): Promise<unknown> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (outcome === undefined) throw new Error(`${what}: expected a rejection, and it resolved`);
  return outcome.error;
}

/** Serialises a value so that different types stay distinct, with sorted object keys. */
function toText(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return `${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `[${value.map(toText).join(", ")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}: ${toText(member)}`);
  return `{${texts.join(", ")}}`;
}
