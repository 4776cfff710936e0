import type { DefaultTheme, MarkdownEnv, MarkdownRenderer } from "vitepress";
import { searchTerms } from "./search-terms.ts";

type LocalSearch = DefaultTheme.LocalSearchOptions;

/**
 * Ranks the guide before everything else, and its pages before their sections. Runs in the browser,
 * where it can use nothing but its parameters.
 */
function boostDocument(id: string, _term: string, stored?: Record<string, unknown>): number {
  if (id.includes("/reference/api/")) return 0.3;
  if (/\/(?:reference\/(?:spec|compared)|reliability|scale|decisions\/)/.test(id)) return 0.3;
  const titles = stored?.["titles"];
  const isPage = Array.isArray(titles) && titles.length === 0;
  const weight = /\/reference\/(?:errors|options)|\/migration\//.test(id) ? 0.5 : 1;
  return isPage ? weight * 1.6 : weight;
}

/** Renders a page for the index: its search terms are part of the text under its title. */
function render(source: string, env: MarkdownEnv, markdown: MarkdownRenderer): string {
  const html = markdown.render(source, env);
  if (env.frontmatter?.["search"] === false) return "";
  const terms = searchTerms[env.relativePath.replace(/\.md$/, "")];
  return terms === undefined ? html : html.replace("</h1>", `</h1>\n<p>${terms.join(", ")}</p>`);
}

/** The search in the browser, over an index that the build writes. */
export const search: LocalSearch = {
  _render: render,
  miniSearch: {
    searchOptions: {
      // One wrong letter in words of up to eleven: "translation" is not "transaction".
      fuzzy: 0.13,
      prefix: true,
      boost: { title: 4, text: 2, titles: 1 },
      boostDocument,
    },
  },
};
