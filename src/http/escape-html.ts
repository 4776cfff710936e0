const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Escapes a string for HTML, in element content and in quoted attributes. It does not make a URL, a style or
 * a script safe.
 *
 * @example return html(`<h1>${escapeHtml(book.title)}</h1>`);
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => references[character] ?? character);
}
