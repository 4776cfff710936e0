import { badRule } from "./bad-rule.ts";
import { isDemanded, type MergedSource, mergeLayers } from "./merge.ts";
import { RequestInput, settleRequest } from "./request-input.ts";
import type { LooseRouteValidation } from "./rules.ts";
import type { ValidationInput } from "./sources.ts";
import { type CompiledValidation, Validation } from "./validate.ts";

export type { ValidationInput } from "./sources.ts";
export type { CompiledValidation, SourceDescription } from "./validate.ts";
export type { ValidationResult } from "./validation-run.ts";

/**
 * Compiles the rules of a controller, its groups and its route, outermost first, into one check.
 *
 * The validated value is one object of all fields; the fields grouped by source if a layer names its
 * sources; or, for a single Standard Schema, its output unchanged.
 *
 * @param route its method (`ALL` for every method), and the names of its path parameters
 * @returns undefined when there is nothing to check
 * @throws EspalierError `ERR_VALIDATION_BAD_RULE`, naming the field and the key
 * @example const app = new Application({ validation: ruleValidator }); // both from `espalier/core`
 */
export function ruleValidator(
  layers: readonly LooseRouteValidation[],
  route: { readonly method: string; readonly parameters: readonly string[] },
): CompiledValidation | undefined {
  const compileFor = (payload: "query" | "body"): CompiledValidation | undefined => {
    const { isFlat, sources } = mergeLayers(layers, route.parameters, payload);
    const isEmpty = [...sources.values()].every(isWithoutDemand);
    return isEmpty ? undefined : new Validation(sources, isFlat);
  };
  const method = route.method.toUpperCase();
  if (method === "GET" || method === "HEAD") {
    refuseBody(mergeLayers(layers, route.parameters, "query").sources.get("body"), method);
    return compileFor("query");
  }
  if (method !== "DELETE" && method !== "ALL") return compileFor("body");
  // Decided per request: the source depends on the method, and on whether a DELETE has a body.
  const fromQuery = compileFor("query");
  const fromBody = compileFor("body");
  if (fromQuery === undefined || fromBody === undefined) return undefined;
  const run: CompiledValidation["run"] = (input) =>
    (isInQuery(input) ? fromQuery : fromBody).run(input);
  return {
    run,
    checkRequest: (request, bodyKind) =>
      settleRequest(run(new RequestInput(request, bodyKind)), request),
    describe: () => fromQuery.describe(),
  };
}

/** Rejects a body that no request has at boot: each would end in a 422. */
function refuseBody(body: MergedSource | undefined, method: string): void {
  for (const [field, { rule }] of body?.rules ?? []) {
    // A nested field is not required if its list is missing, or its parent has a default.
    if (!isDemanded(rule) || field.includes(".")) continue;
    const problem = `it is required in the body, and a ${method} request has no body.`;
    throw badRule(field, `${problem} Declare it in query, or use another method.`);
  }
}

function isWithoutDemand({ rules, schema }: MergedSource): boolean {
  return rules.size === 0 && schema === undefined;
}

function isInQuery({ method, bodyKind }: ValidationInput): boolean {
  return method === "GET" || method === "HEAD" || (method === "DELETE" && bodyKind === "none");
}
