const maximumLength = 80;

/** Names that routes have under `/articles`. */
const reserved: ReadonlySet<string> = new Set(["feed"]);

/**
 * Slugs for a title, the best first: its letters and digits of any script, then the same with something
 * random behind, for when another article has it already.
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
