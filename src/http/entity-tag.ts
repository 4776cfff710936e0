/** Opaque tags in quotes, each perhaps weak: RFC 9110 section 8.8.3. A comma may stand between quotes. */
const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether `If-None-Match` names this tag, or every one with `*`. The comparison is weak (RFC 9110 sections
 * 8.8.3.2 and 13.1.2), so that a tag still matches after a compression has weakened it.
 */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  const opaque = opaqueTag(tag);
  return (ifNoneMatch.match(entityTags) ?? []).some((one) => opaqueTag(one) === opaque);
}

/** The tag of a representation that has the same meaning and other bytes. */
export function weakEntityTag(tag: string): string {
  return tag.startsWith("W/") ? tag : `W/${tag}`;
}

/** A tag that any other body has with a chance of 2^-128 only. */
export async function createEntityTag(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes), 0, 16);
  const base64 = btoa(String.fromCharCode(...digest));
  return `"${base64.replaceAll("=", "")}"`;
}

function opaqueTag(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
