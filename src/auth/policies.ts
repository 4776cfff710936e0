import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { PolicyArguments, PolicyName, User } from "../register.ts";
import { kindOf } from "../util/describe.ts";
import { isCallable } from "../util/is-callable.ts";
import type { evaluatePolicy } from "./evaluate-policy.ts";

/** The context of a policy: a request without a user is denied before. */
export type PolicyContext = RequestContext & { readonly user: NonNullable<User> };

/**
 * Authorization policy: decides if the user of a request may perform an action. Only `true` allows the request.
 *
 * @param args the arguments after the policy's name: `"can:edit,draft"` passes `"draft"`
 */
export type Policy<Arguments extends readonly string[] = string[]> = (
  ctx: PolicyContext,
  ...args: Arguments
) => boolean | Promise<boolean>;

/** Policies by name. */
export type PolicyMap = { readonly [Name in PolicyName]?: Policy<PolicyArguments<Name>> };

/** Policies of an application by name; the code that evaluates them is loaded by the first evaluation. */
export class PolicyRegistry {
  readonly #policies: Map<string, Policy> = new Map();
  /** Policies that were warned about: a warning for each request would flood the log. */
  readonly #warned: Set<string> = new Set();
  #evaluate: typeof evaluatePolicy | undefined;

  /**
   * Registers a policy; a later one of the same name replaces it.
   *
   * @throws EspalierError `ERR_AUTH_BAD_POLICY` if `policy` is not a function, or for a name
   *   that cannot be written after `can:`
   */
  define(name: string, policy: Policy<never>): void {
    if (typeof name !== "string" || name === "" || name !== name.trim() || name.includes(",")) {
      throw new EspalierError(
        "ERR_AUTH_BAD_POLICY",
        "The name of a policy must be a string without commas and without spaces around it, " +
          `got ${JSON.stringify(name)}.`,
      );
    }
    if (!isCallable(policy)) {
      throw new EspalierError(
        "ERR_AUTH_BAD_POLICY",
        `The policy "${name}" must be a function, got ${kindOf(policy)}. ` +
          'Write (ctx) => ctx.user.role === "editor".',
      );
    }
    // Unchecked cast: the routes that name the policy write its arguments.
    this.#policies.set(name, policy as Policy);
  }

  /** Registers several policies by name; see {@link define}. */
  defineAll(policies: PolicyMap): void {
    for (const [name, policy] of Object.entries(policies)) this.define(name, policy as Policy);
  }

  has(name: string): boolean {
    return this.#policies.has(name);
  }

  /** Names of the policies, in order of registration. */
  names(): readonly string[] {
    return [...this.#policies.keys()];
  }

  /**
   * Returns true if the policy allows the request by returning `true`. A request without a user is
   * denied without calling the policy, so policies may rely on `ctx.user`.
   *
   * @throws EspalierError `ERR_AUTH_UNKNOWN_POLICY`, with the nearest names; whatever the policy
   *   throws
   */
  evaluate(name: string, ctx: RequestContext, ...args: string[]): Promise<boolean> {
    const defined = { policies: this.#policies, warned: this.#warned };
    if (this.#evaluate !== undefined) return this.#evaluate(defined, name, ctx, args);
    return import("./evaluate-policy.ts").then(({ evaluatePolicy }) => {
      this.#evaluate = evaluatePolicy;
      return evaluatePolicy(defined, name, ctx, args);
    });
  }
}
