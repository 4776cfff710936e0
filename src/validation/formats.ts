/*
 * The string formats. Every regular expression runs in linear time (no ReDoS): adjacent parts match
 * disjoint characters, and where backtracking is possible (a label's last character), its length is bounded.
 */

const emailPattern = /* @__PURE__ */ createEmailPattern();
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const urlStart = /^https?:\/\/[^/?#]/i;
// A URL parser drops or rewrites these characters, so the parsed URL would differ from the value.
const forbiddenInUrl = /[\s\\\p{Cc}]/u;
const datePattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(.+))?$/;
const timePattern = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

function createEmailPattern(): RegExp {
  const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
  const labelEnd = "(?:[a-z\\d-]{0,61}[a-z\\d])?";
  return new RegExp(`^${atom}(?:\\.${atom})*@(?:[a-z\\d]${labelEnd}\\.)+[a-z]${labelEnd}$`, "i");
}

/**
 * Returns whether `text` is an e-mail address as sign-up forms accept it: a local part of ASCII letters,
 * digits and `` !#$%&'*+/=?^_`{|}~- `` with single dots inside (at most 64 characters), `@`, and a
 * domain of at least two labels, the last of which begins with a letter (254 characters in all, RFC
 * 5321).
 *
 * Quoted local parts, comments, address literals and unencoded international names are rejected.
 */
export function isEmail(text: string): boolean {
  return text.length <= 254 && text.indexOf("@") <= 64 && emailPattern.test(text);
}

/**
 * Returns whether `text` is an absolute `http:` or `https:` URL that the WHATWG URL parser accepts, with
 * two slashes and an explicit host.
 *
 * Other schemes (`javascript:`, `ftp:`), relative references, white space, control characters and
 * backslashes are rejected. The host's address is not checked.
 */
export function isUrl(text: string): boolean {
  return urlStart.test(text) && !forbiddenInUrl.test(text) && URL.canParse(text);
}

/**
 * Creates a URL test for these schemes, given in lower case and without the colon. URLs of http and https
 * need two slashes and a host; other schemes, such as `mailto:`, do not.
 */
export function createUrlTest(protocols: readonly string[]): (text: string) => boolean {
  return (text) => {
    if (forbiddenInUrl.test(text) || !URL.canParse(text)) return false;
    const protocol = new URL(text).protocol.slice(0, -1);
    if (!protocols.includes(protocol)) return false;
    return (protocol !== "http" && protocol !== "https") || urlStart.test(text);
  };
}

/** Returns whether `text` is a UUID in the format of RFC 9562, of any version and variant, in either case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/**
 * Returns whether `text` is a calendar date, `2024-02-29`, or a date and time of RFC 3339,
 * `2024-02-29T12:30:00.5+02:00`, with optional seconds and offset.
 *
 * `new Date(text)` parses every accepted string. Leap seconds, hour 24 and lower-case letters are
 * rejected.
 */
export function isDate(text: string): boolean {
  // The longest valid string has 35 characters; longer input is rejected without running the pattern.
  if (text.length > 35) return false;
  const match = datePattern.exec(text);
  if (match === null) return false;
  const [, year, month, day, time] = match;
  const isDay = isCalendarDay(Number(year), Number(month), Number(day));
  return isDay && (time === undefined || isTime(time));
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  if (month === 2) return day <= (isLeapYear(year) ? 29 : 28);
  return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function isTime(text: string): boolean {
  const match = timePattern.exec(text);
  if (match === null) return false;
  const [, hour, minute, second = "0", zone = "Z"] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  return zone === "Z" || (Number(zone.slice(1, 3)) <= 23 && Number(zone.slice(4)) <= 59);
}
