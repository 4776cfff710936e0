import type { FieldError } from "../../src/http/http-error.ts";
import {
  type CompiledValidation,
  ruleValidator,
  type ValidationInput,
  type ValidationResult,
} from "../../src/validation/compile.ts";
import type { LooseRouteValidation } from "../../src/validation/rules.ts";

/** Creates the input of a validation; the query is written as in a URL. */
export function inputOf(
  parts: {
    method?: string;
    params?: Record<string, string>;
    query?: string;
    headers?: HeadersInit;
    body?: unknown;
    bodyKind?: ValidationInput["bodyKind"];
    context?: unknown;
  } = {},
): ValidationInput {
  const search = new URLSearchParams(parts.query);
  return {
    method: parts.method ?? "POST",
    params: parts.params ?? {},
    query: Object.fromEntries(search),
    queries: (name) => search.getAll(name),
    headers: new Headers(parts.headers),
    body: parts.body,
    bodyKind: parts.bodyKind ?? ("body" in parts ? "json" : "none"),
    context: parts.context,
  };
}

/** Compiles layers for a method; throws if they have no rules. */
export function compile(
  layers: LooseRouteValidation | readonly LooseRouteValidation[],
  method = "POST",
  parameters: readonly string[] = [],
): CompiledValidation {
  const list = Array.isArray(layers) ? layers : [layers];
  const compiled = ruleValidator(list, { method, parameters });
  if (compiled === undefined) throw new Error("Nothing to validate was compiled.");
  return compiled;
}

/** Runs a synchronous validation. */
export function runSync(compiled: CompiledValidation, input: ValidationInput): ValidationResult {
  const result = compiled.run(input);
  if (result instanceof Promise) throw new Error("The validation was asynchronous.");
  return result;
}

/** Validates a JSON body with rules. */
export function validateBody(rules: LooseRouteValidation, body: unknown): ValidationResult {
  return runSync(compile(rules), inputOf({ body }));
}

/** Returns the errors of a failed result. */
export function errorsOf(result: ValidationResult): readonly FieldError[] {
  if (result.ok) throw new Error("The validation passed.");
  return result.errors;
}

/** Returns the messages of a JSON body's errors; empty if it is valid. */
export function messagesOf(rules: LooseRouteValidation, body: unknown): readonly string[] {
  const result = validateBody(rules, body);
  return result.ok ? [] : result.errors.map((error) => error.message);
}

/** Returns the value of a successful result. */
export function validatedOf(result: ValidationResult): unknown {
  if (!result.ok) throw new Error(`The validation failed: ${JSON.stringify(result.errors)}`);
  return result.value;
}
