import { EspalierError } from "../errors.ts";
import type { MixedParts } from "./mixed-segment.ts";
import type { PatternParameter, PatternSegment, RoutePattern } from "./pattern.ts";
import { createReferenceMatcher } from "./reference-matcher.ts";

/** Values for the parameters of a pattern; undefined is as good as absent. */
export type UrlParams = Readonly<Record<string, string | number | bigint | undefined>>;

type QueryValue = string | number | bigint | boolean | null | undefined;

/**
 * What stands after the question mark: a list gives a key several times, undefined and null none.
 */
export type UrlQuery = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/**
 * Builds the path and the query of a named route.
 *
 * The path leads back to the pattern with the same values, or this throws: a value that would be
 * read as something else is refused.
 *
 * @throws EspalierError `ERR_ROUTE_MISSING_PARAMETER` or `ERR_ROUTE_BAD_PARAMETER`
 */
export function buildUrl(
  name: string,
  pattern: RoutePattern,
  params: UrlParams = {},
  query: UrlQuery | URLSearchParams = {},
): string {
  const values = new UrlValues(name, pattern, params);
  const segments = pattern.segments.filter((segment) => !isLeftOut(segment, values));
  const path = `/${segments.map((segment) => buildSegment(segment, values)).join("/")}`;
  // A browser reads `//host` as another host's address.
  if (path.startsWith("//")) throw values.refusal(`${path} is the address of another host`);
  if (pattern.segments.some(canBeMisread)) refuseMisreading(path, pattern, values);
  return path + buildQuery(query);
}

/** The values given for one URL, and how errors name it. */
class UrlValues {
  readonly #name: string;
  readonly #pattern: RoutePattern;
  readonly #params: UrlParams;

  constructor(name: string, pattern: RoutePattern, params: UrlParams) {
    this.#name = name;
    this.#pattern = pattern;
    this.#params = params;
  }

  find(name: string): string | undefined {
    // `toString` is a legal parameter name, and every object seems to have a value for it.
    const value = Object.hasOwn(this.#params, name) ? this.#params[name] : undefined;
    return value === undefined || value === null ? undefined : String(value);
  }

  resolve(name: string): string {
    const value = this.find(name);
    if (value === undefined) {
      throw new EspalierError(
        "ERR_ROUTE_MISSING_PARAMETER",
        `url("${this.#name}") needs a value for "${name}" of ${this.#pattern.source}.`,
      );
    }
    if (value.isWellFormed()) return value;
    throw this.refusal(`"${name}" holds half of a surrogate pair`);
  }

  refusal(problem: string): EspalierError {
    return new EspalierError(
      "ERR_ROUTE_BAD_PARAMETER",
      `url("${this.#name}") cannot be built from ${this.#pattern.source}: ${problem}.`,
    );
  }
}

function isLeftOut(segment: PatternSegment, values: UrlValues): boolean {
  return (
    segment.kind === "parameter" && segment.optional && values.find(segment.name) === undefined
  );
}

function buildSegment(segment: PatternSegment, values: UrlValues): string {
  switch (segment.kind) {
    case "static":
      return encodeText(segment.text);
    case "parameter":
      return refuseDots(buildValue(segment, values), values);
    case "mixed":
      return refuseDots(buildMixed(segment.parts, values), values);
    case "wildcard":
      return values
        .resolve(segment.name)
        .split("/")
        .map((text) => refuseDots(encodeURIComponent(text), values))
        .join("/");
  }
}

function buildMixed(parts: MixedParts, values: UrlValues): string {
  return parts
    .map((part) => (part.kind === "static" ? encodeText(part.text) : buildValue(part, values)))
    .join("");
}

function buildValue({ name, constraint }: PatternParameter, values: UrlValues): string {
  const value = values.resolve(name);
  if (value === "") throw values.refusal(`"${name}" is empty, which no path segment is`);
  if (constraint !== undefined && !constraint.accepts(value)) {
    throw values.refusal(`"${name}" does not match its constraint (${constraint.source})`);
  }
  return encodeURIComponent(value);
}

/** URL parsers resolve these two, also encoded, and the path would be another one. */
function refuseDots(segment: string, values: UrlValues): string {
  if (segment !== "." && segment !== "..") return segment;
  throw values.refusal(`it would have the segment ${segment}, which URL parsers resolve`);
}

/** Encodes a pattern's own text, and leaves what RFC 3986 allows in a path segment as it is. */
function encodeText(text: string): string {
  return encodeURIComponent(text).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}

/** Where a value ends, and which parameter it is for, is plain but for these two. */
function canBeMisread(segment: PatternSegment): boolean {
  return segment.kind === "mixed" || (segment.kind === "parameter" && segment.optional);
}

/**
 * Of `/:a?/:b?` there is no path with a `b` alone, and of `/:name.:type` none with a dot in `type`.
 */
function refuseMisreading(path: string, pattern: RoutePattern, values: UrlValues): void {
  const matcher = createReferenceMatcher({ ignoreTrailingSlash: false });
  matcher.insert("GET", pattern.source);
  const { params } = matcher.find("GET", `http://localhost${path}`);
  for (const name of pattern.parameterNames) {
    if (params[name] === values.find(name)) continue;
    throw values.refusal(`${path} would be read with another "${name}"`);
  }
}

function buildQuery(query: UrlQuery | URLSearchParams): string {
  const search = query instanceof URLSearchParams ? query : new URLSearchParams(listQuery(query));
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

function listQuery(query: UrlQuery): string[][] {
  return Object.entries(query).flatMap(([key, value]) => {
    const items: readonly QueryValue[] = Array.isArray(value) ? value : [value];
    return items
      .filter((item) => item !== undefined && item !== null)
      .map((item) => [key, String(item)]);
  });
}
