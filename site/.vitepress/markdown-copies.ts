import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DefaultTheme, SiteConfig } from "vitepress";
import { withoutFrontmatter } from "./description.ts";
import { sidebar } from "./sidebar.ts";
import { pathOf } from "./social-tags.ts";

/** Titles and descriptions of the pages, by their path in `docs/`. */
export type PageTexts = ReadonlyMap<
  string,
  { readonly title: string; readonly description: string }
>;

/**
 * Writes the Markdown of each page beside its HTML, and `llms.txt`, the list of the pages for language
 * models: see https://llmstxt.org.
 */
export function writeMarkdown({ outDir, srcDir, pages, site }: SiteConfig, texts: PageTexts): void {
  for (const page of pages) {
    const target = join(outDir, page);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withoutFrontmatter(readFileSync(join(srcDir, page), "utf8")));
  }
  writeFileSync(join(outDir, "llms.txt"), listPages(site, texts));
}

/** Sections of the sidebars, without the names of the API, which their entry points list. */
function listPages(site: SiteConfig["site"], texts: PageTexts): string {
  const base = (process.env["SITE_URL"] ?? site.base).replace(/\/$/, "");
  const pageOf = new Map([...texts.keys()].map((page) => [pathOf(page), page]));
  const lineOf = ({ link = "" }: DefaultTheme.SidebarItem): string[] => {
    const page = pageOf.get(link);
    const text = page === undefined ? undefined : texts.get(page);
    return text === undefined ? [] : [`- [${text.title}](${base}/${page}): ${text.description}`];
  };
  const { "/": guide = [], "/reference/": reference = [] } = sidebar() as Record<
    string,
    DefaultTheme.SidebarItem[]
  >;
  const sections = [...guide, ...reference].map(({ text, link, items = [] }) => {
    const listed = text === "API" ? [...(link === undefined ? [] : [{ link }]), ...items] : items;
    return `## ${text}\n\n${listed.flatMap(lineOf).join("\n")}\n`;
  });
  return `# ${site.title}\n\n> ${site.description}\n\n${sections.join("\n")}`;
}
