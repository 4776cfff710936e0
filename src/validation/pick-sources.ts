import type { Source, SourceMap } from "./rules.ts";

const sourceNames: readonly Source[] = ["params", "query", "body", "headers"];

/** Returns the sources of a contract or of a route's options; undefined if it names none. */
export function pickSources(options: SourceMap): SourceMap | undefined {
  const given = sourceNames.filter((name) => options[name] !== undefined);
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}
