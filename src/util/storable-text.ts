/**
 * Returns a string that every engine stores as it is, for keys and names that a client may have chosen.
 *
 * PostgreSQL refuses the character NUL, and a lone surrogate has no UTF-8 form: clients replace each of them by
 * U+FFFD, so that different keys would become the same. Each of these three characters is written as U+FFFD and its
 * four hexadecimal digits. Other strings stay unchanged, and two strings never become the same.
 */
export function toStorableText(text: string): string {
  return text.replace(/[\0\ufffd\p{Surrogate}]/gu, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\ufffd${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
