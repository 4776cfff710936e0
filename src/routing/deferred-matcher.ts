import { noParams, RouteMatch, type RouteMatcher } from "./route-match.ts";
import { namesOfPlain } from "./variant-names.ts";

/** An application with more routes needs the module at once: it compares routes faster. */
const maxRoutes = 32;

/** Number of requests after which the module is worth its start. */
const maxRequests = 100;

/** Matches origin and path, of up to 999 characters, of a URL whose path has one spelling only. */
const plainUrl = /^[\w./:-]{1,999}(?![^?#])/;

/** Stands for a parameter in a shape. Sorts after all literal text, which has precedence. */
const parameter = "\x7f";

/** A route with a plain pattern. */
interface PlainRoute {
  readonly method: string;
  readonly pattern: string;
  /** The method, then the segments of the pattern. */
  readonly segments: readonly string[];
  /** The segments without the names of parameters. */
  readonly shape: string;
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
  readonly #routes: PlainRoute[] = [];
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
    const match = this.#matcher === undefined ? this.#findPlain(method, url) : undefined;
    return match ?? this.#created().find(method, url);
  }

  allowedMethods(url: string): readonly string[] {
    return this.#created().allowedMethods(url);
  }

  /** Keeps a route and returns the names of its parameters; undefined if the module has to check the route. */
  #defer(method: string, pattern: string): readonly string[] | undefined {
    const routes = this.#routes;
    const names = namesOfPlain(pattern);
    const text = method + pattern;
    const segments = text.split("/");
    const shape = text.replace(/:[^/]+/g, parameter);
    const isUncertain =
      new Set(names).size !== names?.length ||
      (pattern !== "/" && segments.includes("")) ||
      routes.some((route) => route.shape === shape);
    // GET, HEAD and ALL of a path respond for each other.
    if (isUncertain || method === "HEAD" || method === "ALL" || routes.length === maxRoutes) {
      return undefined;
    }
    routes.push({ method, pattern, segments, shape });
    return names;
  }

  /** Returns the match of a plain path; undefined if the module has to match the path. */
  #findPlain(method: string, url: string): RouteMatch | undefined {
    const plain = plainUrl.exec(url)?.[0];
    if (plain === undefined || this.#requests++ === maxRequests) return undefined;
    const sent = plain.split("/").slice(2);
    sent[0] = method; // in the place of the host
    let match: RouteMatch | undefined;
    let matched = parameter; // sorts after all shapes
    for (const [index, { segments, shape }] of this.#routes.entries()) {
      const params = paramsOf(segments, sent);
      if (params !== undefined && shape < matched) {
        match = RouteMatch.found(index, params);
        matched = shape;
      }
    }
    return match;
  }

  #created(): RouteMatcher {
    if (this.#matcher === undefined) {
      this.#matcher = this.#create();
      for (const { method, pattern } of this.#routes) this.#matcher.insert(method, pattern);
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
    const value = sent[at];
    if (text.startsWith(":") && value) {
      if (params === noParams) params = Object.create(null);
      params[text.slice(1)] = value;
    } else if (value !== text) return undefined;
  }
  return params;
}
