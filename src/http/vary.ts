/**
 * Adds a name to `Vary` (RFC 9110 section 12.5.5) unless it is present. `*` already includes every header,
 * so nothing is added to it.
 */
export function appendVary(headers: Headers, name: string): void {
  const present = headers.get("vary");
  if (present === null || present === "") {
    headers.set("vary", name);
    return;
  }
  const names = present
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
  if (names.includes("*") || names.includes(name.toLowerCase())) return;
  headers.set("vary", name === "*" ? name : `${present}, ${name}`);
}
