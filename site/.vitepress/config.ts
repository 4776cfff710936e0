import { defineConfig, type UserConfig } from "vitepress";
import { repositoryLinks } from "./repository-links.ts";
import { sideBySide } from "./side-by-side.ts";
import { sidebar } from "./sidebar.ts";

type Plugin = NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number];

/** Resolves `vue` from this folder, because the pages are outside it. */
const vueOfThisFolder: Plugin = {
  name: "vue-of-this-folder",
  enforce: "pre",
  resolveId: (id, _importer, { ssr }) =>
    ssr === true && /^vue(\/|$)/.test(id) ? { id, external: true } : null,
};

export default defineConfig({
  title: "Espalier",
  description: "A TypeScript web framework for the edge, with a router in WebAssembly.",
  lang: "en-GB",
  base: process.env["SITE_BASE"] ?? "/",
  srcDir: "../docs",
  cleanUrls: true,
  ignoreDeadLinks: false,
  metaChunk: true,
  head: [
    [
      "link",
      { rel: "icon", type: "image/svg+xml", href: `${process.env["SITE_BASE"] ?? "/"}logo.svg` },
    ],
  ],
  markdown: {
    config(markdown) {
      repositoryLinks(markdown);
      sideBySide(markdown);
    },
  },
  transformPageData({ relativePath, frontmatter }) {
    // Hides the outline to make room for two columns of code.
    if (relativePath.startsWith("migration/")) {
      Object.assign(frontmatter, { aside: false, pageClass: "wide" });
    }
    if (relativePath.startsWith("reference/"))
      Object.assign(frontmatter, { pageClass: "reference" });
  },
  themeConfig: {
    logo: "/logo.svg",
    nav: [
      { text: "Guide", link: "/guide/start", activeMatch: "^/(guide|architecture|decisions)" },
      { text: "Migration", link: "/migration/hono", activeMatch: "^/migration/" },
      { text: "Reference", link: "/reference/options", activeMatch: "^/reference/" },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local" },
    docFooter: { prev: "Previous", next: "Next" },
  },
  vite: { plugins: [vueOfThisFolder] },
});
