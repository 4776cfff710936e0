/** Whether `Cache-Control` has a directive, in any case and place (RFC 9111 section 5.2). */
export function hasCacheDirective(headers: Headers, directive: string): boolean {
  return (headers.get("cache-control") ?? "")
    .toLowerCase()
    .split(",")
    .some((part) => part.trim() === directive);
}
