import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import { kindOf } from "../util/describe.ts";
import { isThenable } from "../util/is-thenable.ts";
import { logSafely } from "../util/log-safely.ts";
import { nearestNames } from "../util/nearest-names.ts";
import type { Policy, PolicyContext } from "./policies.ts";

/** The policies of an application, and the names of those that were warned about. */
export interface DefinedPolicies {
  readonly policies: ReadonlyMap<string, Policy>;
  readonly warned: Set<string>;
}

/** See `PolicyRegistry.evaluate`. */
export async function evaluatePolicy(
  { policies, warned }: DefinedPolicies,
  name: string,
  ctx: RequestContext,
  args: readonly string[],
): Promise<boolean> {
  const policy = policies.get(name);
  if (policy === undefined) throw unknownPolicy(name, "The application", [...policies.keys()]);
  if (ctx.user === null || ctx.user === undefined) return false;
  const returned: unknown = policy(ctx as PolicyContext, ...args);
  const result: unknown = isThenable(returned) ? await returned : returned;
  if (typeof result !== "boolean" && !warned.has(name)) {
    warned.add(name);
    warnAboutResult(name, result, ctx);
  }
  return result === true;
}

function warnAboutResult(name: string, result: unknown, ctx: RequestContext): void {
  const message =
    `The policy "${name}" must return a boolean, got ${kindOf(result)}: access is denied. ` +
    "Return true to allow access.";
  logSafely(ctx.app?.logger, "warn", message);
}

/** @param usedBy start of the message: the route that uses the policy, such as `GET /books/:id` */
export function unknownPolicy(
  name: string,
  usedBy: string,
  known: readonly string[],
): EspalierError {
  return new EspalierError(
    "ERR_AUTH_UNKNOWN_POLICY",
    `${usedBy} asks for the policy "${name}", which is not defined.` +
      `${nearestNames(name, known)} Define it with app.definePolicy("${name}", …).`,
  );
}
