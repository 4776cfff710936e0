import { escapeNonAscii } from "../routing/request-path.ts";

/** Maximum number of pairs, to bound the cost of a URL; further pairs are ignored. */
const maximumPairs = 1000;

/** A parsed query string. */
export interface ParsedQuery {
  /** Values by name, the last value of a repeated name; an object without prototype. */
  readonly values: Record<string, string>;
  /** Returns all values of one name, in order; empty if it is absent. */
  all(name: string): string[];
}

/**
 * Parses the query of a URL as `URLSearchParams` does (WHATWG URL, section 5.1), without parsing the URL:
 * `+` is a space, and a malformed escape is left unchanged. Names are flat: `a[b]` has no special meaning.
 * Only the first 1000 pairs are used.
 */
export function parseQuery(url: string): ParsedQuery {
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  const question = url.indexOf("?");
  const start = question === -1 ? end : question + 1;
  const pairs = parsePairs(url, start, end, maximumPairs);
  const values: Record<string, string> = Object.create(null);
  for (const pair of pairs) values[pair[0]] = pair[1];
  return {
    values,
    all: (name) => pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]),
  };
}

/**
 * Parses the pairs of an urlencoded string between two indexes, at most `mostPairs` of them. Percent-escapes are UTF-8,
 * and bytes that are not are replaced with U+FFFD.
 *
 * `URLSearchParams` of Node 24 takes quadratic time on pairs without `=`: ten seconds for a body of one
 * mebibyte.
 */
export function parsePairs(
  text: string,
  from: number,
  end: number,
  mostPairs: number = Number.POSITIVE_INFINITY,
): [name: string, value: string][] {
  const isPlain = text.indexOf("%", from) === -1 && text.indexOf("+", from) === -1;
  if (isPlain) return splitPairs(text, from, end, mostPairs, unchanged);
  try {
    return splitPairs(text, from, end, mostPairs, decode);
  } catch {
    // An exception takes as much time as decoding a thousand characters. A client could send one in each value.
    const valid = withValidEscapes(text.slice(from, end));
    return splitPairs(valid, 0, valid.length, mostPairs, decode);
  }
}

function splitPairs(
  text: string,
  from: number,
  end: number,
  mostPairs: number,
  decodeText: (text: string) => string,
): [name: string, value: string][] {
  const pairs: [name: string, value: string][] = [];
  let start = from;
  while (start < end && pairs.length < mostPairs) {
    const ampersand = text.indexOf("&", start);
    const pairEnd = ampersand === -1 || ampersand > end ? end : ampersand;
    if (pairEnd > start) {
      const pair = text.slice(start, pairEnd);
      const equals = pair.indexOf("=");
      const name = decodeText(equals === -1 ? pair : pair.slice(0, equals));
      pairs.push([name, equals === -1 ? "" : decodeText(pair.slice(equals + 1))]);
    }
    start = pairEnd + 1;
  }
  return pairs;
}

function unchanged(text: string): string {
  return text;
}

/** @throws URIError for an escape that is malformed or not UTF-8 */
function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced;
}

/**
 * Returns an urlencoded text that {@link decode} accepts: bytes that are not UTF-8 are replaced with U+FFFD, and a `%`
 * that begins no escape is escaped.
 *
 * The platform decodes the whole text as one value. Characters with a meaning in an urlencoded text are escaped
 * twice, so that they are still escaped in the result.
 */
function withValidEscapes(text: string): string {
  const value = text
    .replace(/%(?=2[56b]|3d)/gi, "%25")
    .replace(/%(?![\da-f]{2})/gi, "%2525")
    .replaceAll("&", "%26");
  // Node's parser spoils other letters beside bytes that are not UTF-8.
  return new URLSearchParams(`=${escapeNonAscii(value)}`).get("") ?? "";
}
