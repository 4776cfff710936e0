/** What a matcher does the same for every route it holds. */
export interface MatcherOptions {
  /** Whether `/a/` is the same path as `/a`, in patterns and in requests. */
  readonly ignoreTrailingSlash: boolean;
}

/** What is wrong with a pattern: the route exists already, or the text is not a pattern. */
export type PatternErrorReason = "duplicate" | "invalid-pattern";

/**
 * A pattern that a matcher refuses; the matcher is as before then.
 *
 * `position` is the index of the offending character in the pattern, `conflict` the index of the
 * route that has the same method and shape; each is undefined where it means nothing.
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

/** Finds the route of a request among patterns; filled once, asked for every request. */
export interface RouteMatcher {
  readonly engine: "wasm" | "reference";

  /**
   * Adds a route; its index is the number of routes inserted before.
   *
   * The method `"ALL"` is a route for every method.
   * @returns the names of the pattern's parameters, from left to right; `"*"` of an anonymous wildcard
   * @throws PatternError - and the matcher is as before.
   */
  insert(method: string, pattern: string): readonly string[];

  /** Forgets all routes but the first `count`, and is as it was when they were all. */
  truncate(count: number): void;

  /** Matches a whole URL, spelled as `request.url` spells it. Never throws. */
  find(method: string, url: string): RouteMatch;

  /**
   * The methods registered for the patterns that match a URL, sorted, `HEAD` with `GET`, and `ALL`
   * for a route that takes every method; empty when no pattern matches.
   */
  allowedMethods(url: string): readonly string[];
}

/** The outcomes of matching; 400 is a parameter that cannot be decoded, 414 a path over 16 KiB. */
export type MatchStatus = 200 | 400 | 404 | 405 | 414;

const nothing: readonly string[] = [];
const noSpans: readonly number[] = [];
const noParams: Record<string, string> = /* @__PURE__ */ Object.freeze(Object.create(null));

/**
 * The longest path a matcher takes, in characters; a longer one is a 414.
 *
 * The router's buffer has this size, and a span packs two numbers under it.
 */
export const pathLimit = 16_384;

/**
 * The outcome of one match. It stays valid after later matches: it holds the URL and where the
 * values stand in it, and nothing of the matcher.
 *
 * A *span* says where a value stands: 14 bits of start, counted from the second character of the
 * path, 14 bits of length, 1 bit for "has percent escapes". It stays a small integer in every engine.
 *
 * One class with one set of fields, so that engines see a single shape wherever matches pass.
 */
export class RouteMatch {
  readonly status: MatchStatus;
  /** The index of the route, in the order of insertion; -1 without a route. */
  readonly route: number;
  readonly #allow: readonly string[];
  readonly #url: string;
  readonly #pathStart: number;
  readonly #names: readonly string[];
  // The first spans are fields: a list of them would cost more to make than the values themselves.
  readonly #span0: number;
  readonly #span1: number;
  readonly #span2: number;
  readonly #span3: number;
  readonly #moreSpans: readonly number[];
  #params: Record<string, string> | undefined;

  /**
   * For the wasm matcher, which leaves decoding to the match; others take `found` and `failed`.
   *
   * @param names - of the parameters that have a value, in pattern order
   * @param span0 - the packed span of the first value, counted from `pathStart` in `url`
   * @param moreSpans - those of the fifth value and the ones behind it
   */
  constructor(
    status: MatchStatus,
    route: number,
    allow: readonly string[],
    url: string,
    pathStart: number,
    names: readonly string[],
    span0: number,
    span1: number,
    span2: number,
    span3: number,
    moreSpans: readonly number[],
  ) {
    this.status = status;
    this.route = route;
    this.#allow = allow;
    this.#url = url;
    this.#pathStart = pathStart;
    this.#names = names;
    this.#span0 = span0;
    this.#span1 = span1;
    this.#span2 = span2;
    this.#span3 = span3;
    this.#moreSpans = moreSpans;
    this.#params = names.length === 0 ? noParams : undefined;
  }

  /** A match without a route: 400, 404, 414, or 405 with the methods that the path knows. */
  static failed(status: MatchStatus, allow: readonly string[] = nothing): RouteMatch {
    return new RouteMatch(status, -1, allow, "", 0, nothing, 0, 0, 0, 0, noSpans);
  }

  /** A match whose parameters are decoded already: an object without prototype, in pattern order. */
  static found(route: number, params: Record<string, string>): RouteMatch {
    const match = new RouteMatch(200, route, nothing, "", 0, nothing, 0, 0, 0, 0, noSpans);
    match.#params = params;
    return match;
  }

  /** For a 405, the methods the path knows, sorted, `HEAD` with `GET`; empty otherwise. */
  get allow(): readonly string[] {
    return this.#allow;
  }

  /**
   * The decoded parameters in pattern order, made when first asked for.
   *
   * The object has no prototype, so that a parameter may have any name, and nothing else is in it.
   * Without parameters it is frozen: all such matches share it.
   */
  get params(): Record<string, string> {
    return this.#params ?? this.#decode();
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
    this.#params = params;
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
