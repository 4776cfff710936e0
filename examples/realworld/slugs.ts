const maximumLength = 80;

/** Shorter titles get a suffix, so that no slug is the name of a route such as `/articles/feed`. */
const minimumLength = 5;

/**
 * Yields candidate slugs for a title, in order of preference: its letters and digits in any script, then
 * the same with a random suffix, for use if the first is taken.
 */
export function* slugsFor(title: string): Generator<string, void> {
  const words = title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  const plain = [...words].slice(0, maximumLength).join("").replace(/^-|-$/g, "");
  if (plain.length >= minimumLength) yield plain;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    yield `${plain === "" ? "article" : plain}-${crypto.randomUUID().slice(0, 8)}`;
  }
}
