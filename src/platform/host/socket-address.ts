/** Returns a reader of the client's address on Deno and Bun; undefined for other arguments. */
export function addressReaderOf(
  request: Request,
  given: object,
): (() => string | undefined) | undefined {
  if (isDenoInfo(given)) return () => given.remoteAddr.hostname;
  return isBunServer(given) ? () => given.requestIP(request)?.address : undefined;
}

function isDenoInfo(value: object): value is { remoteAddr: { hostname?: string } } {
  if (!("remoteAddr" in value && "completed" in value)) return false;
  return typeof value.remoteAddr === "object" && value.remoteAddr !== null;
}

function isBunServer(
  value: object,
): value is { requestIP(request: Request): { address: string } | null } {
  return "requestIP" in value && typeof value.requestIP === "function";
}
