import { EspalierError } from "../../errors.ts";
import type { RequestContext } from "../../http/context.ts";

/**
 * Returns the binding of that name from the request's environment, identified by one of its methods.
 *
 * @throws EspalierError `ERR_RATE_LIMIT_NO_BINDING`
 */
export function findRateLimitBinding<Binding>(
  ctx: RequestContext,
  name: string,
  method: keyof Binding & string,
): Binding {
  const binding: unknown = Reflect.get(ctx.env, name);
  if (typeof binding === "object" && binding !== null && method in binding) {
    // Workers expose only the shape of a binding.
    return binding as Binding;
  }
  throw new EspalierError(
    "ERR_RATE_LIMIT_NO_BINDING",
    `The environment has no rate limit binding "${name}" with the method ${method}. ` +
      "Add it to the Worker's configuration, or pass the name of an existing binding to the store.",
  );
}
