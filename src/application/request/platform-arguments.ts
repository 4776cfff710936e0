import { addressReaderOf } from "#host";
import type { ExecutionContext, PlatformArguments } from "../../http/context-input.ts";
import type { Env } from "../../register.ts";
import { isThenable } from "../../util/is-thenable.ts";

/**
 * Reads the further arguments of a fetch handler, so that `app.fetch` can be passed directly: Workers pass
 * `(request, env, executionContext)`, `Deno.serve` passes `(request, info)` with the remote address,
 * `Bun.serve` passes `(request, server)`, whose method returns the address, and a route handler of Next.js
 * `(request, { params })`, whose promise must not be taken for a binding.
 */
export function readFetchArguments(
  request: Request,
  second: unknown,
  third: unknown,
): PlatformArguments {
  const executionContext = isExecutionContext(third) ? third : undefined;
  if (!isObject(second)) return { env: undefined, executionContext, socketAddress: undefined };
  const readAddress = addressReaderOf(request, second);
  if (readAddress !== undefined) {
    return {
      env: undefined,
      executionContext,
      hasRawTarget: true,
      // Lazy: few requests need the address, and looking it up is expensive on some platforms.
      get socketAddress() {
        return readAddress();
      },
    };
  }
  const env = isNextRoute(second) ? undefined : (second as Env);
  return { env, executionContext, socketAddress: undefined };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isExecutionContext(value: unknown): value is ExecutionContext {
  return isObject(value) && typeof (value as ExecutionContext).waitUntil === "function";
}

function isNextRoute(value: object): boolean {
  return "params" in value && isThenable(value.params) && Object.keys(value).length === 1;
}
