import { createMatcher } from "./create-matcher.ts";
import type { RouteMatcher } from "./route-match.ts";

/**
 * Reads the values that a pattern extracts from a path, to verify that a built URL matches its route.
 *
 * Uses a separate matcher, created lazily, in which each pattern has a unique prefix, so that no pattern
 * shadows another.
 */
export class ValueReader {
  #matcher: RouteMatcher | undefined;
  readonly #prefixes: Map<string, string> = new Map();

  /**
   * Returns the decoded values by name; undefined if the path does not match the pattern.
   *
   * @param path - its segments, each preceded by a slash; an empty string for no segments
   */
  read(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
    this.#matcher ??= createMatcher({ ignoreTrailingSlash: false });
    const prefix = this.#prefixes.get(pattern) ?? this.#add(this.#matcher, pattern);
    const match = this.#matcher.find("GET", `http://localhost${prefix}${path}`);
    return match.status === 200 ? match.params : undefined;
  }

  #add(matcher: RouteMatcher, pattern: string): string {
    const prefix = `/${this.#prefixes.size}`;
    matcher.insert("GET", prefix + (pattern.startsWith("/") ? pattern : `/${pattern}`));
    this.#prefixes.set(pattern, prefix);
    return prefix;
  }
}
