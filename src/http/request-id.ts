/** Visible ASCII except quotes, brackets and `\ $ % , ; |`, which are special in log formats and viewers. */
const acceptable = /^[A-Za-z0-9!#&*+\-./:=?@^_~]{1,128}$/;

/**
 * Returns the correlation id of a request: its `X-Request-Id` if that consists of 1 to 128 visible ASCII
 * characters that are safe in a log line, such as `Root=1-65f0c1a2`, else a new UUID.
 */
export function requestId(headers: Headers): string {
  const inbound = headers.get("x-request-id");
  return inbound !== null && acceptable.test(inbound) ? inbound : crypto.randomUUID();
}
