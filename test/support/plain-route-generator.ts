import type { Random } from "./random.ts";
import type { GeneratedRoute, GeneratedRouteSet } from "./route-generator.ts";

/** Texts of segments: few, so that routes compete for the same paths. */
const texts = ["a", "b", "ab", "a.b", "-", "_", "~x", "0"];
/** Names of parameters by their position: a name that occurs twice in a pattern is refused. */
const parameters = [":w", ":x", ":y", ":z"];
const methods = ["GET", "GET", "GET", "POST", "PUT", "DELETE", "QUERY"];
const rareMethods = ["HEAD", "ALL"];
const hosts = ["http://localhost", "https://example.com:8443"];
const tails = ["", "", "", "", "?a=/b", "?", "#/x", "/", "/?x"];
/** Replacements of segments in some paths. */
const unusualTexts = ["", "%61", "é", ":x", ".b", "A", "\x7f"];

/**
 * Generates routes of literal segments and parameters, without other syntax, and paths that match one of them or nearly:
 * what is matched before the module of the router has started.
 */
export function generatePlainRouteSet(random: Random): GeneratedRouteSet {
  const generatePattern = (): string => {
    const names = random.chance(0.02) ? [":x", ":x", ":x", ":x"] : parameters;
    const all = names.map((name) => (random.chance(0.4) ? name : random.pick(texts)));
    return random.chance(0.05) ? "/" : `/${all.slice(random.between(0, 3)).join("/")}`;
  };
  const routes = random.list(1, random.chance(0.05) ? 40 : 5, (): GeneratedRoute => {
    const method = random.chance(0.02) ? random.pick(rareMethods) : random.pick(methods);
    return [method, generatePattern()];
  });
  const sample = (segment: string): string => {
    if (random.chance(0.01)) return random.pick(unusualTexts);
    return segment.startsWith(":") || random.chance(0.05) ? random.pick(texts) : segment;
  };
  return {
    ignoreTrailingSlash: random.chance(0.5),
    routes,
    request: () => {
      const [method, pattern] = random.pick(routes);
      const path = pattern === "/" ? "" : pattern.slice(1).split("/").map(sample).join("/");
      const asked = random.chance(0.9) ? method : random.pick([...methods, ...rareMethods]);
      return [asked, `${random.pick(hosts)}/${path}${random.pick(tails)}`];
    },
  };
}
