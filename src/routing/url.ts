import { EspalierError } from "../errors.ts";
import type { Routes } from "../register.ts";
import { encodePathText } from "./path-text.ts";
import {
  type ParameterPart,
  type PatternPart,
  readPatternParts,
  type SegmentParts,
} from "./pattern-parts.ts";
import { constrainedLimit } from "./route-match.ts";
import { ValueReader } from "./value-reader.ts";

/** Values for the parameters of a pattern; undefined counts as missing. */
export type UrlParams = Readonly<Record<string, string | number | bigint | undefined>>;

/** The arguments of `router.url` after the name: parameters are required if the declared route has any. */
export type UrlArguments<Name extends string> = Name extends keyof Routes
  ? Record<never, never> extends Routes[Name]
    ? [params?: DeclaredParams<Routes[Name]>, query?: UrlQuery | URLSearchParams]
    : [params: DeclaredParams<Routes[Name]>, query?: UrlQuery | URLSearchParams]
  : [params?: UrlParams, query?: UrlQuery | URLSearchParams];

type DeclaredParams<Params> = { readonly [Key in keyof Params]: UrlParams[string] };

type QueryValue = string | number | bigint | boolean | null | undefined;

/** Query parameters: an array repeats the key, undefined and null omit it. */
export type UrlQuery = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** A route for which a URL is built. */
export interface NamedRoute {
  readonly name: string | undefined;
  readonly pattern: string;
  readonly parameters: readonly string[];
}

/**
 * Builds the path and query of a named route.
 *
 * @throws EspalierError `ERR_ROUTE_MISSING_PARAMETER` or `ERR_ROUTE_BAD_PARAMETER`
 */
export type UrlBuilder = (
  route: NamedRoute,
  params: UrlParams,
  query: UrlQuery | URLSearchParams,
) => string;

/**
 * Creates the builder of one router, which keeps a matcher of the patterns that it has read.
 *
 * @example
 * import { Application, urls } from "espalier/core";
 * const app = new Application({ urls });
 * app.getRouter().get("/books/:id", showBook, { name: "books.show" });
 * app.getRouter().url("books.show", { id: 7 }); // "/books/7"
 */
export function createUrlBuilder(): UrlBuilder {
  const reader = new ValueReader();
  return (route, params, query) => buildUrl(route, params, query, reader);
}

/**
 * Builds the path and query of a named route.
 *
 * Guarantees that the path matches the pattern with the same values, and throws for a value that would be
 * read differently.
 *
 * @throws EspalierError `ERR_ROUTE_MISSING_PARAMETER` or `ERR_ROUTE_BAD_PARAMETER`
 */
function buildUrl(
  route: NamedRoute,
  params: UrlParams,
  query: UrlQuery | URLSearchParams,
  reader: ValueReader,
): string {
  const values = new UrlValues(route, params, reader);
  const all = readPatternParts(route.pattern);
  const segments = all.filter((segment) => !isLeftOut(segment, values));
  const path = `/${segments.map((segment) => buildSegment(segment, values)).join("/")}`;
  // Browsers treat `//host` as a protocol-relative URL of another host.
  if (path.startsWith("//")) throw values.refusal(`${path} is the address of another host`);
  if (all.some(canBeMisread)) values.refuseMisreading(path, segments.length === 0);
  return path + buildQuery(query);
}

/** The values for one URL, and its name in errors. */
class UrlValues {
  readonly #route: NamedRoute;
  readonly #params: UrlParams;
  readonly #reader: ValueReader;

  constructor(route: NamedRoute, params: UrlParams, reader: ValueReader) {
    this.#route = route;
    this.#params = params;
    this.#reader = reader;
  }

  find(name: string): string | undefined {
    // `toString` is a valid parameter name, but every object inherits one.
    const value = Object.hasOwn(this.#params, name) ? this.#params[name] : undefined;
    return value === undefined || value === null ? undefined : String(value);
  }

  resolve(name: string): string {
    const value = this.find(name);
    if (value === undefined) {
      throw new EspalierError(
        "ERR_ROUTE_MISSING_PARAMETER",
        `url("${this.#route.name}") needs a value for "${name}" of ${this.#route.pattern}.`,
      );
    }
    if (value.isWellFormed()) return value;
    throw this.refusal(`"${name}" holds half of a surrogate pair`);
  }

  /** Encodes the value of a parameter, which must match its constraint. */
  encode({ name, constraint }: ParameterPart): string {
    const value = this.resolve(name);
    if (value === "") throw this.refusal(`"${name}" is empty, which no path segment is`);
    const encoded = encodeURIComponent(value);
    // Too long a segment is refused when it is complete.
    if (constraint === undefined || encoded.length > constrainedLimit) return encoded;
    if (this.#reader.read(`/:it(${constraint})`, `/${encoded}`) !== undefined) return encoded;
    throw this.refusal(`"${name}" does not match its constraint (${constraint})`);
  }

  /**
   * Refuses paths that match with other values: `/:a?/:b?` has no path with only `b`, and `/:name.:type` none
   * with a dot in `type`.
   */
  refuseMisreading(path: string, hasNoSegments: boolean): void {
    const read = this.#reader.read(this.#route.pattern, hasNoSegments ? "" : path);
    for (const name of this.#route.parameters) {
      if (read?.[name] === this.find(name)) continue;
      throw this.refusal(`${path} would be read with another "${name}"`);
    }
  }

  refusal(problem: string): EspalierError {
    return new EspalierError(
      "ERR_ROUTE_BAD_PARAMETER",
      `url("${this.#route.name}") cannot be built from ${this.#route.pattern}: ${problem}.`,
    );
  }
}

function isLeftOut([part]: SegmentParts, values: UrlValues): boolean {
  return part?.kind === "parameter" && part.isOptional && values.find(part.name) === undefined;
}

function buildSegment(parts: SegmentParts, values: UrlValues): string {
  const [first] = parts;
  if (first?.kind === "wildcard") {
    const texts = values.resolve(first.name).split("/");
    return texts.map((text) => refuseDots(encodeURIComponent(text), values)).join("/");
  }
  const segment = parts.map((part) => buildPart(part, values)).join("");
  if (segment.length > constrainedLimit && parts.some(hasConstraint)) {
    throw values.refusal(
      `a segment with a constraint must have at most ${constrainedLimit} characters, ` +
        `got ${segment.length}`,
    );
  }
  return parts.some((part) => part.kind !== "text") ? refuseDots(segment, values) : segment;
}

function hasConstraint(part: PatternPart): boolean {
  return part.kind === "parameter" && part.constraint !== undefined;
}

function buildPart(part: PatternPart, values: UrlValues): string {
  if (part.kind === "text") return encodePathText(part.text);
  return part.kind === "parameter" ? values.encode(part) : "";
}

/** Refuses `.` and `..`: URL parsers resolve them, even encoded, and would change the path. */
function refuseDots(segment: string, values: UrlValues): string {
  if (segment !== "." && segment !== "..") return segment;
  throw values.refusal(`it would have the segment ${segment}, which URL parsers resolve`);
}

/** Returns whether a path could match with other values: only mixed and optional segments are ambiguous. */
function canBeMisread(parts: SegmentParts): boolean {
  return parts.length > 1 || (parts[0]?.kind === "parameter" && parts[0].isOptional);
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
