const acceptable = /^[\w.-]{1,128}$/;

/**
 * The correlation id of a request: its `X-Request-Id` when that is made of 1 to 128 letters, digits, `_`,
 * `.` and `-`, else a new UUID. Anything else could forge log lines or headers.
 */
export function requestId(headers: Headers): string {
  const inbound = headers.get("x-request-id");
  return inbound !== null && acceptable.test(inbound) ? inbound : crypto.randomUUID();
}
