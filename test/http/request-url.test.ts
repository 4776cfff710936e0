import { describe, expect, it, vi } from "vitest";
import { isValidHost } from "../../src/http/host-header.ts";
import { createUrlResolver } from "../../src/http/request-url.ts";
import { hostBeforePath } from "../../src/platform/host/host-before-path.ts";

/** Returns the URL of a request, or the status of the response that rejects it. */
function resolveWith(
  resolver: ReturnType<typeof createUrlResolver>,
): (request: Request, hasRawTarget?: boolean) => string | number {
  return (request, hasRawTarget = false) => {
    const resolved = resolver(request, hasRawTarget);
    return typeof resolved === "string" ? resolved : resolved.status;
  };
}

const resolvedUrl = resolveWith(createUrlResolver());

/** Creates a request as from a server, with an unparsed URL. */
function received(url: string, host?: string): Request {
  return { url, headers: new Headers(host === undefined ? {} : { host }) } as Request;
}

it.each([
  ["http://h/a/b?c=/../d", "http://h/a/b?c=/../d"],
  ["http://h/files/../secret", "http://h/secret"],
  ["http://h/files/%2e%2E/secret", "http://h/secret"],
  ["http://h/files/./a/.", "http://h/files/a/"],
  ["http://h/a?b\\..\\c", "http://h/a?b\\..\\c"],
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
    expect(resolvedUrl(received(`http://${host}/a`, host))).toBe(400);
  },
);

it.each(['a"b', "a'b", "a;b", "a$(b)", "a,b", "u@a", "a=b"])(
  "a request whose target has the host %j has no URL, even if its Host header is valid",
  (host) => {
    for (const resolve of [resolvedUrl, resolveWith(createUrlResolver(hostBeforePath))]) {
      for (const path of ["/a", "/a/b", "/", "/a/b?c=/d"]) {
        expect(resolve(received(`http://${host}${path}`, "h"))).toBe(400);
        expect(resolve(received(`http://other.example${path}`, "h"))).toBe(
          `http://other.example${path}`,
        );
      }
    }
  },
);

it("validates every host that differs from the last", () => {
  const resolve = resolveWith(createUrlResolver());
  expect(resolve(received("http://h/a", "h"))).toBe("http://h/a");
  expect(resolve(received("http://a/b/a", "a/b"))).toBe(400);
  expect(resolve(received("http://h/a", "h"))).toBe("http://h/a");
  expect(resolve(received("http://a/b/a", "a/b"))).toBe(400);
});

it("a server that checks hosts is asked once, and its hosts are not read", () => {
  const hasValidHost = vi.fn(() => true);
  const resolve = resolveWith(createUrlResolver(undefined, hasValidHost));
  const request = received("http://h/files/../secret", "h");
  const get = vi.spyOn(request.headers, "get");
  expect(resolve(request)).toBe("http://h/secret");
  expect(resolve(received("http://a/b/a", "a/b"))).toBe("http://a/b/a");
  expect(resolve(received("http://h/a\\b", "h"))).toBe(400);
  expect([hasValidHost.mock.calls.length, get.mock.calls.length]).toEqual([1, 0]);
});

it("hosts are read if the first request comes from a client", () => {
  const hasValidHost = vi.fn(() => false);
  const resolve = resolveWith(createUrlResolver(undefined, hasValidHost));
  expect(resolve(received("http://h/a", "h"))).toBe("http://h/a");
  expect(resolve(received("http://a/b/a", "a/b"))).toBe(400);
  expect(hasValidHost).toHaveBeenCalledTimes(1);
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

describe("with a URL that starts with the Host header", () => {
  /** True after the headers were accessed. */
  function sent(url: string, host: string | undefined): { request: Request; looks: () => number } {
    const headers = new Headers(host === undefined ? {} : { host });
    const get = vi.spyOn(headers, "get");
    return { request: { url, headers } as Request, looks: () => get.mock.calls.length };
  }
  const resolve = resolveWith(createUrlResolver(hostBeforePath));

  it("headers are not read for a single slash, which cannot come from a header", () => {
    const { request, looks } = sent("http://h:80/a?b=c", "h:80");
    expect([resolve(request), looks()]).toEqual(["http://h:80/a?b=c", 0]);
  });

  it.each([
    ["http://h/a/b", "h", "http://h/a/b"],
    ["http://h/a/b", "h/a", 400],
    ["http://h/a?/b", "h/a?", 400],
    ["http://u@h/a", "u@h", 400],
    ["http://h#a/b", "h#a", 400],
    ["http://h\\a/b", "h\\a", 400],
    ["http://localhost/a", "", 400],
    ["http://localhost:80/a", "localhost:80", "http://localhost:80/a"],
    ["http://h", "h", "http://h"],
    ["http://h/../a", "h", "http://h/a"],
  ])("%s of the host %j is %s", (url, host, resolved) => {
    const { request, looks } = sent(url, host);
    expect([resolve(request), looks()]).toEqual([resolved, 1]);
  });

  it("a manually created request keeps a host that servers reject", () => {
    expect(resolve(sent("http://a!b/c", undefined).request)).toBe("http://a!b/c");
  });
});

it("a bare path, as on Bun without a Host header, uses localhost", () => {
  expect(resolvedUrl(received("/a"))).toBe("http://localhost/a");
  expect(resolvedUrl(received("/b/../a"))).toBe("http://localhost/a");
});

it("a bare path with a Host header is rejected, because the header is invalid", () => {
  expect(resolvedUrl(received("/a", "a b"))).toBe(400);
});

it("a backslash in the path is rejected, because other parsers do not read it as a slash", () => {
  expect(resolvedUrl(received("http://h/static\\deep", "h"))).toBe(400);
  expect(resolvedUrl(received("http://h/x\\%2e%2e\\admin", "h"))).toBe(400);
});

it("# is rejected in a request line, and starts a fragment elsewhere", () => {
  expect(resolvedUrl(received("http://h/a#b", "h"), true)).toBe(400);
  expect(resolvedUrl(received("http://h/a#b", "h"))).toBe("http://h/a#b");
});
