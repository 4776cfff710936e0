/** Input of a router: the two fields of a `Request` that routing reads. */
export interface RouteRequest {
  readonly method: string;
  readonly url: string;
}

/** A matched route with its decoded parameters. */
export interface FoundRoute {
  readonly route: number;
  readonly params: Readonly<Record<string, string>>;
}

/** A router filled with a table. */
export interface FilledRouter {
  /** Matches a request and reads every parameter; returns their `sumOfParameters`, or 0 without a match. */
  answer(request: RouteRequest): number;
  /** Matches a request for the check of its result, with the parameter names of the table. */
  find(request: RouteRequest): FoundRoute | undefined;
}

/** A router of the benchmark. */
export interface Subject {
  readonly name: string;
  /** True if it tries routes one after the other, so that only a sample of the requests is measured. */
  readonly linear?: true;
  /** Fills a router with routes. @throws the router's error for an unsupported route. */
  fill(routes: readonly (readonly [method: string, pattern: string])[]): FilledRouter;
}

/**
 * Returns the checksum of the timed loop. It depends on the route and on every parameter, so that an
 * engine cannot skip the work, and is the same number for every correct router.
 */
export function sumOfParameters(
  route: number,
  params: Readonly<Record<string, string>>,
  names: readonly string[],
): number {
  let sum = route + 1;
  for (let i = 0; i < names.length; i++) {
    const value = params[names[i] as string] as string; // a missing one throws
    sum = Math.imul(sum, 31) + value.length + (value.charCodeAt(0) | 0);
  }
  return sum;
}

/** Renames the parameters of a match to the table's names. */
export function renamed(
  params: Readonly<Record<string, string>>,
  own: readonly string[],
  names: readonly string[],
): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  for (const [i, name] of names.entries()) result[name] = params[own[i] ?? name] ?? "";
  return result;
}
