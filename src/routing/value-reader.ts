import { createMatcher } from "./create-matcher.ts";
import type { RouteMatcher } from "./route-match.ts";

/**
 * Tells which values a pattern reads from a path: asked whether a URL that was built leads back.
 *
 * It has a matcher of its own, made when first needed, in which each pattern stands under a prefix
 * of its own, so that none takes the paths of another.
 */
export class ValueReader {
  #matcher: RouteMatcher | undefined;
  readonly #prefixes: Map<string, string> = new Map();

  /**
   * The decoded values by name; undefined when the path is none of the pattern's.
   *
   * @param path - its segments, each behind its slash; empty when there are none
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
