/** Returns the URL of a server as seen from this machine: `localhost` for a server bound to every address. */
export function serverUrl(hostname: string, port: number): string {
  const isEveryAddress = hostname === "0.0.0.0" || hostname === "::";
  const host = isEveryAddress ? "localhost" : hostname.includes(":") ? `[${hostname}]` : hostname;
  return `http://${host}:${port}/`;
}
