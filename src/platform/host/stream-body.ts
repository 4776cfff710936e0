import { detectRuntime } from "../runtime.ts";

/** Formats a value as `console.log` does, with the name of a body's class for a response. */
interface BunInspecting {
  inspect(value: unknown): string;
}

/** The value of the symbol `response` of a response on Deno; a string or bytes may have no body yet. */
interface DenoResponse {
  readonly body: { readonly streamOrStatic: unknown } | null;
}

/**
 * Returns `true` if a response on Bun or Deno was created with a stream of JavaScript. Accessing the `body` of any other
 * would create one: Bun would no longer know its content type, and Deno would no longer send its length. Returns false on
 * other runtimes.
 */
export const hasStreamBody: (response: Response) => boolean = testOf(detectRuntime());

function testOf(runtime: ReturnType<typeof detectRuntime>): (response: Response) => boolean {
  if (runtime === "bun") return isStreamOnBun;
  return runtime === "deno" ? isStreamOnDeno : () => false;
}

function isStreamOnBun(response: Response): boolean {
  const { Bun } = globalThis as unknown as { Bun: BunInspecting };
  // Members of a response are indented by two spaces, and a value of a header has no line break.
  return Bun.inspect(response).includes("\n  ReadableStream");
}

/** Deno has no function for it, but its objects have their members under symbols, which can be found by name. */
function isStreamOnDeno(response: Response): boolean {
  const inner = memberOf(response, "response") as DenoResponse | undefined;
  const stream = inner?.body?.streamOrStatic;
  // Deno sends a stream of a file or connection natively.
  return stream instanceof ReadableStream && !memberOf(stream, "[[resourceBacking]]");
}

function memberOf(value: object, name: string): unknown {
  const symbol = Object.getOwnPropertySymbols(value).find(
    ({ description }) => description === name,
  );
  return symbol === undefined ? undefined : Reflect.get(value, symbol);
}
