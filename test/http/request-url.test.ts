import { expect, it } from "vitest";
import { isValidHost } from "../../src/http/host-header.ts";
import { createUrlResolver } from "../../src/http/request-url.ts";

const resolvedUrl = createUrlResolver();

/** A request as a server would have read it, whose URL no parser has seen. */
function received(url: string, host?: string): Request {
  return { url, headers: new Headers(host === undefined ? {} : { host }) } as Request;
}

it.each([
  ["http://h/a/b?c=/../d", "http://h/a/b?c=/../d"],
  ["http://h/files/../secret", "http://h/secret"],
  ["http://h/files/%2e%2E/secret", "http://h/secret"],
  ["http://h/files/./a/.", "http://h/files/a/"],
  ["http://h/static\\deep", "http://h/static/deep"],
  ["http://h/a/.well-known/x", "http://h/a/.well-known/x"],
  ["http://h/a/%2ehidden", "http://h/a/%2ehidden"],
])("%s is %s", (url, resolved) => {
  expect(resolvedUrl(received(url))).toBe(resolved);
  expect(resolvedUrl(received(url, "h"))).toBe(resolved);
});

it.each(["a/b", "a?b", "a b", "a, b", "[::1", "a:b", "a@b", "", "256.1.1.1", "a:99999"])(
  "a request for the host %j has no URL",
  (host) => {
    expect(isValidHost(host)).toBe(false);
    expect(resolvedUrl(received(`http://${host}/a`, host))).toBe(undefined);
  },
);

it("looks at every host that is another than the last", () => {
  const resolve = createUrlResolver();
  expect(resolve(received("http://h/a", "h"))).toBe("http://h/a");
  expect(resolve(received("http://a/b/a", "a/b"))).toBe(undefined);
  expect(resolve(received("http://h/a", "h"))).toBe("http://h/a");
  expect(resolve(received("http://a/b/a", "a/b"))).toBe(undefined);
});

it.each([
  "example.com",
  "localhost:8787",
  "127.0.0.1:3000",
  "[::1]:8080",
  "a_b",
  "xn--hhe-sna.example",
])("%s is a host", (host) => {
  expect(isValidHost(host)).toBe(true);
});
