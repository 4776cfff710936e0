import { expandPattern, type PatternForm } from "./expand-pattern.ts";
import { matchMixedSegment } from "./mixed-segment.ts";
import { type PatternSegment, parsePattern } from "./pattern.ts";
import { precedenceOf, shapeKey } from "./pattern-shape.ts";
import { dropTrailingSlash, pathOfUrl, RequestPath } from "./request-path.ts";
import {
  type MatcherOptions,
  type MatchStatus,
  PatternError,
  pathLimit,
  RouteMatch,
  type RouteMatcher,
} from "./route-match.ts";

/** What answers one method of a shape. */
interface Endpoint {
  readonly route: number;
  /** In the order of the values that the shape captures. */
  readonly names: readonly string[];
  /** False when the route got here by leaving out an optional segment. */
  readonly isComplete: boolean;
}

/** All routes whose patterns differ in nothing but the names of parameters. */
interface Shape {
  readonly segments: readonly PatternSegment[];
  readonly rank: readonly number[];
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * Creates a matcher that tries one pattern after the other, in order of precedence.
 *
 * It is short and says what matching means. The compiled trie is tested against it, and it answers
 * where a host forbids WebAssembly; its time grows with the number of routes.
 */
export function createReferenceMatcher(options: MatcherOptions): RouteMatcher {
  return new ReferenceMatcher(options.ignoreTrailingSlash);
}

class ReferenceMatcher implements RouteMatcher {
  readonly engine = "reference";
  readonly #ignoreTrailingSlash: boolean;
  readonly #shapes: Map<string, Shape> = new Map();
  /** When each way of beginning a pattern was first registered: it decides ties. */
  readonly #firstSeen: Map<string, number> = new Map();
  #ordered: readonly Shape[] | undefined;
  #routeCount = 0;

  constructor(ignoreTrailingSlash: boolean) {
    this.#ignoreTrailingSlash = ignoreTrailingSlash;
  }

  insert(method: string, pattern: string): void {
    const forms = expandPattern(parsePattern(pattern)).map((form) => this.#normalise(form));
    this.#refuseDuplicate(method, pattern, forms);
    const route = this.#routeCount++;
    for (const form of forms) this.#addForm(method, route, form);
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

  #normalise(form: PatternForm): PatternForm {
    const { segments } = form;
    if (!this.#ignoreTrailingSlash || !endsWithSlash(segments)) return form;
    return { ...form, segments: segments.slice(0, -1) };
  }

  #refuseDuplicate(method: string, pattern: string, forms: readonly PatternForm[]): void {
    const complete = forms.find((form) => form.isComplete);
    const taken = this.#shapes.get(keyOf(complete?.segments ?? []))?.endpoints.get(method);
    if (taken?.isComplete !== true) return;
    const message = `The pattern ${pattern} has the same shape as route ${taken.route} of ${method}.`;
    throw new PatternError("duplicate", message, { conflict: taken.route });
  }

  #addForm(method: string, route: number, { segments, isComplete }: PatternForm): void {
    const key = keyOf(segments);
    const rank = this.#rank(segments);
    const shape = this.#shapes.get(key) ?? { segments, rank, endpoints: new Map() };
    this.#shapes.set(key, shape);
    // Of two routes at one shape the one written out in full answers; of two others the first.
    const present = shape.endpoints.get(method);
    if (present !== undefined && !(isComplete && !present.isComplete)) return;
    shape.endpoints.set(method, { route, names: segments.flatMap(namesOf), isComplete });
  }

  /** Numbers to sort a shape by: three for each segment. */
  #rank(segments: readonly PatternSegment[]): number[] {
    return segments.flatMap((segment, index) => {
      const beginning = keyOf(segments.slice(0, index + 1));
      const seen = this.#firstSeen.get(beginning) ?? this.#firstSeen.size;
      this.#firstSeen.set(beginning, seen);
      return [...precedenceOf(segment), seen];
    });
  }

  #inOrder(): readonly Shape[] {
    this.#ordered ??= [...this.#shapes.values()].toSorted((a, b) => compareRanks(a.rank, b.rank));
    return this.#ordered;
  }

  #readPath(url: string): RequestPath | MatchStatus {
    const path = pathOfUrl(url);
    if (path === undefined) return 404;
    if (path.length > pathLimit) return 414;
    return new RequestPath(this.#ignoreTrailingSlash ? dropTrailingSlash(path) : path);
  }

  /** The captured values, null for one that cannot be decoded; undefined when the path differs. */
  #capture(
    segments: readonly PatternSegment[],
    path: RequestPath,
  ): readonly (string | null)[] | undefined {
    const values: (string | null)[] = [];
    for (const [index, segment] of segments.entries()) {
      if (segment.kind === "wildcard") {
        // `/a` is `/a/` where trailing slashes are ignored, and `/a/*` answers that one.
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

/** Whether a pattern has a slash to ignore: `/` has none, and `/a//` ends in an empty segment. */
function endsWithSlash(segments: readonly PatternSegment[]): boolean {
  const [before, last] = segments.slice(-2);
  return before !== undefined && last !== undefined && isEmpty(last) && !isEmpty(before);
}

function isEmpty(segment: PatternSegment): boolean {
  return segment.kind === "static" && segment.text === "";
}

function captureSegment(
  segment: Exclude<PatternSegment, { kind: "wildcard" }>,
  path: RequestPath,
  index: number,
): readonly (string | null)[] | undefined {
  const text = path.decoded(index);
  if (segment.kind === "static") return text === segment.text ? [] : undefined;
  if (text === "") return undefined;
  if (segment.kind === "mixed")
    return text === null ? undefined : matchMixedSegment(segment.parts, text);
  if (segment.constraint === undefined) return [text];
  return text !== null && segment.constraint.accepts(text) ? [text] : undefined;
}

/** The exact method, then GET for HEAD, then the route for every method. */
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
  // No prototype: a parameter may be called __proto__ or toString.
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

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? Number.NEGATIVE_INFINITY);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
