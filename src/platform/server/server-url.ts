/** How to reach a server from this machine: one on every address is reached by the usual name. */
export function serverUrl(hostname: string, port: number): string {
  const isEverywhere = hostname === "0.0.0.0" || hostname === "::";
  const host = isEverywhere ? "localhost" : hostname.includes(":") ? `[${hostname}]` : hostname;
  return `http://${host}:${port}/`;
}
