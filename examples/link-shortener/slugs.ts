import type { Router } from "espalier";

/** No vowels, to avoid real words, and no characters that are easily confused. */
const alphabet = "bcdfghjkmnpqrstvwxyz23456789";
const slugLength = 8;

/** Reserved in addition to the paths of routes. */
const reservedWords: readonly string[] = ["admin", "api", "about", "help", "login", "static"];

/** Generates a random slug: one of 28^8 (about 378 thousand million). */
export function createSlug(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(slugLength));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
}

/** Returns true if a route shadows the slug, or if it looks like a page of this site. */
export function isReserved(slug: string, router: Router): boolean {
  const word = slug.toLowerCase();
  const ofRoutes = router.routes().map(({ pattern }) => pattern.split("/")[1]);
  return reservedWords.includes(word) || ofRoutes.includes(word);
}
