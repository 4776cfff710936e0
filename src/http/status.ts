import { describe } from "../util/describe.ts";

/** Reason phrases of errors in RFC 9110, section 15. */
const phrasesOfHttp: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  407: "Proxy Authentication Required",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  426: "Upgrade Required",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
};

/** Reason phrases of errors in other RFCs; RFC 9110 lists 418 only as unused. */
const phrasesOfOthers: Readonly<Record<number, string>> = {
  418: "I'm a Teapot",
  423: "Locked",
  424: "Failed Dependency",
  425: "Too Early",
  428: "Precondition Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  451: "Unavailable For Legal Reasons",
  506: "Variant Also Negotiates",
  507: "Insufficient Storage",
  508: "Loop Detected",
  510: "Not Extended",
  511: "Network Authentication Required",
};

/** Returns the reason phrase of an error status; a generic one of its class if it is unregistered. */
export function reasonPhrase(status: number): string {
  const phrase = phrasesOfHttp[status] ?? phrasesOfOthers[status];
  if (phrase !== undefined) return phrase;
  if (status >= 500) return "Server Error";
  return status >= 400 ? "Client Error" : "Unknown Status";
}

/** Formats a rejected status for an error message; a number is shown in production too. */
export function describeStatus(status: unknown): string {
  return typeof status === "number" ? String(status) : describe(status);
}

/** Returns whether a status allows no body (Fetch, "null body status"): 101, 103, 204, 205 and 304. */
export function isNullBodyStatus(status: number): boolean {
  return status === 204 || status === 304 || status === 205 || status === 101 || status === 103;
}

/**
 * Returns the default problem `type` of a status: the section of RFC 9110 that defines it, or
 * `about:blank` (RFC 9457 section 4.2.1).
 */
export function problemType(status: number): string {
  return status in phrasesOfHttp
    ? `https://httpwg.org/specs/rfc9110.html#status.${status}`
    : "about:blank";
}
