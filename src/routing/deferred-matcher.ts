import { noParams, RouteMatch, type RouteMatcher } from "./route-match.ts";
import { namesOfPlain } from "./variant-names.ts";

/** An application with more routes needs the module at once: it compares routes faster. */
const maxRoutes = 32;

/** Number of requests after which the module is worth its start. */
const maxRequests = 100;

/** Captures a path that has one spelling only; a longer one is left to the module. */
const plainPath = /^https?:\/\/[^/?#]+(\/[\w./-]{0,999})(?:[?#]|$)/;

/** Stands for a parameter in a shape. Sorts after all literal text, which has precedence. */
const parameter = "\x7f";

/** A route with a plain pattern. */
interface PlainRoute {
  readonly method: string;
  readonly pattern: string;
  /** The method, then the segments of the pattern. */
  readonly segments: readonly string[];
}

/**
 * Matches the first requests of an application with few routes, and creates the matcher of the WebAssembly module
 * when it is needed: compiling the functions of the module would be a fifth of a cold start.
 *
 * The module is needed for a pattern that is not plain or may be refused, for a path that is not plain or that no route
 * matches, and after some requests.
 */
export class DeferredMatcher implements RouteMatcher {
  readonly engine = "wasm";
  readonly #create: () => RouteMatcher;
  /** In registration order, by method and shape. */
  readonly #routes: Map<string, PlainRoute> = new Map();
  #matcher: RouteMatcher | undefined;
  #requests = 0;

  constructor(create: () => RouteMatcher) {
    this.#create = create;
  }

  insert(method: string, pattern: string): readonly string[] {
    const names = this.#matcher === undefined ? this.#defer(method, pattern) : undefined;
    return names ?? this.#created().insert(method, pattern);
  }

  truncate(count: number): void {
    this.#created().truncate(count);
  }

  find(method: string, url: string): RouteMatch {
    const matcher = this.#matcher;
    if (matcher !== undefined) return matcher.find(method, url);
    return this.#findPlain(method, url) ?? this.#created().find(method, url);
  }

  allowedMethods(url: string): readonly string[] {
    return this.#created().allowedMethods(url);
  }

  /** Keeps a route and returns the names of its parameters; undefined if the module has to check the route. */
  #defer(method: string, pattern: string): readonly string[] | undefined {
    const routes = this.#routes;
    const names = namesOfPlain(pattern);
    const segments = (method + pattern).split("/");
    const shape = segments.map((text) => (text.startsWith(":") ? parameter : text)).join("/");
    const isCertain =
      new Set(names).size === names?.length &&
      (pattern === "/" || !segments.includes("")) &&
      !routes.has(shape);
    // GET, HEAD and ALL of a path respond for each other.
    if (!isCertain || method === "HEAD" || method === "ALL" || routes.size === maxRoutes) {
      return undefined;
    }
    routes.set(shape, { method, pattern, segments });
    return names;
  }

  /** Returns the match of a plain path; undefined if the module has to match the path. */
  #findPlain(method: string, url: string): RouteMatch | undefined {
    const path = plainPath.exec(url)?.[1];
    if (path === undefined || this.#requests === maxRequests) return undefined;
    this.#requests += 1;
    const sent = (method + path).split("/");
    let match: RouteMatch | undefined;
    let matched = "";
    let index = 0;
    for (const [shape, { segments }] of this.#routes) {
      const params = paramsOf(segments, sent);
      if (params !== undefined && (match === undefined || shape < matched)) {
        match = RouteMatch.found(index, params);
        matched = shape;
      }
      index += 1;
    }
    return match;
  }

  #created(): RouteMatcher {
    if (this.#matcher === undefined) {
      this.#matcher = this.#create();
      for (const { method, pattern } of this.#routes.values())
        this.#matcher.insert(method, pattern);
    }
    return this.#matcher;
  }
}

/** Returns the parameters of a path; undefined if the segments do not match it. */
function paramsOf(
  segments: readonly string[],
  sent: readonly string[],
): Record<string, string> | undefined {
  if (segments.length !== sent.length) return undefined;
  let params = noParams;
  for (const [at, text] of segments.entries()) {
    const value = sent[at] as string; // as many as segments
    if (!text.startsWith(":")) {
      if (value !== text) return undefined;
    } else {
      if (value === "") return undefined;
      if (params === noParams) params = Object.create(null);
      params[text.slice(1)] = value;
    }
  }
  return params;
}
