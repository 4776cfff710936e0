import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { chromiumPath, launchChromium } from "../support/chromium.ts";
import { buildSite, openSearch, site } from "./built-site.ts";
import { checkPages } from "./page-checks.ts";
import { checkSearch } from "./search-checks.ts";
import { type StaticServer, serveFolder } from "./static-server.ts";

// The site's tools are installed apart from the project's: `npm ci` in site/.
const canRun = existsSync(join(site, "node_modules")) && chromiumPath !== undefined;

describe.skipIf(!canRun)("the documentation site", () => {
  const folder = mkdtempSync(join(tmpdir(), "espalier-site-"));
  let server: StaticServer;
  let browser: Browser;

  beforeAll(async () => {
    await buildSite(folder);
    server = await serveFolder(folder);
    browser = await launchChromium();
  }, 600_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  checkPages(folder);
  checkSearch(folder);

  /** A page, and what it asked of other hosts or complained about. */
  async function open(
    path: string,
    options: { width?: number; colorScheme?: "light" | "dark" } = {},
  ): Promise<{ page: Page; problems: string[] }> {
    const { width = 1280, colorScheme = "light" } = options;
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    const problems: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(server.base) && !url.startsWith("data:")) problems.push(url);
    });
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    await page.goto(`${server.base}${path}`, { waitUntil: "networkidle" });
    return { page, problems };
  }

  const paths = [
    ...["/", "/guide/tour", "/migration/hono", "/reference/options", "/reference/errors"],
    ...["/reference/api/", "/reference/api/espalier/classes/Application"],
  ];

  test.each(paths)("%s asks no other host, and fits a telephone and a desk", async (path) => {
    for (const width of [390, 1280]) {
      const { page, problems } = await open(path, { width });
      expect(problems).toEqual([]);
      expect(await page.locator("h1").count()).toBe(1);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
      await page.close();
    }
  });

  test("searches by itself", async () => {
    const { page, problems } = await open("/");
    await page.keyboard.press("Control+k");
    await page.locator("#localsearch-input").fill("dead letter queue");
    const results = page.locator("#localsearch-list a");
    await results.first().waitFor();
    const links = await results.evaluateAll((found) =>
      found.map((link) => link.getAttribute("href")),
    );
    expect(links.some((link) => link?.startsWith("/guide/queues"))).toBe(true);
    await page.locator('#localsearch-list a[href^="/guide/queues"]').first().click();
    await page.waitForURL(/\/guide\/queues/);
    expect(problems).toEqual([]);
    await page.close();
  });

  test("lists the hits that the checks of the search get", async () => {
    const search = await openSearch(folder);
    const { page } = await open("/guide/tour");
    for (const query of ["middleware order", "type-safe env", "rate limit redis"]) {
      await page.keyboard.press("Control+k");
      await page.locator("#localsearch-input").fill(query);
      const expected = search(query)
        .slice(0, 16)
        .map(({ id }) => id);
      await page.locator(`#localsearch-list a[href="${expected[0]}"]`).first().waitFor();
      const links = await page
        .locator("#localsearch-list a")
        .evaluateAll((found) => found.map((link) => link.getAttribute("href")));
      expect(links).toEqual(expected);
      await page.keyboard.press("Escape");
    }
    await page.close();
  });

  test("finds an option, an error and a name of the API", async () => {
    const { page } = await open("/guide/tour");
    const words = ["producerWaitMs", "ERR_APPLICATION_LISTEN", "createApiKeyMiddleware"];
    for (const [index, path] of [
      "/reference/options",
      "/reference/errors",
      "/reference/api",
    ].entries()) {
      await page.keyboard.press("Control+k");
      await page.locator("#localsearch-input").fill(words[index] ?? "");
      await page.locator(`#localsearch-list a[href^="${path}"]`).first().waitFor();
      await page.keyboard.press("Escape");
    }
    await page.close();
  });

  test("is dark if the system or the reader prefers it", async () => {
    const background = (page: Page): Promise<unknown> =>
      page.evaluate("getComputedStyle(document.body).backgroundColor");
    const dark = await open("/guide/tour", { colorScheme: "dark" });
    const light = await open("/guide/tour");
    const colours = [await background(dark.page), await background(light.page)];
    expect(new Set(colours).size).toBe(2);
    await light.page.locator(".VPNavBarAppearance .VPSwitchAppearance").click();
    await light.page.waitForFunction("document.documentElement.classList.contains('dark')");
    await light.page.reload({ waitUntil: "networkidle" });
    expect(await background(light.page)).toBe(colours[0]);
    await dark.page.close();
    await light.page.close();
  });

  test("shows code of two frameworks beside each other where there is room", async () => {
    const { page } = await open("/migration/express");
    const cells = page.locator(".side-by-side").first().locator(".side");
    const [left, right] = [await cells.nth(0).boundingBox(), await cells.nth(1).boundingBox()];
    expect(left?.y).toBe(right?.y);
    await page.setViewportSize({ width: 390, height: 900 });
    expect((await cells.nth(1).boundingBox())?.y).toBeGreaterThan(
      (await cells.nth(0).boundingBox())?.y ?? Infinity,
    );
    await page.close();
  });

  test("has a page for every name that the package exports", () => {
    const index = readFileSync(join(root, "docs/reference/api/espalier/index.md"), "utf8");
    for (const name of ["Application", "Controller", "CorsOptions", "verifyPassword"]) {
      expect(index).toContain(`[${name}]`);
    }
  });
});
