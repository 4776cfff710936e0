import { expandPattern, type PatternForm } from "./expand-pattern.ts";
import { matchMixedSegment } from "./mixed-segment.ts";
import { type PatternSegment, parsePattern, type RoutePattern } from "./pattern.ts";
import { precedenceOf, shapeKey } from "./pattern-shape.ts";
import {
  dropTrailingSlash,
  escapeNonAscii,
  pathLimit,
  pathOfUrl,
  RequestPath,
} from "./request-path.ts";
import {
  constrainedLimit,
  type MatcherOptions,
  type MatchStatus,
  PatternError,
  RouteMatch,
  type RouteMatcher,
} from "./route-match.ts";

/** A registered method of a pattern. */
interface Endpoint {
  readonly route: number;
  /** In the order of the captured values. */
  readonly names: readonly string[];
}

/** One variant of all routes whose patterns differ only in parameter names. */
interface Candidate {
  readonly segments: readonly PatternSegment[];
  /** Sort key: candidates are tried in ascending order. */
  readonly rank: readonly number[];
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * Creates a matcher that tries the patterns one after the other, in order of precedence.
 *
 * A short implementation that defines the semantics: the compiled trie is tested against it. It is also the
 * fallback where a platform forbids WebAssembly; its time grows with the number of routes.
 */
export function createReferenceMatcher(options: MatcherOptions): RouteMatcher {
  return new ReferenceMatcher(options.ignoreTrailingSlash);
}

class ReferenceMatcher implements RouteMatcher {
  readonly engine = "reference";
  readonly #ignoreTrailingSlash: boolean;
  readonly #candidates: Map<string, Candidate> = new Map();
  /** Index of the first route of each shape: the older of two patterns is tried first. */
  readonly #firstOfShape: Map<string, number> = new Map();
  /** Index of the first pattern with each prefix shape: the older of two is tried first. */
  readonly #beginnings: Map<string, number> = new Map();
  #ordered: readonly Candidate[] | undefined;
  readonly #routes: (readonly [method: string, pattern: string])[] = [];

  constructor(ignoreTrailingSlash: boolean) {
    this.#ignoreTrailingSlash = ignoreTrailingSlash;
  }

  insert(method: string, pattern: string): readonly string[] {
    const parsed = parsePattern(pattern);
    const forms = this.#forms(parsed);
    const shape = keyOf(forms[0]?.segments ?? []);
    const first = this.#firstOfShape.get(shape) ?? this.#routes.length;
    const taken = this.#candidates.get(`${first} ${shape}`)?.endpoints.get(method);
    if (taken !== undefined) {
      const conflict = taken.route;
      const message = `${method} ${pattern} has the same shape as route ${conflict}.`;
      throw new PatternError("duplicate", message, { conflict });
    }
    this.#firstOfShape.set(shape, first);
    for (const form of forms) this.#addForm(method, first, form);
    this.#routes.push([method, pattern]);
    this.#ordered = undefined;
    return parsed.parameterNames;
  }

  truncate(count: number): void {
    const kept = this.#routes.slice(0, count);
    this.#routes.length = 0;
    this.#candidates.clear();
    this.#firstOfShape.clear();
    this.#beginnings.clear();
    for (const [method, pattern] of kept) this.insert(method, pattern);
    this.#ordered = undefined;
  }

  find(method: string, url: string): RouteMatch {
    const path = this.#readPath(url);
    if (typeof path === "number") return RouteMatch.failed(path);

    const allowed = new Set<string>();
    for (const { segments, endpoints } of this.#inOrder()) {
      const values = this.#capture(segments, path);
      if (values === undefined) continue;
      const endpoint = endpointFor(endpoints, method);
      if (endpoint !== undefined) return success(endpoint, values);
      addMethods(allowed, endpoints);
    }
    return allowed.size === 0
      ? RouteMatch.failed(404)
      : RouteMatch.failed(405, [...allowed].toSorted());
  }

  allowedMethods(url: string): readonly string[] {
    const path = this.#readPath(url);
    if (typeof path === "number") return [];
    const allowed = new Set<string>();
    for (const { segments, endpoints } of this.#inOrder()) {
      if (this.#capture(segments, path) !== undefined) addMethods(allowed, endpoints);
    }
    return [...allowed].toSorted();
  }

  #forms({ segments }: RoutePattern): readonly PatternForm<PatternSegment>[] {
    if (!this.#ignoreTrailingSlash) return formsOf(segments);
    const forms = formsOf(dropLastSlash(segments));
    // Leaving out the last segment of `/a//:b?` exposes another slash to ignore.
    return forms.map((form) => ({ ...form, segments: dropLastSlash(form.segments) }));
  }

  #addForm(
    method: string,
    firstOfShape: number,
    { segments, omitted }: PatternForm<PatternSegment>,
  ): void {
    const key = `${firstOfShape} ${keyOf(segments)}`;
    // At the same position the pattern that leaves out fewer segments is tried first, then the older one.
    const rank = [...this.#rank(segments), omitted, firstOfShape];
    const candidate = this.#candidates.get(key) ?? { segments, rank, endpoints: new Map() };
    this.#candidates.set(key, candidate);
    // Two variants of `/:a?/:b?` have the same shape; the first keeps the leftmost parameter.
    if (candidate.endpoints.has(method)) return;
    const names = segments.flatMap(namesOf);
    candidate.endpoints.set(method, { route: this.#routes.length, names });
  }

  /** Returns three numbers per segment, and a lower one that marks the end. */
  #rank(segments: readonly PatternSegment[]): number[] {
    const ranks = segments.flatMap((segment, index) => {
      const beginning = keyOf(segments.slice(0, index + 1));
      const seen = this.#beginnings.get(beginning) ?? this.#beginnings.size;
      this.#beginnings.set(beginning, seen);
      return [...precedenceOf(segment), seen];
    });
    return [...ranks, -1];
  }

  #inOrder(): readonly Candidate[] {
    this.#ordered ??= [...this.#candidates.values()].toSorted((a, b) => compare(a.rank, b.rank));
    return this.#ordered;
  }

  #readPath(url: string): RequestPath | MatchStatus {
    const sent = pathOfUrl(url);
    if (sent === undefined) return 404;
    const path = escapeNonAscii(sent);
    if (path.length > pathLimit) return 414;
    return new RequestPath(this.#ignoreTrailingSlash ? dropTrailingSlash(path) : path);
  }

  /**
   * Returns the captured values, null for one that cannot be decoded; undefined if the path does not match.
   */
  #capture(
    segments: readonly PatternSegment[],
    path: RequestPath,
  ): readonly (string | null)[] | undefined {
    const values: (string | null)[] = [];
    for (const [index, segment] of segments.entries()) {
      if (segment.kind === "wildcard") {
        // With ignored trailing slashes `/a` equals `/a/`, which `/a/*` matches.
        const missing = index - path.segments.length;
        if (missing > 0 || (missing === 0 && !this.#ignoreTrailingSlash)) return undefined;
        values.push(path.decodedRest(index));
        return values;
      }
      if (index >= path.segments.length) return undefined;
      const captured = captureSegment(segment, path, index);
      if (captured === undefined) return undefined;
      values.push(...captured);
    }
    return segments.length === path.segments.length ? values : undefined;
  }
}

/** Returns the variants of a pattern; one without segments is `/`, which has an empty one. */
function formsOf(segments: readonly PatternSegment[]): readonly PatternForm<PatternSegment>[] {
  const forms = expandPattern(segments, (segment) => "optional" in segment && segment.optional);
  return forms.map((form) =>
    form.segments.length > 0 ? form : { ...form, segments: [{ kind: "static", text: "" }] },
  );
}

/** Turns the pattern `/a/` into `/a`; `/` has no trailing slash, and `/a//` ends in an empty segment. */
function dropLastSlash(segments: readonly PatternSegment[]): readonly PatternSegment[] {
  const [before, last] = segments.slice(-2);
  const hasSlash = before !== undefined && last !== undefined && isEmpty(last) && !isEmpty(before);
  return hasSlash ? segments.slice(0, -1) : segments;
}

function isEmpty(segment: PatternSegment): boolean {
  return segment.kind === "static" && segment.text === "";
}

/** A segment of a pattern that matches one segment of a path. */
type SingleSegment = Exclude<PatternSegment, { kind: "wildcard" }>;

function captureSegment(
  segment: SingleSegment,
  path: RequestPath,
  index: number,
): readonly (string | null)[] | undefined {
  const text = path.decoded(index);
  if (segment.kind === "static") return text === segment.text ? [] : undefined;
  if (text === "") return undefined;
  if (hasConstraint(segment) && (path.segments[index]?.length ?? 0) > constrainedLimit) {
    return undefined;
  }
  if (segment.kind === "mixed")
    return text === null ? undefined : matchMixedSegment(segment.parts, text);
  if (segment.constraint === undefined) return [text];
  return text !== null && segment.constraint.accepts(text) ? [text] : undefined;
}

function hasConstraint(segment: SingleSegment): boolean {
  const parts = segment.kind === "mixed" ? segment.parts : [segment];
  return parts.some((part) => part.kind === "parameter" && part.constraint !== undefined);
}

/** Returns the route for the exact method, then GET for HEAD, then the route for all methods. */
function endpointFor(
  endpoints: ReadonlyMap<string, Endpoint>,
  method: string,
): Endpoint | undefined {
  const byGet = method === "HEAD" ? endpoints.get("GET") : undefined;
  return endpoints.get(method) ?? byGet ?? endpoints.get("ALL");
}

function addMethods(allowed: Set<string>, endpoints: ReadonlyMap<string, Endpoint>): void {
  for (const method of endpoints.keys()) allowed.add(method);
  if (endpoints.has("GET")) allowed.add("HEAD");
}

function success(endpoint: Endpoint, values: readonly (string | null)[]): RouteMatch {
  // No prototype: a parameter may be named __proto__ or toString.
  const params: Record<string, string> = Object.create(null);
  for (const [index, name] of endpoint.names.entries()) {
    const value = values[index];
    if (typeof value !== "string") return RouteMatch.failed(400);
    params[name] = value;
  }
  return RouteMatch.found(endpoint.route, params);
}

function keyOf(segments: readonly PatternSegment[]): string {
  return JSON.stringify(segments.map(shapeKey));
}

function namesOf(segment: PatternSegment): readonly string[] {
  if (segment.kind === "static") return [];
  if (segment.kind !== "mixed") return [segment.name];
  return segment.parts.flatMap((part) => (part.kind === "parameter" ? [part.name] : []));
}

function compare(a: readonly number[], b: readonly number[]): number {
  const different = a.findIndex((value, index) => value !== b[index]);
  return (a[different] ?? 0) - (b[different] ?? 0);
}
