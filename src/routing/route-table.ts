import { EspalierError } from "../errors.ts";
import { nearestNames } from "../text/nearest-names.ts";
import { parsePattern, type RoutePattern } from "./pattern.ts";
import type { RouteRecord } from "./route.ts";
import { PatternError, type RouteMatcher } from "./route-match.ts";

/** A route without what its pattern tells. */
export type RouteDefinition = Omit<RouteRecord, "method" | "parameters">;

/** All routes of a router, its groups included: by the matcher's index, and by name. */
export class RouteTable {
  readonly matcher: RouteMatcher;
  readonly #records: RouteRecord[] = [];
  readonly #named: Map<string, { readonly record: RouteRecord; readonly pattern: RoutePattern }> =
    new Map();

  constructor(matcher: RouteMatcher) {
    this.matcher = matcher;
  }

  /** In the order of registration: the matcher's route index is the index here. */
  get records(): readonly RouteRecord[] {
    return this.#records;
  }

  /**
   * Registers one route for each method. They share a name, since they share the pattern.
   *
   * @throws EspalierError `ERR_ROUTE_PATTERN`, `ERR_ROUTE_DUPLICATE` or `ERR_ROUTE_NAME_DUPLICATE`
   */
  register(methods: readonly string[], definition: RouteDefinition): void {
    const [method = ""] = methods;
    const pattern = parseOrExplain(method, definition.pattern);
    this.#refuseTakenName(method, definition);
    for (const each of methods) {
      this.#insert(each, definition.pattern);
      this.#records.push({ method: each, parameters: pattern.parameterNames, ...definition });
    }
    const record = this.#records.at(-1);
    if (definition.name === undefined || record === undefined) return;
    this.#named.set(definition.name, { record, pattern });
  }

  /**
   * The pattern of a named route.
   *
   * @throws EspalierError `ERR_ROUTE_UNKNOWN_NAME`, with the nearest names
   */
  resolvePattern(name: string): RoutePattern {
    const named = this.#named.get(name);
    if (named !== undefined) return named.pattern;
    throw new EspalierError(
      "ERR_ROUTE_UNKNOWN_NAME",
      `No route is called "${name}".${nearestNames(name, [...this.#named.keys()])} ` +
        'A route gets its name in its options: { name: "…" }.',
    );
  }

  #refuseTakenName(method: string, { name, pattern }: RouteDefinition): void {
    const taken = name === undefined ? undefined : this.#named.get(name)?.record;
    if (taken === undefined) return;
    throw new EspalierError(
      "ERR_ROUTE_NAME_DUPLICATE",
      `The name "${name}" of ${method} ${pattern} is already that of ${taken.method} ` +
        `${taken.pattern}. Give one of the two another name.`,
    );
  }

  #insert(method: string, pattern: string): void {
    try {
      this.matcher.insert(method, pattern);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      const conflict = error.conflict === undefined ? undefined : this.#records[error.conflict];
      if (conflict === undefined) throw patternError(method, pattern, error);
      throw duplicateError(method, pattern, conflict, error);
    }
  }
}

function parseOrExplain(method: string, pattern: string): RoutePattern {
  try {
    return parsePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw patternError(method, pattern, error);
  }
}

function patternError(method: string, pattern: string, cause: PatternError): EspalierError {
  const message = `${method} ${pattern || '""'} cannot be registered. ${cause.message}`;
  return new EspalierError("ERR_ROUTE_PATTERN", message, { cause });
}

function duplicateError(
  method: string,
  pattern: string,
  conflict: RouteRecord,
  cause: PatternError,
): EspalierError {
  const message =
    conflict.pattern === pattern
      ? `${method} ${pattern} is registered already. Remove one of the two.`
      : `${method} ${pattern} has the same shape as ${conflict.method} ${conflict.pattern}, ` +
        "which is registered already, so it would never be reached. Remove one of the two.";
  return new EspalierError("ERR_ROUTE_DUPLICATE", message, { cause });
}
