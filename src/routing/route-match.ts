/** Options of a matcher, which apply to all its routes. */
export interface MatcherOptions {
  /** Treats `/a/` and `/a` as the same path, in patterns and in requests. */
  readonly ignoreTrailingSlash: boolean;
}

/** Reason why a pattern was refused: the route exists already, or the pattern is invalid. */
export type PatternErrorReason = "duplicate" | "invalid-pattern";

/**
 * Error for a pattern that a matcher refuses; the matcher is unchanged.
 *
 * `position` is the index of the offending character in the pattern, `conflict` the index of the route with
 * the same method and shape; each is undefined if it does not apply.
 */
export class PatternError extends Error {
  override readonly name: string = "PatternError";
  readonly reason: PatternErrorReason;
  readonly position: number | undefined;
  readonly conflict: number | undefined;

  constructor(
    reason: PatternErrorReason,
    message: string,
    where: { readonly position?: number; readonly conflict?: number } = {},
  ) {
    super(message);
    this.reason = reason;
    this.position = where.position;
    this.conflict = where.conflict;
  }
}

/** Finds the route of a request; routes are inserted at registration, lookups happen on every request. */
export interface RouteMatcher {
  readonly engine: "wasm" | "reference";

  /**
   * Adds a route; its index is the number of routes inserted before.
   *
   * The method `"ALL"` registers a route for all methods.
   * @returns the names of the pattern's parameters, from left to right; `"*"` for an unnamed wildcard
   * @throws PatternError - and leaves the matcher unchanged.
   */
  insert(method: string, pattern: string): readonly string[];

  /** Removes all routes but the first `count`, restoring the matcher's earlier state. */
  truncate(count: number): void;

  /** Matches an absolute URL, normalised like `request.url`. Never throws. */
  find(method: string, url: string): RouteMatch;

  /**
   * Returns the methods registered for the patterns that match a URL, sorted, with `HEAD` for `GET` and `ALL`
   * for a route for all methods; empty if no pattern matches.
   */
  allowedMethods(url: string): readonly string[];
}

/** Results of matching; 400: a parameter cannot be decoded, 414: the path is longer than 16 KiB. */
export type MatchStatus = 200 | 400 | 404 | 405 | 414;

const nothing: readonly string[] = [];
const noSpans: readonly number[] = [];
const noPositions: Int32Array = /* @__PURE__ */ new Int32Array(5);
/** Shared by all matches without parameters. */
export const noParams: Record<string, string> = /* @__PURE__ */ Object.freeze(Object.create(null));

/**
 * The longest segment that a constraint is matched against, in characters of the URL: an escape such as `%C3`
 * counts as three. A longer one does not match, or every sibling with a constraint would read all of it.
 */
export const constrainedLimit = 1024;

/**
 * The result of one match. It stays valid after later matches: it contains the URL and the positions of the
 * values, and does not refer to the matcher.
 *
 * A *span* is the packed position of a value: 14 bits of start, counted from the second character of the
 * path, 14 bits of length, 1 bit for "has percent escapes". It fits into a small integer in every engine.
 *
 * A single class with fixed fields, so that call sites stay monomorphic.
 */
export class RouteMatch {
  readonly status: MatchStatus;
  /** Index of the route, in insertion order; -1 without a route. */
  readonly route: number;
  #allow: readonly string[] = nothing;
  readonly #names: readonly string[];
  readonly #url: string;
  readonly #pathStart: number;
  // The first spans are fields: allocating an array would cost more than decoding the values.
  readonly #span0: number;
  readonly #span1: number;
  readonly #span2: number;
  readonly #span3: number;
  readonly #moreSpans: readonly number[];
  #decoded: Record<string, string> | undefined;

  private constructor(
    status: MatchStatus,
    route: number,
    names: readonly string[],
    url: string,
    positions: Int32Array,
  ) {
    this.status = status;
    this.route = route;
    this.#names = names;
    this.#url = url;
    // The matcher's positions have room for four spans at least.
    this.#pathStart = positions[0] as number;
    this.#span0 = positions[1] as number;
    this.#span1 = positions[2] as number;
    this.#span2 = positions[3] as number;
    this.#span3 = positions[4] as number;
    this.#moreSpans = names.length > 4 ? spansAfterFourth(positions, names.length) : noSpans;
    this.#decoded = names.length === 0 ? noParams : undefined;
  }

  /**
   * Creates a match whose parameters are decoded on first access.
   *
   * @param names - names of the parameters that have a value, in pattern order
   * @param positions - the start of the path in `url`, then the span of each value; not kept
   */
  static located(
    route: number,
    names: readonly string[],
    url: string,
    positions: Int32Array,
  ): RouteMatch {
    return new RouteMatch(200, route, names, url, positions);
  }

  /** Creates a match with decoded parameters: an object without prototype, in pattern order. */
  static found(route: number, params: Record<string, string>): RouteMatch {
    const match = new RouteMatch(200, route, nothing, "", noPositions);
    match.#decoded = params;
    return match;
  }

  /** Creates a match without a route: 400, 404, 414, or 405 with the methods registered for the path. */
  static failed(status: MatchStatus, allow: readonly string[] = nothing): RouteMatch {
    const match = new RouteMatch(status, -1, nothing, "", noPositions);
    match.#allow = allow;
    return match;
  }

  /** For a 405: the methods registered for the path, sorted, with `HEAD` for `GET`; empty otherwise. */
  get allow(): readonly string[] {
    return this.#allow;
  }

  /**
   * Returns the decoded parameters in pattern order, decoded on first access.
   *
   * The object has no prototype, so that parameters may have any name. Without parameters it is frozen and
   * shared by all such matches.
   */
  get params(): Record<string, string> {
    return this.#decoded ?? this.#decode();
  }

  #decode(): Record<string, string> {
    const names = this.#names;
    const params: Record<string, string> = Object.create(null);
    for (let i = 0; i < names.length; i++) {
      const span = this.#span(i);
      const start = this.#pathStart + (span >>> 15) + 1;
      const value = this.#url.slice(start, start + ((span >>> 1) & 0x3fff));
      params[names[i] as string] = (span & 1) === 0 ? value : decodeURIComponent(value);
    }
    this.#decoded = params;
    return params;
  }

  #span(index: number): number {
    if (index === 0) return this.#span0;
    if (index === 1) return this.#span1;
    if (index === 2) return this.#span2;
    if (index === 3) return this.#span3;
    return this.#moreSpans[index - 4] as number; // one span per name
  }
}

/** Copies the spans of the fifth value and later ones; a loop takes a tenth of the time of `Array.from`. */
function spansAfterFourth(positions: Int32Array, count: number): readonly number[] {
  const spans: number[] = [];
  for (let index = 5; index <= count; index++) spans.push(positions[index] as number);
  return spans;
}
