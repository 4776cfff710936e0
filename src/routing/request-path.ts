/**
 * The longest supported path, in characters; longer ones result in a 414.
 *
 * Determines the size of the router's buffer; a span packs two numbers below it.
 */
export const pathLimit = 16_384;

/**
 * Returns the path of an absolute URL such as `request.url`; undefined if it has none.
 *
 * Nothing is decoded or resolved: the URL parser or `createUrlResolver` has already done so.
 */
export function pathOfUrl(url: string): string | undefined {
  const authority = url.indexOf("://") + "://".length;
  const start = url.indexOf("/", authority);
  const end = Math.min(indexOrEnd(url, "?", authority), indexOrEnd(url, "#", authority));
  return start === -1 || start > end ? undefined : url.slice(start, end);
}

function indexOrEnd(url: string, character: string, from: number): number {
  const index = url.indexOf(character, from);
  return index === -1 ? url.length : index;
}

/** Escapes non-ASCII characters as `request.url` would, and replaces lone surrogates. */
export function escapeNonAscii(text: string): string {
  return text.toWellFormed().replace(/[^\0-\x7f]+/g, encodeURIComponent);
}

/** Returns true if the path of a whole URL has more characters than the router takes. */
export function isPathTooLong(url: string): boolean {
  return escapeNonAscii(pathOfUrl(url) ?? "").length > pathLimit;
}

/**
 * Removes a trailing slash: `/a/` becomes `/a`. `/` stays, as do `//` and `/a//`, which end in an empty
 * segment.
 */
export function dropTrailingSlash(path: string): string {
  return /[^/]\/$/.test(path) ? path.slice(0, -1) : path;
}

/** A path split into segments, each decoded once. */
export class RequestPath {
  /** As sent, without slashes. */
  readonly segments: readonly string[];
  readonly #decoded: (string | null)[] = [];

  /** @param path begins with `/` */
  constructor(path: string) {
    this.segments = path.slice(1).split("/");
  }

  /** Returns the decoded segment; null if it cannot be decoded. */
  decoded(index: number): string | null {
    const known = this.#decoded[index];
    if (known !== undefined) return known;
    const decoded = decode(this.segments[index] ?? "");
    this.#decoded[index] = decoded;
    return decoded;
  }

  /** Returns the decoded path from a segment to the end, slashes included; null if it cannot be decoded. */
  decodedRest(index: number): string | null {
    return decode(this.segments.slice(index).join("/"));
  }
}

function decode(text: string): string | null {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
