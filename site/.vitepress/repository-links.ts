import { dirname, join } from "node:path/posix";
import type { MarkdownRenderer } from "vitepress";

/** Base URL of the repository's files, with a trailing slash; without it, file links become plain text. */
const repository = process.env["SITE_REPOSITORY"];

/**
 * Rewrites links to files outside `docs/`, such as examples, which are not part of the site: they point to
 * the repository, or become plain text if its URL is not configured.
 */
export function repositoryLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const folder = join("docs", dirname(String(env.relativePath ?? "")));
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const href = String(token.attrGet("href") ?? "");
          const path = join(folder, href);
          isOutside = /^\.\.?\//.test(href) && !path.startsWith("docs/");
          if (isOutside && repository !== undefined) token.attrSet("href", `${repository}${path}`);
          if (isOutside && repository === undefined) {
            token.type = "html_inline";
            token.content = `<span title="${markdown.utils.escapeHtml(path)}">`;
          }
        } else if (token.type === "link_close" && isOutside && repository === undefined) {
          token.type = "html_inline";
          token.content = "</span>";
        }
      }
    }
  });
}
