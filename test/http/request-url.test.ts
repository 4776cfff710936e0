import { expect, it } from "vitest";
import { resolvedUrl } from "../../src/http/request-url.ts";

it.each([
  ["http://h/a/b?c=/../d", "http://h/a/b?c=/../d"],
  ["http://h/files/../secret", "http://h/secret"],
  ["http://h/files/%2e%2E/secret", "http://h/secret"],
  ["http://h/files/./a/.", "http://h/files/a/"],
  ["http://h/static\\deep", "http://h/static/deep"],
  ["http://h/a/.well-known/x", "http://h/a/.well-known/x"],
  ["http://h/a/%2ehidden", "http://h/a/%2ehidden"],
  ["http://[::1]:3000/a", "http://[::1]:3000/a"],
  ["http://höhe.example/a", "http://xn--hhe-sna.example/a"],
  ["http://a b/a", undefined],
  ["http://a, b/a", undefined],
  ["http:///a", "http://a/"],
])("%s is %s", (url, resolved) => {
  expect(resolvedUrl(url)).toBe(resolved);
});
