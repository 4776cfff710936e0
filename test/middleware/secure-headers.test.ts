import { EspalierError, html, text } from "espalier";
import { describe, expect, test } from "vitest";
import {
  cspNonce,
  SecureHeadersMiddleware,
  type SecureHeadersOptions,
} from "../../src/middleware/secure-headers.ts";
import { addOutcomes, createApp, outcomes } from "./support/app.ts";

function secureApp(options?: SecureHeadersOptions) {
  const { app } = createApp([new SecureHeadersMiddleware(options)]);
  addOutcomes(app);
  return app;
}

const standard = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "same-origin",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

test("sets the standard headers on every response", async () => {
  const app = secureApp();
  for (const [method, path, status] of outcomes) {
    const response = await app.request(path, { method });
    expect(response.status, path).toBe(status);
    expect(Object.fromEntries(response.headers), path).toMatchObject(standard);
    expect(response.headers.has("content-security-policy")).toBe(false);
    if (path === "/cookies") expect(response.headers.getSetCookie()).toHaveLength(2);
  }
});

test("sets each to another value, or omits it", async () => {
  const names = {
    crossOriginOpenerPolicy: "cross-origin-opener-policy",
    crossOriginEmbedderPolicy: "cross-origin-embedder-policy",
    crossOriginResourcePolicy: "cross-origin-resource-policy",
    originAgentCluster: "origin-agent-cluster",
    permissionsPolicy: "permissions-policy",
    referrerPolicy: "referrer-policy",
    strictTransportSecurity: "strict-transport-security",
    xContentTypeOptions: "x-content-type-options",
    xDnsPrefetchControl: "x-dns-prefetch-control",
    xDownloadOptions: "x-download-options",
    xFrameOptions: "x-frame-options",
    xPermittedCrossDomainPolicies: "x-permitted-cross-domain-policies",
    xXssProtection: "x-xss-protection",
  };
  for (const [option, header] of Object.entries(names)) {
    const changed = await secureApp({ [option]: "another" }).request("/not-modified");
    expect(changed.headers.get(header)).toBe("another");
    const left = await secureApp({ [option]: false }).request("/not-modified");
    expect(left.headers.has(header)).toBe(false);
  }
});

test("keeps headers set by the handler", async () => {
  const app = secureApp({ contentSecurityPolicy: "default-src 'none'" });
  app.getRouter().get("/own", () => {
    const response = text("own");
    response.headers.set("x-frame-options", "DENY");
    response.headers.set("content-security-policy", "sandbox");
    return response;
  });
  const response = await app.request("/own");
  expect(response.headers.get("x-frame-options")).toBe("DENY");
  expect(response.headers.get("content-security-policy")).toBe("sandbox");
});

describe("the content security policy", () => {
  test("is written from directives in either spelling", async () => {
    const app = secureApp({
      contentSecurityPolicy: {
        defaultSrc: ["'self'"],
        "img-src": "https: data:",
        upgradeInsecureRequests: true,
        sandbox: [],
      },
      contentSecurityPolicyReportOnly: "default-src 'none'; report-to csp",
    });
    const { headers } = await app.request("/nowhere");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'self'; img-src https: data:; upgrade-insecure-requests; sandbox",
    );
    expect(headers.get("content-security-policy-report-only")).toBe(
      "default-src 'none'; report-to csp",
    );
  });

  test("has a different nonce for every request, which the handler can read", async () => {
    const app = secureApp({
      contentSecurityPolicy: { scriptSrc: ["'self'", "'nonce'"], styleSrc: ["'nonce'"] },
    });
    app.getRouter().get("/page", (ctx) => html(`<script nonce="${cspNonce(ctx)}"></script>`));
    const nonces = new Set<string>();
    for (let request = 0; request < 100; request += 1) {
      const response = await app.request("/page");
      const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] ?? "";
      expect(nonce).toMatch(/^[A-Za-z\d+/]{22}==$/);
      expect(response.headers.get("content-security-policy")).toBe(
        `script-src 'self' 'nonce-${nonce}'; style-src 'nonce-${nonce}'`,
      );
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(100);
  });

  test("has no nonce without a policy that uses one", async () => {
    const app = secureApp({ contentSecurityPolicy: "default-src 'self'" });
    app.getRouter().get("/page", (ctx) => {
      try {
        return text(cspNonce(ctx));
      } catch (error) {
        return text(error instanceof EspalierError ? error.code : "");
      }
    });
    expect(await (await app.request("/page")).text()).toBe("ERR_MIDDLEWARE_MISSING");
  });
});

test("rejects values that would start another header or directive", () => {
  for (const options of [
    { xFrameOptions: "DENY\r\nx-a: b" },
    { xFrameOptions: "" },
    { referrerPolicy: "\u2026" },
    { contentSecurityPolicy: { scriptSrc: ["'self'; object-src *"] } },
    { contentSecurityPolicy: { scriptSrc: ["https://a.example, b"] } },
    { contentSecurityPolicy: "default-src 'self'\n" },
    { contentSecurityPolicy: {} },
  ] satisfies SecureHeadersOptions[]) {
    expect(() => new SecureHeadersMiddleware(options), JSON.stringify(options)).toThrow(
      EspalierError,
    );
  }
});
