import type { Router } from "espalier";

/** Without vowels, so that no word comes out, and without characters that are mistaken for others. */
const alphabet = "bcdfghjkmnpqrstvwxyz23456789";
const slugLength = 8;

/** Not taken by a route today, and still nobody's to have. */
const reservedWords: readonly string[] = ["admin", "api", "about", "help", "login", "static"];

/** Draws a slug: one of 28 to the power of 8, some 378 thousand million. */
export function createSlug(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(slugLength));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
}

/** Whether a link of this name could not be reached, or would look like a page of our own. */
export function isReserved(slug: string, router: Router): boolean {
  const word = slug.toLowerCase();
  const ofRoutes = router.routes().map(({ pattern }) => pattern.split("/")[1]);
  return reservedWords.includes(word) || ofRoutes.includes(word);
}
