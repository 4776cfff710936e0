/**
 * Checks for Deno's error for the body of a client that has left: the signal of its request may be aborted only later.
 */
export function isBodyUnavailable({ name, message }: Error): boolean {
  return name === "BadResource" && message.endsWith("body as underlying resource unavailable");
}
