/** Bytes of a message, and how a server must respond. */
export interface Message {
  readonly title: string;
  readonly bytes: string;
  /** Allowed statuses; 0 is a connection that is closed without a response, -1 one that waits for more. */
  readonly statuses: readonly number[];
  /** The end of the message is ambiguous: a server that refuses it must close the connection. */
  readonly isUnframed?: boolean;
}

const get = (lines: string, target = "/", method = "GET", version = "1.1"): string =>
  `${method} ${target} HTTP/${version}\r\n${lines}\r\n`;
const host = "Host: 127.0.0.1\r\n";
const refused: readonly number[] = [400, 0];

/** Messages whose treatment RFC 9110 and RFC 9112 define. */
export const messages: readonly Message[] = [
  ...["\0", "\r", "\r\r", "\x01", "\x7f"].map((character): Message => {
    return {
      title: `a field value with ${JSON.stringify(character)} (RFC 9110, 5.5)`,
      bytes: get(`${host}X-Value: a${character}b\r\n`),
      // Control characters other than CR, LF and NUL may be retained.
      statuses: ["\x01", "\x7f"].includes(character) ? [400, 0, 200] : refused,
    };
  }),
  { title: "no Host (RFC 9112, 3.2)", bytes: get(""), statuses: refused },
  { title: "two Hosts", bytes: get(host + host), statuses: refused },
  { title: "two different Hosts", bytes: get(`${host}Host: a.example\r\n`), statuses: refused },
  { title: "an invalid Host", bytes: get("Host: ###\r\n"), statuses: refused },
  { title: "a Host with a path", bytes: get("Host: a/b\r\n"), statuses: refused },
  { title: "a Host with a user", bytes: get("Host: u@a\r\n"), statuses: refused },
  {
    title: "HTTP/1.0 without Host",
    bytes: get("", "/", "GET", "1.0"),
    statuses: [200],
  },
  {
    title: "an unknown method (RFC 9110, 9.1)",
    bytes: get(host, "/", "BREW"),
    statuses: [501, 405, 400],
  },
  {
    title: "a method with lower case",
    bytes: get(host, "/", "get"),
    statuses: [501, 405, 400],
  },
  { title: "TRACE", bytes: get(host, "/", "TRACE"), statuses: [405, 501, 400] },
  {
    title: "CONNECT",
    bytes: get("Host: 127.0.0.1:80\r\n", "127.0.0.1:80", "CONNECT"),
    statuses: [405, 501, 404, 400, 0],
  },
  {
    title: "PUT to a path that has GET",
    bytes: get(`${host}Content-Length: 0\r\n`, "/", "PUT"),
    statuses: [405],
  },
  {
    title: "an empty line before the request (RFC 9112, 2.2)",
    bytes: `\r\n${get(host)}`,
    statuses: [200],
  },
  {
    title: "whitespace before the first header (RFC 9112, 2.2)",
    bytes: get(` X-First: 1\r\n${host}`),
    statuses: refused,
  },
  {
    title: "whitespace before the colon (RFC 9112, 5.1)",
    bytes: get(`${host}X-A : 1\r\n`),
    statuses: refused,
  },
  {
    title: "a folded header (RFC 9112, 5.2)",
    bytes: get(`${host}X-A: 1\r\n 2\r\n`),
    statuses: [400, 0, 200],
  },
  { title: "an empty header name", bytes: get(`${host}: 1\r\n`), statuses: refused },
  { title: "a header without a colon", bytes: get(`${host}X-A\r\n`), statuses: refused },
  { title: "a header name with a space", bytes: get(`${host}X A: 1\r\n`), statuses: refused },
  { title: "a space in the target (RFC 9112, 3.2)", bytes: get(host, "/a b"), statuses: refused },
  { title: "no target", bytes: `GET HTTP/1.1\r\n${host}\r\n`, statuses: refused },
  { title: "a target in absolute form", bytes: get(host, "http://127.0.0.1/"), statuses: [200] },
  {
    title: "OPTIONS for the server as a whole",
    bytes: get(host, "*", "OPTIONS"),
    statuses: [200, 204, 400, 404, 405],
  },
  { title: "an asterisk for GET", bytes: get(host, "*"), statuses: [400, 404, 0] },
  { title: "HTTP/1.2", bytes: get(host, "/", "GET", "1.2"), statuses: [200, 505, 400, 0] },
  {
    title: "HTTP/2.0 in a message of HTTP/1",
    bytes: get(host, "/", "GET", "2.0"),
    statuses: [505, 400, 0],
  },
  { title: "HTTP/0.9", bytes: "GET /\r\n", statuses: [400, 505, 0, 200, -1] },
  { title: "no version", bytes: `GET / HTTP/\r\n${host}\r\n`, statuses: [400, 505, 0] },
  {
    title: "a target of 20,000 characters (RFC 9110, 15.5.15)",
    bytes: get(host, `/${"a".repeat(20_000)}`),
    statuses: [414, 431, 400],
  },
  {
    title: "headers of 200,000 characters (RFC 6585, 5)",
    bytes: get(`${host}X-A: ${"a".repeat(200_000)}\r\n`),
    statuses: [431, 400, 0],
  },
  {
    title: "two Content-Length (RFC 9112, 6.3)",
    isUnframed: true,
    bytes: `${get(`${host}Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n`, "/json", "POST")}{} `,
    statuses: refused,
  },
  {
    title: "a Content-Length with a sign",
    isUnframed: true,
    bytes: `${get(`${host}Content-Type: application/json\r\nContent-Length: +2\r\n`, "/json", "POST")}{}`,
    statuses: refused,
  },
  {
    title: "Content-Length and Transfer-Encoding (RFC 9112, 6.1)",
    isUnframed: true,
    bytes: `${get(`${host}Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n`, "/json", "POST")}2\r\n{}\r\n0\r\n\r\n`,
    statuses: [400, 0, 201],
  },
  {
    title: "an unknown Transfer-Encoding (RFC 9112, 6.1)",
    isUnframed: true,
    bytes: get(`${host}Transfer-Encoding: unknown\r\n`, "/json", "POST"),
    statuses: [501, 400, 0],
  },
  {
    title: "chunked is not the last coding",
    isUnframed: true,
    bytes: get(`${host}Transfer-Encoding: chunked, identity\r\n`, "/json", "POST"),
    statuses: [501, 400, 0],
  },
  {
    title: "a chunk size with letters (RFC 9112, 7.1)",
    isUnframed: true,
    bytes: `${get(`${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`, "/json", "POST")}xy\r\n{}\r\n0\r\n\r\n`,
    statuses: refused,
  },
  {
    title: "a chunk extension and a trailer",
    bytes: `${get(`${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`, "/json", "POST")}2;a=b\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
    statuses: [201],
  },
  {
    title: "an unknown expectation (RFC 9110, 10.1.1)",
    bytes: get(`${host}Expect: tea\r\n`),
    statuses: [417, 200],
  },
  {
    title: "a body above the limit (RFC 9110, 15.5.14)",
    bytes: `${get(`${host}Content-Type: application/json\r\nContent-Length: 1002\r\n`, "/json", "POST")}"${"a".repeat(1_000)}"`,
    statuses: [413],
  },
  {
    title: "a body that is not JSON",
    bytes: `${get(`${host}Content-Type: application/json\r\nContent-Length: 1\r\n`, "/json", "POST")}{`,
    statuses: [400],
  },
  {
    title: "a compressed body (RFC 9110, 15.5.16)",
    bytes: `${get(`${host}Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n`, "/json", "POST")}{}`,
    statuses: [415],
  },
];
