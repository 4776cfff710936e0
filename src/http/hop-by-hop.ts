/** Fields that concern one connection only (RFC 9110, 7.6.1; RFC 9113, 8.2.2), and those of one proxy. */
const connectionFields: readonly string[] = [
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Removes the fields that must not be forwarded, including those that `Connection` names. */
export function removeHopByHopFields(headers: Headers): void {
  const named = (headers.get("connection") ?? "").split(",").map((name) => name.trim());
  for (const name of [...connectionFields, ...named]) {
    // A name that is not a token cannot be the name of a field.
    if (/^[!#$%&'*+.^`|~\w-]+$/.test(name)) headers.delete(name);
  }
}
