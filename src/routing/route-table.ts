import { explainPattern } from "#router-wasm";
import type { RouteRecord } from "./route.ts";
import { duplicateError, patternError, takenName, unknownName } from "./route-errors.ts";
import { PatternError, type RouteMatcher } from "./route-match.ts";
import type { UrlBuilder, UrlParams, UrlQuery } from "./url.ts";

/** Parts of a route table that its owner chooses. */
export interface RouteTableParts {
  /** Creates the builder of URLs, on the first call of `url`; may throw if the application has none. */
  readonly createUrlBuilder: () => UrlBuilder;
  /** Called after every registration. */
  readonly onChange?: () => void;
}

/** All routes of a router including its groups, by the matcher's index and by name. */
export class RouteTable {
  readonly matcher: RouteMatcher;
  readonly #records: RouteRecord[] = [];
  readonly #named: Map<string, RouteRecord> = new Map();
  readonly #parts: RouteTableParts;
  #buildUrl: UrlBuilder | undefined;

  constructor(matcher: RouteMatcher, parts: RouteTableParts) {
    this.matcher = matcher;
    this.#parts = parts;
  }

  /** In registration order: the matcher's route index is the index here. */
  get records(): readonly RouteRecord[] {
    return this.#records;
  }

  /**
   * Inserts the pattern of a method into the matcher; the caller must add its route next.
   *
   * @returns the names of the pattern's parameters
   * @throws EspalierError `ERR_ROUTE_PATTERN` or `ERR_ROUTE_DUPLICATE`
   */
  insert(method: string, pattern: string): readonly string[] {
    try {
      return this.matcher.insert(method, pattern);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      const conflict = error.conflict === undefined ? undefined : this.#records[error.conflict];
      if (conflict === undefined)
        throw patternError(method, pattern, explainPattern?.(pattern) ?? error);
      throw duplicateError(method, pattern, conflict, error);
    }
  }

  /**
   * Adds the route of the last inserted pattern. A later route with the same name replaces the name's entry.
   */
  add(record: RouteRecord): void {
    this.#records.push(record);
    if (record.name !== undefined) this.#named.set(record.name, record);
    this.#parts.onChange?.();
  }

  /** Registers several routes atomically: if one is refused, the previous ones are removed. */
  addAll(register: () => void): void {
    const before = this.#records.length;
    try {
      register();
    } catch (error) {
      for (const { name } of this.#records.splice(before))
        if (name !== undefined) this.#named.delete(name);
      this.matcher.truncate(before);
      throw error;
    }
  }

  /**
   * Refuses a name that another route has. Routes of several methods may share a name, since they share the
   * pattern.
   *
   * @throws EspalierError `ERR_ROUTE_NAME_DUPLICATE`
   */
  refuseTakenName(name: string, method: string, pattern: string): void {
    const taken = this.#named.get(name);
    if (taken === undefined) return;
    throw takenName(name, method, pattern, taken);
  }

  /**
   * Builds the path and query of a named route.
   *
   * @throws EspalierError `ERR_ROUTE_UNKNOWN_NAME`, with the nearest names; and as {@link UrlBuilder}
   */
  url(name: string, params: UrlParams, query: UrlQuery | URLSearchParams): string {
    const named = this.#named.get(name);
    if (named !== undefined) {
      this.#buildUrl ??= this.#parts.createUrlBuilder();
      return this.#buildUrl(named, params, query);
    }
    throw unknownName(name, [...this.#named.keys()]);
  }
}
