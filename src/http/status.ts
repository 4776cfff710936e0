import { describe } from "../util/describe.ts";

/** Reason phrases of 400 and the following statuses; undefined for those that are not registered. */
const clientErrors: readonly (string | undefined)[] = [
  "Bad Request",
  "Unauthorized",
  "Payment Required",
  "Forbidden",
  "Not Found",
  "Method Not Allowed",
  "Not Acceptable",
  "Proxy Authentication Required",
  "Request Timeout",
  "Conflict",
  // 410
  "Gone",
  "Length Required",
  "Precondition Failed",
  "Content Too Large",
  "URI Too Long",
  "Unsupported Media Type",
  "Range Not Satisfiable",
  "Expectation Failed",
  "I'm a Teapot",
  undefined,
  // 420
  undefined,
  "Misdirected Request",
  "Unprocessable Content",
  "Locked",
  "Failed Dependency",
  "Too Early",
  "Upgrade Required",
  undefined,
  "Precondition Required",
  "Too Many Requests",
  // 430
  undefined,
  "Request Header Fields Too Large",
];

/** Reason phrases of 500 and the following statuses. */
const serverErrors: readonly (string | undefined)[] = [
  "Internal Server Error",
  "Not Implemented",
  "Bad Gateway",
  "Service Unavailable",
  "Gateway Timeout",
  "HTTP Version Not Supported",
  "Variant Also Negotiates",
  "Insufficient Storage",
  "Loop Detected",
  undefined,
  // 510
  "Not Extended",
  "Network Authentication Required",
];

/** Returns the reason phrase of an error status; a generic one of its class if it is unregistered. */
export function reasonPhrase(status: number): string {
  if (status >= 500) return serverErrors[status - 500] ?? "Server Error";
  if (status === 451) return "Unavailable For Legal Reasons";
  return clientErrors[status - 400] ?? (status >= 400 ? "Client Error" : "Unknown Status");
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
  const isOfHttp =
    (status >= 400 && status < 418) ||
    [421, 422, 426].includes(status) ||
    (status >= 500 && status < 506);
  return isOfHttp ? `https://httpwg.org/specs/rfc9110.html#status.${status}` : "about:blank";
}
