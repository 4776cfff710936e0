import type { BodyParsing } from "../../http/context-input.ts";
import type { RouteRecord } from "../../routing/route.ts";
import type { ResolvedOptions } from "../options.ts";

/**
 * Loads the code that reads bodies if a request of any route may have one.
 *
 * @throws EspalierError `ERR_APPLICATION_MISSING_PART`
 */
export async function findBodyParsing(
  records: readonly RouteRecord[],
  {
    parsesBodies,
    bodyLimits: limits,
    loadBodyReader,
  }: Pick<ResolvedOptions, "parsesBodies" | "bodyLimits" | "loadBodyReader">,
): Promise<BodyParsing | undefined> {
  const first = records.find(
    ({ method, bodyParser }) => method !== "GET" && method !== "HEAD" && bodyParser !== false,
  );
  if (!parsesBodies || first === undefined) return undefined;
  const reader = await loadBodyReader(`${first.method} ${first.pattern}`);
  return limits && { limits, reader };
}

/** Returns how a route parses bodies; undefined if it does not. */
export function bodyParsingOf(
  { bodyParser, bodyLimit }: RouteRecord,
  parsing: BodyParsing | undefined,
): BodyParsing | undefined {
  if (parsing === undefined || bodyParser === false) return undefined;
  return bodyLimit === undefined ? parsing : parsing.reader.withBodyLimit(parsing, bodyLimit);
}
