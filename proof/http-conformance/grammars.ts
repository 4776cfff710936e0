/** Grammars of header values (the ABNF of the RFCs named), by lower-case name. */

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = '"(?:[\\t !\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t -\\x7e\\x80-\\xff])*"';
const parameter = `${token}=(?:${token}|${quoted})`;
const listOf = (item: string): RegExp =>
  new RegExp(`^(?:${item})?(?:[ \\t]*,[ \\t]*(?:${item}))*$`);
const only = (text: string): RegExp => new RegExp(`^(?:${text})$`);

const day = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
/** IMF-fixdate (RFC 9110, section 5.6.7). */
export const imfDate: RegExp = only(`${day}, \\d\\d ${month} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT`);
const uriReference = "[!#$%&'()*+,./:;=?@_~0-9A-Za-z\\[\\]-]*";
const mediaType = `${token}/${token}(?:[ \\t]*;[ \\t]*${parameter})*`;
const cookieValue =
  '(?:[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*|"[\\x21\\x23-\\x7e]*")';
const structuredItem = '[a-z*][a-z0-9_.*-]*(?:=(?:\\([^()]*\\)|\\*|"[^"]*"|\\?[01]|[\\w.-]+))?';

export const grammars: Readonly<Record<string, RegExp>> = {
  "accept-ranges": listOf(token),
  "access-control-allow-credentials": only("true"),
  "access-control-allow-headers": listOf(token),
  "access-control-allow-methods": listOf(token),
  "access-control-allow-origin": only("\\*|null|https?://[^/ ,]+"),
  "access-control-expose-headers": listOf(token),
  "access-control-max-age": only("\\d+"),
  age: only("\\d+"),
  allow: listOf(token),
  "cache-control": listOf(`${token}(?:=(?:${token}|${quoted}))?`),
  connection: listOf(token),
  "content-encoding": listOf(token),
  "content-language": listOf("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*"),
  "content-length": only("\\d+"),
  "content-range": only("[a-z]+ (?:\\d+-\\d+/(?:\\d+|\\*)|\\*/\\d+)"),
  "content-security-policy": only("[a-zA-Z-]+(?: [^;,\\s]+)*(?:; *[a-zA-Z-]+(?: [^;,\\s]+)*)*;?"),
  "content-type": only(mediaType),
  "cross-origin-embedder-policy": only("(?:unsafe-none|require-corp|credentialless)(?:;.*)?"),
  "cross-origin-opener-policy": only(
    "(?:unsafe-none|same-origin|same-origin-allow-popups|noopener-allow-popups)(?:;.*)?",
  ),
  "cross-origin-resource-policy": only("same-origin|same-site|cross-origin"),
  date: imfDate,
  etag: only('(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"'),
  expires: imfDate,
  "keep-alive": listOf(`${token}(?:=(?:${token}|${quoted}))?`),
  "last-modified": imfDate,
  location: only(uriReference),
  "permissions-policy": listOf(structuredItem),
  "referrer-policy": listOf("[a-z-]+"),
  "retry-after": only(`\\d+|${imfDate.source.slice(1, -1)}`),
  server: only(`${token}(?:/${token})?(?: .*)?`),
  "set-cookie": only(`${token}=${cookieValue}(?:; [\\x20-\\x3a\\x3c-\\x7e]+)*`),
  "strict-transport-security": only('max-age="?\\d+"?(?:; *[A-Za-z-]+)*'),
  "transfer-encoding": listOf(`${token}(?:[ \\t]*;[ \\t]*${parameter})*`),
  upgrade: listOf(`${token}(?:/${token})?`),
  vary: listOf(`\\*|${token}`),
  "www-authenticate": only(
    `${token}(?: (?:[A-Za-z0-9._~+/-]+=*|${parameter}(?:, *${parameter})*))?`,
  ),
  "x-content-type-options": only("nosniff"),
  "x-frame-options": only("DENY|SAMEORIGIN"),
};

export const fieldName: RegExp = only(token);

/** Headers that a response may repeat (RFC 9110, section 5.3); all others occur once. */
export const lists: ReadonlySet<string> = new Set([
  "accept-ranges",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-expose-headers",
  "allow",
  "cache-control",
  "connection",
  "content-encoding",
  "content-language",
  "link",
  "server-timing",
  "set-cookie",
  "transfer-encoding",
  "upgrade",
  "vary",
  "via",
  "warning",
  "www-authenticate",
]);
