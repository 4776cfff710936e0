import { EspalierError } from "../../errors.ts";
import type { ServeOptions } from "./contract.ts";

/** What is thrown where a port cannot be bound: the system's error, or a clear one for a port in use. */
export function describeBindError(error: unknown, { port, hostname }: ServeOptions): unknown {
  // Node, Deno and Bun all give their own error the system's code.
  const isInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  if (!isInUse) return error;
  return new EspalierError(
    "ERR_APPLICATION_PORT_IN_USE",
    `Port ${port} of ${hostname} is in use. End the program that listens there, or listen on ` +
      "another port; 0 takes a free one.",
    { cause: error },
  );
}
