import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../support/bundle.ts";
import { chromiumPath, launchChromium } from "../support/chromium.ts";
import { type Answer, assertions, type Call, type Send } from "./assertions.ts";

// Without an installed browser there is nothing to run this in.
describe.skipIf(chromiumPath === undefined)("Chromium", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let base = "";

  beforeAll(async () => {
    const scripts = new Map([
      ["/service-worker.js", (await bundle("test/runtime/service-worker.ts", "browser")).code],
      ["/page.js", (await bundle("test/runtime/page.ts", "browser")).code],
    ]);
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const script = scripts.get(pathname);
      response.setHeader("content-type", script === undefined ? "text/html" : "text/javascript");
      const policy = searchParams.get("policy");
      if (policy !== null) response.setHeader("content-security-policy", policy);
      if (pathname.startsWith("/api/")) response.statusCode = 599;
      response.end(script ?? "<!doctype html><script type=module src=/page.js></script>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(`${base}/`);
    await page.evaluate(async () => {
      await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
      await navigator.serviceWorker.ready;
      while (navigator.serviceWorker.controller === null)
        await new Promise((r) => setTimeout(r, 20));
    });
  });

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  describe("in a service worker", () => {
    const send: Send = (path, call = {}) => page.evaluate(ask, [path, call] as const);
    for (const { title, notInBrowser, run } of assertions) {
      // The browser keeps these from pages, as each says.
      test.skipIf(notInBrowser !== undefined)(title, () => run(send));
    }
  });

  describe("in a page", () => {
    const engineOf = async (policy: string): Promise<unknown> => {
      const other = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
      await other.goto(`${base}/?policy=${encodeURIComponent(policy)}`);
      await other.waitForFunction("document.title !== ''");
      return JSON.parse(await other.title());
    };

    test("a policy that allows WebAssembly gets the compiled matcher", async () => {
      expect(await engineOf("script-src 'self' 'wasm-unsafe-eval'")).toEqual({
        status: 200,
        engine: "wasm",
      });
    });

    test("a policy that forbids it gets the same answers from the other one", async () => {
      expect(await engineOf("script-src 'self'")).toEqual({ status: 200, engine: "reference" });
    });
  });
});

/** Runs inside the page. */
async function ask([path, call]: readonly [string, Call]): Promise<Answer> {
  const { method = "GET", headers = {}, body, bodyBytes } = call;
  const content = bodyBytes === undefined ? body : new Uint8Array(bodyBytes);
  const init: RequestInit = {
    method,
    headers,
    ...(content === undefined ? {} : { body: content }),
  };
  const response = await fetch(path, init);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    setCookie: [],
    body: await response.text(),
  };
}
