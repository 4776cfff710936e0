/** Behaviour of a runtime or of nginx that an application cannot change. */
interface Deviation {
  /** Matches the runtime, followed by `, nginx` behind it. */
  readonly place: RegExp;
  /** Matches the rule, or the title of a message. */
  readonly rule: RegExp;
  /** Matches the fault. */
  readonly fault: RegExp;
  readonly reason: string;
}

const deviations: readonly Deviation[] = [
  {
    place: /./,
    rule: /^RFC 6797, 7\.2/,
    fault: /./,
    reason:
      "SecureHeadersMiddleware always sends it: behind a proxy that terminates TLS an application sees " +
      "HTTP. Browsers ignore it over HTTP (RFC 6797, 8.1).",
  },
  {
    place: /^deno$/,
    rule: /^no Host/,
    fault: /^status 200$/,
    reason: "Deno does not expose the version, and HTTP/1.0 and HTTP/2 have no Host.",
  },
  {
    place: /^bun$/,
    rule: /^RFC 9112, 9\.6: a server that closes/,
    fault: /./,
    reason: "Bun closes without announcing it when the client has asked for it.",
  },
  {
    place: /^bun$/,
    rule: /^RFC 9112, 6\.1: no Transfer-Encoding/,
    fault: /./,
    reason: "Bun announces chunks in the response to HEAD of HTTP/1.0.",
  },
  {
    place: /^bun/,
    rule: /method/,
    fault: /^status (0|502)$/,
    reason: "Bun closes the connection for a method that it does not know; nginx makes that a 502.",
  },
  {
    place: /^bun$/,
    rule: /^an empty line before the request/,
    fault: /^status 400$/,
    reason: "Bun refuses it.",
  },
  {
    place: /^bun$/,
    rule: /^a space in the target/,
    fault: /^status 505$/,
    reason: "Bun takes what follows the space as the version.",
  },
  {
    place: /nginx$/,
    rule: /^HTTP\/1\.0 without Host/,
    fault: /^status 400$/,
    reason: "nginx forwards the request as HTTP/1.1 without Host, unless server_name is set.",
  },
  {
    place: /nginx$/,
    rule: /^a header without a colon/,
    fault: /^status 200$/,
    reason: "nginx removes such a line.",
  },
];

/** Returns `true` for a known deviation. */
export function isKnown(place: string, rule: string, fault: string): boolean {
  return deviations.some(
    (one) => one.place.test(place) && one.rule.test(rule) && one.fault.test(fault),
  );
}
