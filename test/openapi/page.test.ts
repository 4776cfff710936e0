import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Middleware, text } from "../../src/index.ts";
import { operationView } from "../../src/openapi/page/operation-view.ts";
import { chromiumPath, launchChromium } from "../support/chromium.ts";
import { exposed } from "./support/expose.ts";
import { plantOrchard } from "./support/orchard.ts";

vi.mock("../../src/openapi/page/operation-view.ts", { spy: true });

/** A program that runs in the page, which has a DOM. */
const lookAtPage = readFileSync(new URL("support/look-at-page.js", import.meta.url), "utf8");

interface Seen {
  readonly overflow: number;
  readonly background: number;
  readonly leastContrast: number;
  readonly counted: number;
}

const attack = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

describe("the documentation page", () => {
  test("is HTML with one inline style sheet, and a policy that forbids the rest", async () => {
    const { app } = exposed({ ui: "/docs", info: { title: "The orchard" } });
    plantOrchard(app);
    const response = await app.request("/docs");
    const page = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|javascript:| on\w+=|<iframe|<img|style="/i);
    const loaded = [...page.matchAll(/(?:src|<link[^>]*href)="([^"]*)"/g)].map(([, url]) => url);
    expect(loaded).toEqual(["/docs/style.css"]);
    expect(page).toContain('href="/openapi.json"');
    const styles = await app.request("/docs/style.css");
    expect(styles.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(await styles.text()).not.toMatch(/@import|url\(/);
  });

  test("shows the origin of each request, escaped for HTML and the shell", async () => {
    const { app } = exposed({ ui: "/docs" });
    plantOrchard(app);
    for (const origin of ["http://one.example", "https://two.example:8443", "http://a'b&c"]) {
      const page = await (await app.fetch(new Request(`${origin}/docs`))).text();
      const shown = origin.replace("'", "&#39;\\&#39;&#39;").replace("&c", "&amp;c");
      const commands = [...page.matchAll(/curl &#39;(https?:\/\/[^/]*)\//g)];
      expect(commands.length).toBeGreaterThan(10);
      for (const [, base] of commands) expect(base).toBe(shown);
    }
  });

  test("is rendered once, whatever origins clients send, and again for a new route", async () => {
    const { app } = exposed({ ui: "/docs" });
    const render = vi.mocked(operationView).mockClear();
    app.getRouter().get("/first", () => text("ok"));
    for (let host = 0; host < 5; host += 1) {
      await app.fetch(new Request(`http://host${host}.example/docs`));
    }
    expect(render).toHaveBeenCalledTimes(1);
    app.getRouter().get("/second", () => text("ok"));
    expect(await (await app.request("/docs")).text()).toContain("/second");
    expect(render).toHaveBeenCalledTimes(3);
  });

  test("shows every operation once", async () => {
    const { app, document } = exposed({ ui: "/docs" });
    plantOrchard(app);
    const page = await (await app.request("/docs")).text();
    const ids = Object.values((await document()).paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids.length).toBeGreaterThan(10);
    for (const id of ids) expect(page.split(`id="operation-${id}"`)).toHaveLength(2);
  });

  test("shows a command also for parameters and forms with objects", async () => {
    const { app } = exposed({ ui: "/docs" });
    const item = { type: "object", schema: { name: { type: "string", required: true } } } as const;
    const list = { type: "array", items: item, required: true } as const;
    const router = app.getRouter();
    router.get("/list/:id", () => text("ok"), { validation: { query: { list, item } } });
    const body = { list, item, file: { type: "file", required: true } } as const;
    router.post("/upload", () => text("ok"), { validation: { body } });
    const response = await app.request("/docs");
    expect(response.status).toBe(200);
    expect(decodeURIComponent(await response.text())).toContain('list={"name":"string"}');
  });

  test("escapes all texts of the document", async () => {
    const { app } = exposed({
      ui: "/",
      info: { title: attack, description: attack, version: attack },
      servers: [{ url: `https://a.example/${attack}`, description: attack }],
    });
    app.getRouter().post("/a/:id", () => text("ok"), {
      summary: attack,
      description: attack,
      operationId: attack,
      tags: [attack],
      fields: { id: attack, title: attack },
      examples: { one: { title: `it's ${attack}` } },
      validation: { title: { enum: [attack, "b"], default: attack } },
      responses: { 200: attack },
    });
    const page = await (await app.request("/")).text();
    expect(page).not.toMatch(/<script|<img/i);
    expect(page).toContain("&lt;script&gt;");
    expect((await app.request("/style.css")).status).toBe(200);
  });

  test("a shell example quotes each argument correctly", async () => {
    const { app } = exposed({ ui: "/docs" });
    app.getRouter().post("/a", () => text("ok"), {
      examples: { one: { title: "it's $(reboot)" } },
      validation: { title: { type: "string" } },
    });
    const page = await (await app.request("/docs")).text();
    expect(page).toContain(
      "-d &#39;{&quot;title&quot;:&quot;it&#39;\\&#39;&#39;s $(reboot)&quot;}&#39;",
    );
  });
});

test("a shell example has the credentials of each security scheme", async () => {
  const { app } = exposed({ ui: "/docs" });
  const guard = (
    security: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ): Middleware =>
    Object.assign(((_ctx, next) => next()) satisfies Middleware, { documentation: { security } });
  app.middleware("bearer", guard({ a: { type: "http", scheme: "bearer" } }));
  app.middleware("basic", guard({ b: { type: "http", scheme: "basic" } }));
  app.middleware("key", guard({ c: { type: "apiKey", in: "header", name: "x-key" } }));
  for (const name of ["bearer", "basic", "key"]) {
    app.getRouter().get(`/${name}`, () => text("ok"), { middleware: [name] });
  }
  const page = await (await app.request("/docs")).text();
  expect(page).toContain("-H &quot;authorization: Bearer $TOKEN&quot;");
  expect(page).toContain("-u &quot;$NAME:$PASSWORD&quot;");
  expect(page).toContain("-H &#39;x-key: &#39;&quot;$API_KEY&quot;");
});

describe.skipIf(chromiumPath === undefined)("in Chromium, without scripts", () => {
  let browser: Browser;
  let url = "";
  const { app } = exposed({
    ui: "/docs",
    info: {
      title: "The orchard",
      version: "2.1.0",
      description: "Trees, their branches and what grows on them.",
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "espalier-docs-"));

  beforeAll(async () => {
    plantOrchard(app);
    ({ url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false }));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["wide and light", "light", 1280, 900],
    ["wide and dark", "dark", 1280, 900],
    ["narrow and light", "light", 360, 740],
    ["narrow and dark", "dark", 360, 740],
  ] as const)(
    "%s: readable, nothing truncated, no external requests",
    async (_look, colorScheme, width, height) => {
      const page = await browser.newPage({
        colorScheme,
        viewport: { width, height },
        // Playwright's scripts bypass the policy of the page.
        bypassCSP: false,
      });
      const problems: string[] = [];
      page.on("console", (message) => problems.push(message.text()));
      page.on("request", (request) => {
        if (!request.url().startsWith(url)) problems.push(request.url());
      });
      page.on("requestfailed", (request) => problems.push(`failed ${request.url()}`));
      await page.goto(`${url}docs`);
      expect(await page.title()).toBe("The orchard");
      const seen = await page.evaluate<Seen>(lookAtPage);
      expect(seen.overflow).toBeLessThanOrEqual(0);
      expect(seen.background > 0.5).toBe(colorScheme === "light");
      expect(seen.counted).toBeGreaterThan(200);
      // WCAG 2.2, 1.4.3.
      expect(seen.leastContrast).toBeGreaterThanOrEqual(4.5);
      const file = join(folder, `${colorScheme}-${width}.png`);
      await page.screenshot({ path: file, fullPage: true });
      expect(statSync(file).size).toBeGreaterThan(20_000);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  test("links point to their operation, with scripts disabled", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${url}docs`);
    await page
      .getByRole("navigation")
      .getByRole("link", { name: /Plants a tree/ })
      .click();
    expect(page.url()).toBe(`${url}docs#operation-trees.plant`);
    const target = page.locator("#operation-trees\\.plant");
    expect(await target.getByText("sort", { exact: true }).first().isVisible()).toBe(true);
    const response = target.locator("details.response", { hasText: "422" });
    await response.locator("summary").first().click();
    expect(await response.getByText("traceId", { exact: true }).isVisible()).toBe(true);
    await context.close();
  });
});
