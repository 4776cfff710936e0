import { EspalierError, text } from "espalier";
import { expect, test } from "vitest";
import { CsrfMiddleware, type CsrfOptions } from "../../src/middleware/csrf.ts";
import { createApp } from "./support/app.ts";

function guardedApp(options?: CsrfOptions) {
  const { app } = createApp([new CsrfMiddleware(options)]);
  app.getRouter().all("/act", () => text("done"));
  return app;
}

async function statusOf(
  app: ReturnType<typeof guardedApp>,
  headers: Record<string, string>,
  method = "POST",
  url = "http://shop.example/act",
): Promise<number> {
  return (await app.fetch(new Request(url, { method, headers }))).status;
}

test("allows safe methods from every origin", async () => {
  const app = guardedApp();
  const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    expect(await statusOf(app, headers, method)).toBe(200);
  }
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
    expect(await statusOf(app, headers, method), method).toBe(403);
  }
});

test.each([
  [{ "sec-fetch-site": "same-origin" }, 200],
  [{ "sec-fetch-site": "none" }, 200],
  [{ "sec-fetch-site": "same-site" }, 403],
  [{ "sec-fetch-site": "cross-site" }, 403],
  [{ "sec-fetch-site": "Same-Origin" }, 403],
  [{ "sec-fetch-site": "same-origin, cross-site" }, 403],
  [{ "sec-fetch-site": "" }, 403],
  // Sec-Fetch-Site takes precedence over Origin.
  [{ "sec-fetch-site": "cross-site", origin: "http://shop.example" }, 403],
  [{ origin: "http://shop.example" }, 200],
  // A proxy may have terminated TLS.
  [{ origin: "https://shop.example" }, 200],
  [{ origin: "http://shop.example:8080" }, 403],
  [{ origin: "http://shop.example.evil" }, 403],
  [{ origin: "http://evil.example" }, 403],
  [{ origin: "http://evil.example/?shop.example" }, 403],
  [{ origin: "null" }, 403],
  [{ origin: "" }, 403],
  // No browser writes the host of an origin like this.
  [{ origin: "app://shop.example" }, 403],
  [{ origin: "file://shop.example" }, 403],
  [{ origin: "http:shop.example" }, 403],
  [{ origin: "http:///shop.example" }, 403],
  [{ origin: "http://shop.example/" }, 403],
  [{ origin: "http://evil.example@shop.example" }, 403],
  [{ origin: "http://shop.example, http://evil.example" }, 403],
  // Not a browser: cookies cannot be attached by another site.
  [{}, 200],
])("judges %j as %i", async (headers, status) => {
  expect(await statusOf(guardedApp(), headers)).toBe(status);
});

test.each([
  ["https://shop.example", "https://shop.example/act", 200],
  // A page that someone in the network between has written.
  ["http://shop.example", "https://shop.example/act", 403],
  ["https://shop.example:8443", "https://shop.example/act", 403],
  // A proxy that is not trusted may have terminated TLS.
  ["https://shop.example", "http://shop.example/act", 200],
])("judges a page of %s that sends to %s as %i", async (origin, url, status) => {
  expect(await statusOf(guardedApp(), { origin }, "POST", url)).toBe(status);
});

test("knows the scheme from a trusted proxy", async () => {
  const { app } = createApp([new CsrfMiddleware()], { trustProxy: 1 });
  app.getRouter().post("/act", () => text("done"));
  const headers = { "x-forwarded-proto": "https" };
  const url = "http://shop.example/act";
  const from = (origin: string) => statusOf(app, { ...headers, origin }, "POST", url);
  expect(await from("https://shop.example")).toBe(200);
  expect(await from("http://shop.example")).toBe(403);
});

test("ignores the content type", async () => {
  const app = guardedApp();
  for (const type of [
    "application/json",
    "Application/X-WWW-Form-Urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    "x",
  ]) {
    const headers = { "content-type": type, "sec-fetch-site": "cross-site" };
    expect(await statusOf(app, headers), type).toBe(403);
  }
  expect(await statusOf(app, { "sec-fetch-site": "cross-site" })).toBe(403);
});

test("trusts exactly the configured origins", async () => {
  const app = guardedApp({ origins: ["https://admin.example"] });
  const from = (origin: string) => statusOf(app, { origin, "sec-fetch-site": "cross-site" });
  expect(await from("https://admin.example")).toBe(200);
  expect(await from("http://admin.example")).toBe(403);
  expect(await from("https://admin.example.evil")).toBe(403);
  expect(await from("https://admin.example:443")).toBe(403);

  const asked = guardedApp({ origins: async (origin) => origin.endsWith(".admin.example") });
  expect(await statusOf(asked, { origin: "https://a.admin.example" })).toBe(200);
  expect(await statusOf(asked, { origin: "https://b.example" })).toBe(403);
});

test("rejects with Problem Details, documented in OpenAPI", async () => {
  const response = await guardedApp().request("/act", {
    method: "POST",
    headers: { "sec-fetch-site": "cross-site", "x-request-id": "r1" },
  });
  expect(await response.json()).toMatchObject({
    title: "Forbidden",
    status: 403,
    detail: "The request came from another site's page.",
    traceId: "r1",
  });
  expect(new CsrfMiddleware().documentation.responses).toHaveProperty("403");
  expect(() => new CsrfMiddleware({ origins: ["admin.example"] })).toThrow(EspalierError);
  expect(() => new CsrfMiddleware({ origins: ["https://admin.example", "null"] })).toThrow(
    'The option "origins" of CsrfMiddleware must be a list of origins without "null" because any page can have it, got "null".',
  );
});
