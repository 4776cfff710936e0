/** A strong entity tag of a text (RFC 9110, section 8.8.3): equal texts have equal tags. */
export async function entityTag(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const bytes = Array.from(new Uint8Array(digest).subarray(0, 16));
  return `"${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}

/** Whether a client has this already (RFC 9110, section 13.1.2). */
export function isUnchanged(headers: Headers, tag: string): boolean {
  const known = headers.get("if-none-match");
  if (known === null) return false;
  // Compared weakly, since nothing but the whole is asked for.
  const tags = known.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(tag);
}
