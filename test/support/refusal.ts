import { PatternError, type RouteMatcher } from "../../src/routing/route-match.ts";

/** Returns the error of an invalid pattern for GET. */
export function refusal(matcher: RouteMatcher, pattern: string): PatternError {
  try {
    matcher.insert("GET", pattern);
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
  throw new Error(`${pattern} was not refused.`);
}
