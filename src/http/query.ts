import { createLossyDecoder } from "./lossy-escapes.ts";

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
 * Parses the pairs of an urlencoded string between two indexes, at most `mostPairs` of them.
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
  const pairs: [name: string, value: string][] = [];
  const isPlain = text.indexOf("%", from) === -1 && text.indexOf("+", from) === -1;
  const decode = isPlain ? unchanged : createDecoder();
  let start = from;
  while (start < end && pairs.length < mostPairs) {
    const ampersand = text.indexOf("&", start);
    const pairEnd = ampersand === -1 || ampersand > end ? end : ampersand;
    if (pairEnd > start) {
      const pair = text.slice(start, pairEnd);
      const equals = pair.indexOf("=");
      const name = decode(equals === -1 ? pair : pair.slice(0, equals));
      pairs.push([name, equals === -1 ? "" : decode(pair.slice(equals + 1))]);
    }
    start = pairEnd + 1;
  }
  return pairs;
}

function unchanged(text: string): string {
  return text;
}

const validEscape = /%[\da-f]{2}/i;

/**
 * Returns a function that decodes the names and values of one query or form: percent-escapes are UTF-8, and bytes that
 * are not are replaced with U+FFFD.
 */
function createDecoder(): (text: string) => string {
  let decodeLossily: ((text: string) => string) | undefined;
  return (text) => {
    const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
    // A malformed escape stays as it is: without a valid one there is nothing to decode.
    if (!spaced.includes("%") || !validEscape.test(spaced)) return spaced;
    if (decodeLossily !== undefined) return decodeLossily(spaced);
    try {
      return decodeURIComponent(spaced);
    } catch {
      // An exception takes as much time as decoding a thousand characters. A client could send one in each value.
      decodeLossily = createLossyDecoder();
      return decodeLossily(spaced);
    }
  };
}
