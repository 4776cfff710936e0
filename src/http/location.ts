import { EspalierError } from "../errors.ts";

/** Characters that are percent-encoded or rejected: all but printable ASCII. */
const notPrintableAscii = /[^\x21-\x7e]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is being refused.
const controlCharacter = /[\x00-\x1f\x7f-\x9f]/;
const scheme = /^[a-z][a-z\d+.-]*:/i;
const httpAuthority = /^https?:\/\/([^/?#]+)/i;

/**
 * Checks a redirect's target and returns it as the value of `Location` (RFC 9110 section 10.2.2).
 *
 * A relative URL stays relative. Spaces and non-ASCII characters are percent-encoded; nothing else is
 * changed. Rejects URLs that a browser parses differently than they look: control characters,
 * backslashes, `//host`, `https:host`, credentials, and every scheme but http and https. It does not
 * prevent open redirects: the application must check URLs from users.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_LOCATION`
 */
export function locationHeader(url: string): string {
  const reason = refusalReason(url);
  if (reason !== undefined) {
    throw new EspalierError(
      "ERR_HTTP_BAD_LOCATION",
      `Cannot redirect to ${JSON.stringify(url.slice(0, 200))}: ${reason}.`,
    );
  }
  return url.replace(notPrintableAscii, (text) => encodeURIComponent(text.toWellFormed()));
}

function refusalReason(url: string): string | undefined {
  if (url === "") return "it is empty; use the path to go to, for example `/`";
  if (controlCharacter.test(url)) return "it has a control character; encode it first";
  if (url !== url.trim()) return "it begins or ends with a blank; trim it first";
  if (url.includes("\\")) return "browsers read `\\` as `/`; write `/`, or `%5C` for the character";
  if (url.startsWith("//")) return "`//` begins another host; use one slash, or the full https URL";
  if (!scheme.test(url)) return undefined;

  const authority = httpAuthority.exec(url)?.[1];
  if (authority === undefined)
    return "only a relative URL, http://host and https://host are allowed";
  // RFC 9110 section 4.2.4: a sender must not generate credentials in an http URL.
  if (authority.includes("@")) return "it has credentials before the host; leave them out";
  if (/[^\x21-\x7e]/.test(authority)) return "its host is not ASCII; use `new URL(url).href`";
  return URL.canParse(url) ? undefined : "it is not a valid URL";
}
