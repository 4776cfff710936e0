import type { RequestContext } from "../../http/context.ts";
import type { Handler } from "../../pipeline/compose.ts";
import type { CreateUnmatchedHandler } from "./unmatched.ts";

/** Creates the handler of unmatched requests; its code is loaded for the first of them. */
export const createLazyUnmatchedHandler: CreateUnmatchedHandler = (...input) => {
  let handler: Handler | undefined;
  const loadThenRun = async (ctx: RequestContext): Promise<Response> => {
    // Each request awaits a separate import: on Workers one must not await another request's promise.
    const { createUnmatchedHandler } = await import("./unmatched.ts");
    handler ??= createUnmatchedHandler(...input);
    return handler(ctx);
  };
  return (ctx) => (handler === undefined ? loadThenRun(ctx) : handler(ctx));
};
