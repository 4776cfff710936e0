/**
 * Finds the first difference from an expected value: its path and the actual value in words; undefined if
 * everything expected is present.
 *
 * Objects are compared only by the expected members, arrays by every item.
 */
export function findDifference(actual: unknown, expected: unknown, path = ""): string | undefined {
  const where = path === "" ? "it" : path;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${where} is ${show(actual)}, not a list`;
    if (actual.length !== expected.length) {
      return `${where} has ${actual.length} items, not ${expected.length}`;
    }
    return firstOf(expected.keys(), (i) => findDifference(actual[i], expected[i], `${path}[${i}]`));
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return `${where} is ${show(actual)}, not an object`;
    return firstOf(Object.keys(expected), (name) =>
      findDifference(
        Object.hasOwn(actual, name) ? actual[name] : undefined,
        expected[name],
        path === "" ? name : `${path}.${name}`,
      ),
    );
  }
  return Object.is(actual, expected)
    ? undefined
    : `${where} is ${show(actual)}, not ${show(expected)}`;
}

/** Formats a value for a message, truncated if long. */
export function show(value: unknown): string {
  const text = value === undefined ? "undefined" : (JSON.stringify(value) ?? String(value));
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function firstOf<Key>(
  keys: Iterable<Key>,
  find: (key: Key) => string | undefined,
): string | undefined {
  for (const key of keys) {
    const difference = find(key);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
