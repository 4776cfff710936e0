import { detectRuntime } from "../runtime.ts";

/** Formats a value as `console.log` does, with the name of a body's class for a response. */
interface BunInspecting {
  inspect(value: unknown): string;
}

/**
 * Returns `true` if a response on Bun was created with a stream. Accessing the `body` of any other would create one, and
 * Bun would no longer know its content type. Returns false on other runtimes.
 */
export const hasStreamBody: (response: Response) => boolean =
  detectRuntime() === "bun" ? isStreamOnBun : () => false;

function isStreamOnBun(response: Response): boolean {
  const { Bun } = globalThis as unknown as { Bun: BunInspecting };
  // Members of a response are indented by two spaces, and a value of a header has no line break.
  return Bun.inspect(response).includes("\n  ReadableStream");
}
