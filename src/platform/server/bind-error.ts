import { EspalierError } from "../../errors.ts";
import type { ServeOptions } from "./contract.ts";

/** Returns the error to throw when binding fails: a specific one for a port in use, else the original. */
export function describeBindError(error: unknown, { port, hostname }: ServeOptions): unknown {
  // The errors of Node, Deno and Bun all have the system's error code.
  const isInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  if (!isInUse) return error;
  return new EspalierError(
    "ERR_APPLICATION_PORT_IN_USE",
    `Port ${port} of ${hostname} is already in use. Stop the program that is listening on it, or listen ` +
      "on another port; port 0 picks a free one.",
    { cause: error },
  );
}
