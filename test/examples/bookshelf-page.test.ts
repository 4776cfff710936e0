import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launchChromium } from "../support/chromium.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";

/** Minimum size of a screenshot in bytes; a smaller one shows a nearly empty page. */
const leastBytes = 15_000;

/** Runs in the page; source text, because the tests have no DOM types. */
const readPage = `(() => {
  const contrast = (element) => {
    const parse = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const light = (color) => {
      const [r, g, b] = parse(color)
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const backgroundOf = (box) => getComputedStyle(box).backgroundColor;
    let behind = element;
    while (backgroundOf(behind) === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
    const [a, b] = [light(getComputedStyle(element).color), light(backgroundOf(behind))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const texts = [...document.querySelectorAll("h1, h2, h3, p, a, code, span, b, button")];
  return {
    overflow: document.documentElement.scrollWidth - innerWidth,
    contrast: Math.min(...texts.map(contrast)),
    background: getComputedStyle(document.body).backgroundColor,
    links: [...document.querySelectorAll("a[href]")].map((link) => link.href),
  };
})()`;

interface PageReading {
  readonly overflow: number;
  readonly contrast: number;
  readonly background: string;
  readonly links: readonly string[];
}

// Requires an installed browser.
describe.skipIf(chromiumPath === undefined)("the bookshelf's page in Chromium", () => {
  let server: ServerProcess;
  let browser: Browser;
  beforeAll(async () => {
    server = await startServerProcess("test/examples/bookshelf-listen.mjs", "node");
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  async function open(colorScheme: "light" | "dark", width: number): Promise<Page> {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    await page.goto(server.url);
    return page;
  }

  const read = (page: Page): Promise<PageReading> => page.evaluate(readPage);

  for (const scheme of ["light", "dark"] as const) {
    for (const width of [375, 1280]) {
      test(`is readable at ${width} pixels in the ${scheme} color scheme`, async () => {
        const complaints: string[] = [];
        const page = await browser.newPage({
          colorScheme: scheme,
          viewport: { width, height: 900 },
        });
        page.on("console", (message) => complaints.push(message.text()));
        page.on("pageerror", (error) => complaints.push(error.message));
        await page.goto(server.url);
        const { overflow, contrast } = await read(page);
        // WCAG 2.2, 1.4.3: a contrast of 4.5:1 for text of this size.
        expect(contrast).toBeGreaterThanOrEqual(4.5);
        expect(overflow).toBeLessThanOrEqual(0);
        expect((await page.screenshot()).byteLength).toBeGreaterThan(leastBytes);
        expect(complaints).toEqual([]);
        await page.close();
      });
    }
  }

  test("all links work", async () => {
    const page = await open("light", 1280);
    const links = new Set((await read(page)).links);
    // 12 books, and the GET routes without authentication.
    expect(links.size).toBeGreaterThan(18);
    for (const path of ["docs", "openapi.json", "health"]) {
      expect(links).toContain(`${server.url.replace(/\/$/, "")}/${path}`);
    }
    for (const link of links) {
      const response = await fetch(link);
      expect([link, response.status]).toEqual([link, 200]);
      await response.arrayBuffer();
    }
    await page.close();
  });

  test("a theme is chosen without a script and persists", async () => {
    const context = await browser.newContext({ colorScheme: "light", javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(server.url);
    await page.getByRole("button", { name: "dark" }).click();
    await page.waitForSelector("html[data-theme=dark]");
    expect(page.url()).toBe(server.url);
    await page.goto(server.url);
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await context.close();
  });

  test("a book on the shelf links to the book", async () => {
    const page = await open("dark", 375);
    await page.getByRole("link", { name: "Tidal Arithmetic" }).click();
    expect(page.url()).toMatch(/\/api\/v1\/books\/9799410000106$/);
    expect(await page.textContent("body")).toContain("Tobin Alderwisp");
    await page.close();
  });
});
