/** Formats JSON with arrays of strings on one line, as formatters do. */
export function formatJson(value: object): string {
  const text = JSON.stringify(value, null, 2);
  const lists = /\[\s+("[^[\]{}]*")\s+\]/g;
  return `${text.replace(lists, (_, items: string) => `[${items.replace(/\s+/g, " ")}]`)}\n`;
}
