import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { guidePages } from "../docs/code-blocks.ts";
import { address, builtPages } from "./built-site.ts";

interface Page {
  readonly name: string;
  readonly html: string;
  readonly title: string;
  readonly description: string;
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};
const decode = (text: string): string =>
  text.replace(/&[#\w]+;/g, (name) => entities[name] ?? name);

/** Returns the content of the first match; empty without one. */
const contentOf = (html: string, pattern: RegExp): string => decode(pattern.exec(html)?.[1] ?? "");

function readPage(folder: string, name: string): Page {
  const html = readFileSync(join(folder, `${name}.html`), "utf8");
  const description = contentOf(html, /<meta name="description" content="([^"]*)">/);
  return { name, html, title: contentOf(html, /<title>([^<]*)<\/title>/), description };
}

/** Returns the values that several pages have, with these pages. */
function shared(pages: readonly Page[], key: "title" | "description"): string[] {
  return [...Map.groupBy(pages, (page) => page[key])]
    .filter(([, group]) => group.length > 1)
    .map(([value, group]) => `${value}: ${group.map(({ name }) => name).join(", ")}`);
}

/** Declares the tests of titles, descriptions and Markdown copies of a site built into a folder. */
export function checkPages(folder: string): void {
  describe("every page", () => {
    let pages: readonly Page[];
    beforeAll(() => {
      pages = builtPages(folder).map((name) => readPage(folder, name));
    });
    const namesOf = (wrong: (page: Page) => boolean): string[] =>
      pages
        .filter(wrong)
        .map(({ name, title, description }) => `${name}: ${title} | ${description}`);

    test("has a title that no other page has, of at most 80 characters", () => {
      expect(pages.length).toBeGreaterThan(300);
      expect(namesOf(({ title }) => title === "" || title.length > 80)).toEqual([]);
      expect(shared(pages, "title")).toEqual([]);
    });

    test("has a description that no other page has, of 50 to 160 characters", () => {
      const isWrong = ({ length }: string): boolean => length < 50 || length > 160;
      expect(namesOf(({ description }) => isWrong(description))).toEqual([]);
      expect(shared(pages, "description")).toEqual([]);
    });

    test("has Open Graph tags and a canonical address", () => {
      const wrong = namesOf(({ name, html, title, description }) => {
        const property = (key: string): string =>
          contentOf(html, new RegExp(`<meta property="og:${key}" content="([^"]*)">`));
        const url = `${address}/${name.replace(/(^|\/)index$/, "$1")}`;
        return (
          property("title") !== title ||
          property("description") !== description ||
          property("url") !== url ||
          property("image") !== `${address}/social.png` ||
          !html.includes(`<link rel="canonical" href="${url}">`)
        );
      });
      expect(wrong).toEqual([]);
      expect(existsSync(join(folder, "social.png"))).toBe(true);
    });

    test("has its Markdown beside it, to which it links", () => {
      const wrong = namesOf(({ name, html }) => {
        const markdown = join(folder, `${name}.md`);
        const link = `<link rel="alternate" type="text/markdown" href="/${name}.md">`;
        return !html.includes(link) || !existsSync(markdown) || isEmpty(markdown);
      });
      expect(wrong).toEqual([]);
    });

    test("of the guide is in llms.txt, with its description", () => {
      const list = readFileSync(join(folder, "llms.txt"), "utf8");
      expect(list).toMatch(/^# Espalier\n\n> .{50,160}\n\n## Getting started\n/);
      const missing = guidePages.filter(
        (page) =>
          page !== "README.md" && !list.includes(`](${address}/${page.replace(/^docs\//, "")}): `),
      );
      expect(missing).toEqual([]);
      const files = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, url = ""]) => url);
      const broken = files.filter(
        (url) =>
          !url.startsWith(`${address}/`) || !existsSync(join(folder, url.slice(address.length))),
      );
      expect(broken).toEqual([]);
    });
  });
}

/** Frontmatter is for the site's generator, and is not part of the copy. */
function isEmpty(path: string): boolean {
  const text = readFileSync(path, "utf8");
  return text.trim() === "" || text.startsWith("---\n");
}
