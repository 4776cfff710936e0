import { type Exchange, valuesOf } from "./exchange.ts";
import { fieldName, grammars, imfDate, lists } from "./grammars.ts";

/** Returns the violation of a rule by a response; undefined if there is none. */
type Check = (found: Exchange) => string | undefined;

const has = (found: Exchange, name: string): boolean => valuesOf(found, name).length > 0;
const unless = (holds: boolean, fault: string): string | undefined => (holds ? undefined : fault);

/** Rules about one response, by the RFC that has them. */
export const rules: Readonly<Record<string, Check>> = {
  "RFC 9110, 5: names are tokens, values have no control character and no outer space": ({
    lines,
  }) => {
    const bad = lines.find((line) => {
      const name = line.slice(0, line.indexOf(":"));
      const value = line.slice(line.indexOf(":") + 1).replace(/^ /, "");
      return !fieldName.test(name) || hasControl(value) || value !== value.trim();
    });
    return bad && `a bad line ${JSON.stringify(bad)}`;
  },
  "RFC 9110, 5.3: only lists are repeated": ({ lines }) => {
    const names = lines.map((line) => line.slice(0, line.indexOf(":")).toLowerCase());
    return names.find((name, at) => names.indexOf(name) !== at && !lists.has(name));
  },
  "grammar of every known header": ({ lines }) =>
    lines.find((line) => {
      const grammar = grammars[line.slice(0, line.indexOf(":")).toLowerCase()];
      return grammar?.test(line.slice(line.indexOf(":") + 1).trim()) === false;
    }),
  "RFC 9110, 6.6.1: a Date that is right": (found) => {
    const [date = ""] = valuesOf(found, "date");
    if (!imfDate.test(date)) return unless(found.status >= 500, `date ${JSON.stringify(date)}`);
    return unless(Math.abs(Date.now() - Date.parse(date)) < 10_000, `the date is ${date}`);
  },
  "RFC 9110, 8.3: content has a type": (found) => {
    const isContent = (found.body?.length ?? 0) > 0;
    return unless(!isContent || has(found, "content-type"), "content without Content-Type");
  },
  "RFC 9110, 8.6: no Content-Length in 1xx and 204": (found) =>
    unless(found.status !== 204 || !has(found, "content-length"), "204 with Content-Length"),
  "RFC 9112, 6.1: no Transfer-Encoding in 1xx, 204 and for HTTP/1.0": (found) => {
    const isForbidden = found.status === 204 || found.probe.version === "1.0";
    return unless(!isForbidden || !has(found, "transfer-encoding"), "Transfer-Encoding");
  },
  "RFC 9112, 6.2: not both Content-Length and Transfer-Encoding": (found) =>
    unless(!(has(found, "content-length") && has(found, "transfer-encoding")), "both"),
  "RFC 9112, 6.3: the response is framed, and nothing follows it": (found) => {
    if (found.status === 101) return undefined;
    if (found.body === undefined) return "the body is incomplete";
    return unless(found.rest === "", `bytes after it: ${JSON.stringify(found.rest.slice(0, 40))}`);
  },
  "RFC 9112, 9.6: a server that closes says so": (found) => {
    if (!found.isClosed || found.probe.version === "1.0") return undefined;
    const isAnnounced = valuesOf(found, "connection").some((value) => /\bclose\b/i.test(value));
    return unless(isAnnounced, "closes without Connection: close");
  },
  "RFC 9112, 9.6: a client that asks for the end of the connection gets it": (found) => {
    const isAsked = /close/i.test(found.probe.headers["Connection"] ?? "");
    return unless(!isAsked || found.isClosed, "stays open after Connection: close");
  },
  "RFC 9110, 7.8: 101 and 426 have Upgrade": (found) =>
    unless(![101, 426].includes(found.status) || has(found, "upgrade"), "no Upgrade"),
  "RFC 9110, 15.2.2: 101 only for a client that offers an upgrade": (found) =>
    unless(found.status !== 101 || "Upgrade" in found.probe.headers, "101 for nothing"),
  "RFC 9110, 15.4: redirects have a Location": (found) =>
    unless(![301, 302, 303, 307, 308].includes(found.status) || has(found, "location"), "none"),
  "RFC 9110, 15.5.2: 401 has WWW-Authenticate": (found) =>
    unless(found.status !== 401 || has(found, "www-authenticate"), "no WWW-Authenticate"),
  "RFC 9110, 15.5.6: 405 has Allow": (found) =>
    unless(found.status !== 405 || has(found, "allow"), "no Allow"),
  "RFC 9110, 15.5.17: 416 has Content-Range": (found) =>
    unless(found.status !== 416 || has(found, "content-range"), "no Content-Range"),
  "RFC 9110, 15.3.7: 206 has Content-Range, and only for a range": (found) => {
    if (found.status !== 206) return undefined;
    return unless(has(found, "content-range") && "Range" in found.probe.headers, "a bad 206");
  },
  "RFC 9110, 15.5.5 to 15.5.17: no 304 and 206 for POST": (found) =>
    unless(found.probe.method !== "POST" || ![206, 304].includes(found.status), "for POST"),
  "RFC 9110, 9.3.2, 15.3.5 and 15.4.5: no content for HEAD, 204 and 304": (found) => {
    const mayNot = found.probe.method === "HEAD" || [204, 304].includes(found.status);
    return unless(!mayNot || (found.rest === "" && (found.body?.length ?? 0) === 0), "content");
  },
  "RFC 6265, 4.1.1: no cookie and no attribute twice": (found) => {
    const cookies = valuesOf(found, "set-cookie");
    const names = cookies.map((cookie) => cookie.split("=", 1)[0]);
    if (new Set(names).size < names.length) return `two cookies ${names.join(", ")}`;
    return cookies.find((cookie) => {
      const attributes = cookie.split("; ").slice(1);
      const keys = attributes.map((one) => one.split("=", 1)[0]?.toLowerCase());
      return new Set(keys).size < keys.length;
    });
  },
  "RFC 6797, 7.2: no Strict-Transport-Security over HTTP": (found) =>
    unless(!has(found, "strict-transport-security"), "sent over HTTP"),
  "RFC 9110, 10.2.4: Server is short": (found) =>
    unless((valuesOf(found, "server")[0] ?? "").length <= 30, "a long Server header"),
  "Fetch, 3.3: credentials are not allowed for every origin": (found) => {
    const isAny = valuesOf(found, "access-control-allow-origin")[0] === "*";
    return unless(!(isAny && has(found, "access-control-allow-credentials")), "* with credentials");
  },
};

function hasControl(value: string): boolean {
  return [...value].some((character) => {
    const code = character.charCodeAt(0);
    return (code < 32 && code !== 9) || code === 127;
  });
}

/** Headers that GET has and HEAD may omit (RFC 9110, section 9.3.2): of content that is generated. */
const optionalForHead = new Set([
  "content-length",
  "transfer-encoding",
  "vary",
  "date",
  "connection",
  "keep-alive",
  "etag",
  "content-encoding",
  "set-cookie",
]);

/** Rules about two responses to the same URL. */
export function compareHead(get: Exchange, head: Exchange): string | undefined {
  if (get.status !== head.status) return `GET ${get.status}, HEAD ${head.status}`;
  const [length] = valuesOf(head, "content-length");
  const [expected] = valuesOf(get, "content-length");
  if (length !== undefined && expected !== undefined && length !== expected) {
    return `Content-Length ${expected} for GET, ${length} for HEAD`;
  }
  const namesOf = ({ lines }: Exchange): string[] =>
    lines.map((line) => line.slice(0, line.indexOf(":")).toLowerCase());
  const missing = namesOf(get).find(
    (name) => !optionalForHead.has(name) && !namesOf(head).includes(name),
  );
  return missing && `HEAD lacks ${missing}`;
}

/** RFC 9110, section 15.4.5: what a 304 must have if the 200 has it. */
export function compareNotModified(get: Exchange, notModified: Exchange): string | undefined {
  if (notModified.status !== 304) return `${notModified.status} for a matching If-None-Match`;
  const needed = ["cache-control", "content-location", "date", "etag", "expires", "vary"];
  const missing = needed.find((name) => has(get, name) && !has(notModified, name));
  return missing && `304 lacks ${missing}`;
}
