const maximumLength = 80;

/** Reserved: paths of routes under `/articles`. */
const reserved: ReadonlySet<string> = new Set(["feed"]);

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
  if (plain !== "" && !reserved.has(plain)) yield plain;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    yield `${plain === "" ? "article" : plain}-${crypto.randomUUID().slice(0, 8)}`;
  }
}
