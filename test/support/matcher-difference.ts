import {
  type MatcherOptions,
  PatternError,
  type RouteMatcher,
} from "../../src/routing/route-match.ts";
import { Random } from "./random.ts";
import {
  type GeneratedRequest,
  type GeneratedRoute,
  type GeneratedRouteSet,
  generateRouteSet,
} from "./route-generator.ts";

type MatcherFactory = (options: MatcherOptions) => RouteMatcher;

/** Result of a run of comparisons. */
export interface DifferenceReport {
  readonly pairs: number;
  /** Number of distinct pairs. */
  readonly distinctPairs: number;
  readonly routeSets: number;
  readonly refusedPatterns: number;
  /** Number of common results by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** The first difference, minimised; undefined without one. */
  readonly difference: string | undefined;
}

/** Amount of comparisons; `requestsPerSet` is the number of requests per set of routes. */
export interface DifferenceSearch {
  readonly pairs: number;
  readonly seed: number;
  readonly requestsPerSet?: number;
  /** Generates the sets; by default every kind of pattern. */
  readonly generate?: (random: Random) => GeneratedRouteSet;
}

/**
 * Compares two matchers on inputs generated from a seed, until they differ or `pairs` pairs of a route
 * set and a path have been compared.
 */
export function findDifference(
  createOne: MatcherFactory,
  createOther: MatcherFactory,
  { pairs, seed, requestsPerSet = 25, generate = generateRouteSet }: DifferenceSearch,
): DifferenceReport {
  const random = new Random(seed);
  const counts = { pairs: 0, distinctPairs: 0, routeSets: 0, refusedPatterns: 0, statuses: {} };
  const statuses: Record<number, number> = counts.statuses;
  while (counts.pairs < pairs) {
    const set = generate(random);
    const options = { ignoreTrailingSlash: set.ignoreTrailingSlash };
    const one = createOne(options);
    const other = createOther(options);
    counts.routeSets++;
    const accepted: GeneratedRoute[] = [];
    for (const route of set.routes) {
      const outcome = tryInsert(one, route);
      if (outcome !== tryInsert(other, route)) {
        const difference = describeInsertion([createOne, createOther], options, accepted, route);
        return { ...counts, difference: `seed ${seed}\n${difference}` };
      }
      if (outcome === "inserted") accepted.push(route);
      else counts.refusedPatterns++;
    }
    const requests = new Set<string>();
    for (let asked = 0; asked < requestsPerSet; asked++) {
      const request = set.request();
      requests.add(request.join(" "));
      const answer = ask(one, request);
      counts.pairs++;
      if (answer !== ask(other, request)) {
        const difference = minimise([createOne, createOther], options, accepted, request);
        return { ...counts, difference: `seed ${seed}\n${difference}` };
      }
      const { status } = one.find(...request);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    counts.distinctPairs += requests.size;
  }
  return { ...counts, difference: undefined };
}

/** Returns the complete result of a matcher for a request, as text. */
function ask(matcher: RouteMatcher, [method, url]: GeneratedRequest): string {
  const match = matcher.find(method, url);
  return JSON.stringify({
    status: match.status,
    route: match.route,
    allow: match.allow,
    params: Object.entries(match.params),
    allowedMethods: matcher.allowedMethods(url),
  });
}

function tryInsert(matcher: RouteMatcher, [method, pattern]: GeneratedRoute): string {
  try {
    matcher.insert(method, pattern);
    return "inserted";
  } catch (error) {
    if (!(error instanceof PatternError)) return `threw ${String(error)}`;
    return `refused: ${error.reason} ${error.conflict ?? ""}`;
  }
}

/** Minimises a difference: removes routes, then characters of the URL, while the results still differ. */
function minimise(
  factories: readonly MatcherFactory[],
  options: MatcherOptions,
  routes: readonly GeneratedRoute[],
  [method, url]: GeneratedRequest,
): string {
  const answers = (fewer: readonly GeneratedRoute[], shorter: string): string[] =>
    factories.map((create) => {
      const matcher = create(options);
      for (const route of fewer) tryInsert(matcher, route);
      return ask(matcher, [method, shorter]);
    });
  const differ = (fewer: readonly GeneratedRoute[], shorter: string): boolean =>
    new Set(answers(fewer, shorter)).size > 1;

  let smallest = routes;
  for (const route of routes) {
    const fewer = smallest.filter((kept) => kept !== route);
    if (differ(fewer, url)) smallest = fewer;
  }
  const pathStart = url.indexOf("/", url.indexOf("://") + 3) + 1;
  let shortest = url;
  for (let at = url.length - 1; at >= pathStart; at--) {
    const shorter = shortest.slice(0, at) + shortest.slice(at + 1);
    // URLs cannot contain a lone surrogate.
    if (shorter.isWellFormed() && differ(smallest, shorter)) shortest = shorter;
  }
  return describe(
    options,
    smallest,
    `find(${JSON.stringify(method)}, ${JSON.stringify(shortest)})`,
    answers(smallest, shortest),
  );
}

function describeInsertion(
  factories: readonly MatcherFactory[],
  options: MatcherOptions,
  accepted: readonly GeneratedRoute[],
  route: GeneratedRoute,
): string {
  const outcomes = (before: readonly GeneratedRoute[]): string[] =>
    factories.map((create) => {
      const matcher = create(options);
      for (const earlier of before) tryInsert(matcher, earlier);
      return tryInsert(matcher, route);
    });
  let smallest = accepted;
  for (const earlier of accepted) {
    const fewer = smallest.filter((kept) => kept !== earlier);
    if (new Set(outcomes(fewer)).size > 1) smallest = fewer;
  }
  return describe(
    options,
    smallest,
    `insert(${JSON.stringify(route).slice(1, -1)})`,
    outcomes(smallest),
  );
}

function describe(
  options: MatcherOptions,
  routes: readonly GeneratedRoute[],
  question: string,
  answers: readonly string[],
): string {
  return [
    `const matcher = create(${JSON.stringify(options)});`,
    ...routes.map((route) => `matcher.insert(${JSON.stringify(route).slice(1, -1)});`),
    `matcher.${question};`,
    ...answers.map((answer, index) => `${index === 0 ? "one:  " : "other:"} ${answer}`),
  ].join("\n");
}
