/** What the loop hands to a router: the two fields of a `Request` that routing reads. */
export interface RouteRequest {
  readonly method: string;
  readonly url: string;
}

/** A route that a router found, with its parameters decoded. */
export interface FoundRoute {
  readonly route: number;
  readonly params: Readonly<Record<string, string>>;
}

/** One router, filled with one table. */
export interface FilledRouter {
  /** Routes a request and reads every parameter; `sumOfParameters` of what it found, 0 for none. */
  answer(request: RouteRequest): number;
  /** Routes a request for the comparison with the right answer, under the table's own names. */
  find(request: RouteRequest): FoundRoute | undefined;
}

/** A router that takes part in the benchmark. */
export interface Subject {
  readonly name: string;
  /** Whether it tries route after route, so that it is measured with a sample of the requests. */
  readonly linear?: true;
  /** Fills a router with routes. @throws what the router throws for a route it cannot express. */
  fill(routes: readonly (readonly [method: string, pattern: string])[]): FilledRouter;
}

/**
 * What the timed loop adds up: it depends on the route and on the text of every parameter, so that
 * no engine can skip the work, and it is the same number for every router that answers rightly.
 */
export function sumOfParameters(
  route: number,
  params: Readonly<Record<string, string>>,
  names: readonly string[],
): number {
  let sum = route + 1;
  for (let i = 0; i < names.length; i++) {
    const value = params[names[i] as string] as string; // a missing one throws, and is reported
    sum = Math.imul(sum, 31) + value.length + (value.charCodeAt(0) | 0);
  }
  return sum;
}

/** The parameters of a match under the table's names, where the router uses names of its own. */
export function renamed(
  params: Readonly<Record<string, string>>,
  own: readonly string[],
  names: readonly string[],
): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  for (const [i, name] of names.entries()) result[name] = params[own[i] ?? name] ?? "";
  return result;
}
