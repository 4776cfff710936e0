import type { HeadConfig, TransformContext } from "vitepress";

/** Address of the site with its base path, without a trailing slash; undefined if it is not known. */
const site = process.env["SITE_URL"]?.replace(/\/$/, "");

/** Path of a page on the site: `/guide/cors`, and `/reference/api/` for an index. */
export const pathOf = (relativePath: string): string =>
  `/${relativePath.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")}`;

/**
 * Returns the Open Graph tags of a page, and the link to its Markdown. Open Graph wants absolute
 * URLs: those of the page and its picture are included only if `SITE_URL` is set.
 */
export function socialTags({
  pageData,
  title,
  description,
  siteConfig,
}: TransformContext): HeadConfig[] {
  const { relativePath } = pageData;
  if (relativePath === "404.md") return [["meta", { name: "robots", content: "noindex" }]];
  const property = (name: string, content: string): HeadConfig => [
    "meta",
    { property: `og:${name}`, content },
  ];
  const tags: HeadConfig[] = [
    property("type", relativePath === "index.md" ? "website" : "article"),
    property("site_name", siteConfig.site.title),
    property("title", title),
    property("description", description),
    [
      "meta",
      { name: "twitter:card", content: site === undefined ? "summary" : "summary_large_image" },
    ],
    [
      "link",
      { rel: "alternate", type: "text/markdown", href: `${siteConfig.site.base}${relativePath}` },
    ],
  ];
  if (site === undefined) return tags;
  return [
    ...tags,
    ["link", { rel: "canonical", href: `${site}${pathOf(relativePath)}` }],
    property("url", `${site}${pathOf(relativePath)}`),
    property("image", `${site}/social.png`),
    property("image:alt", "Espalier, a TypeScript web framework for the edge"),
  ];
}
