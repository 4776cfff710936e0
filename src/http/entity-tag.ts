/** Quoted entity tags, strong or weak (RFC 9110 section 8.8.3). A quoted tag may contain commas. */
const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Returns whether `If-None-Match` contains this tag or is `*`. The comparison is weak (RFC 9110 sections
 * 8.8.3.2 and 13.1.2), so that a tag still matches after compression has weakened it.
 */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  const opaque = opaqueTag(tag);
  return (ifNoneMatch.match(entityTags) ?? []).some((one) => opaqueTag(one) === opaque);
}

/** Returns the weak form of a tag, for a semantically equal representation with different bytes. */
export function weakEntityTag(tag: string): string {
  return tag.startsWith("W/") ? tag : `W/${tag}`;
}

/** Creates a strong tag from the first 128 bits of the body's SHA-256 digest. */
export async function createEntityTag(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes), 0, 16);
  const base64 = btoa(String.fromCharCode(...digest));
  return `"${base64.replaceAll("=", "")}"`;
}

function opaqueTag(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
