import { defineConfig, type UserConfig } from "vitepress";
import { writeMarkdown } from "./markdown-copies.ts";
import { describePage } from "./page-data.ts";
import { repositoryLinks } from "./repository-links.ts";
import { search } from "./search.ts";
import { sideBySide } from "./side-by-side.ts";
import { sidebar } from "./sidebar.ts";
import { socialTags } from "./social-tags.ts";

type Plugin = NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number];

/** Resolves `vue` from this folder, because the pages are outside it. */
const vueOfThisFolder: Plugin = {
  name: "vue-of-this-folder",
  enforce: "pre",
  resolveId: (id, _importer, { ssr }) =>
    ssr === true && /^vue(\/|$)/.test(id) ? { id, external: true } : null,
};

const texts: Map<string, { title: string; description: string }> = new Map();

export default defineConfig({
  title: "Espalier",
  description:
    "A TypeScript web framework for Cloudflare Workers, Node, Deno and Bun: routing, validation, OpenAPI, authorization, cache and queues.",
  lang: "en-GB",
  base: process.env["SITE_BASE"] ?? "/",
  srcDir: "../docs",
  cleanUrls: true,
  ignoreDeadLinks: false,
  metaChunk: true,
  ...(process.env["SITE_URL"] !== undefined && {
    sitemap: { hostname: `${process.env["SITE_URL"].replace(/\/$/, "")}/` },
  }),
  head: [
    [
      "link",
      { rel: "icon", type: "image/svg+xml", href: `${process.env["SITE_BASE"] ?? "/"}logo.svg` },
    ],
  ],
  markdown: {
    // The default themes have comments and keywords of too little contrast (WCAG 2.2, 1.4.3).
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(markdown) {
      repositoryLinks(markdown);
      sideBySide(markdown);
    },
  },
  transformPageData(page, { siteConfig }) {
    const { relativePath, frontmatter } = page;
    // Hides the outline to make room for two columns of code.
    if (relativePath.startsWith("migration/")) {
      Object.assign(frontmatter, { aside: false, pageClass: "wide" });
    }
    if (relativePath.startsWith("reference/"))
      Object.assign(frontmatter, { pageClass: "reference" });
    const text = describePage(page, siteConfig.srcDir);
    texts.set(relativePath, text);
    return text;
  },
  transformHead: socialTags,
  buildEnd: (siteConfig) => writeMarkdown(siteConfig, texts),
  themeConfig: {
    logo: "/logo.svg",
    nav: [
      { text: "Guide", link: "/guide/start", activeMatch: "^/(guide|architecture|decisions)" },
      { text: "Migration", link: "/migration/hono", activeMatch: "^/migration/" },
      { text: "Reference", link: "/reference/options", activeMatch: "^/reference/" },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local", options: search },
    notFound: {
      title: "Page not found",
      quote: "The page does not exist, or has moved. Search for it, or begin with the guide.",
      link: "/guide/start",
      linkLabel: "Open the guide",
      linkText: "Guide",
    },
    docFooter: { prev: "Previous", next: "Next" },
  },
  vite: { plugins: [vueOfThisFolder] },
});
