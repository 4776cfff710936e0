/** Returns the local URL of a server; uses `localhost` if it is bound to all addresses. */
export function serverUrl(hostname: string, port: number): string {
  const isEveryAddress = hostname === "0.0.0.0" || hostname === "::";
  const host = isEveryAddress ? "localhost" : hostname.includes(":") ? `[${hostname}]` : hostname;
  return `http://${host}:${port}/`;
}
