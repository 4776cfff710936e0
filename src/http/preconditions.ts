import { matchesEntityTag } from "./entity-tag.ts";

/** Validators of a representation. */
export interface Validators {
  /** Entity tag with its quotes; strong unless it begins with `W/`. */
  readonly etag: string | undefined;
  readonly lastModified: Date | undefined;
}

/**
 * Evaluates the conditions of a `GET` or `HEAD` request (RFC 9110 section 13.2.2): 412 if one that protects
 * from lost updates fails, 304 if the client has this version.
 */
export function evaluatePreconditions(
  headers: Headers,
  { etag, lastModified }: Validators,
): 304 | 412 | undefined {
  const ifMatch = headers.get("if-match");
  const unmodifiedSince = dateOf(headers.get("if-unmodified-since"));
  if (ifMatch !== null) {
    if (!matchesStrongly(ifMatch, etag)) return 412;
  } else if (unmodifiedSince !== undefined && isNewer(lastModified, unmodifiedSince)) {
    return 412;
  }
  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch !== null) {
    return etag !== undefined && matchesEntityTag(ifNoneMatch, etag) ? 304 : undefined;
  }
  const modifiedSince = dateOf(headers.get("if-modified-since"));
  if (modifiedSince === undefined || lastModified === undefined) return undefined;
  return isNewer(lastModified, modifiedSince) ? undefined : 304;
}

/** Returns whether `If-Range` has the current version (RFC 9110 section 13.1.5); true without the header. */
export function isRangeCurrent(headers: Headers, { etag, lastModified }: Validators): boolean {
  const condition = headers.get("if-range");
  if (condition === null) return true;
  if (condition.includes('"')) return matchesStrongly(condition, etag);
  const date = dateOf(condition);
  return date !== undefined && lastModified !== undefined && date === wholeSeconds(lastModified);
}

/** Strong comparison (RFC 9110 section 8.8.3.2): bytes of two versions with weak tags may differ. */
function matchesStrongly(header: string, etag: string | undefined): boolean {
  if (header.trim() === "*") return true;
  if (etag === undefined || etag.startsWith("W/")) return false;
  const tags: readonly string[] = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.includes(etag);
}

function isNewer(lastModified: Date | undefined, date: number): boolean {
  return lastModified !== undefined && wholeSeconds(lastModified) > date;
}

/** Dates in headers have no milliseconds. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

function dateOf(header: string | null): number | undefined {
  const time = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(time) ? undefined : time;
}
