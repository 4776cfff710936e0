import { dirname, join } from "node:path/posix";
import type { MarkdownRenderer } from "vitepress";

/** Where the files of the repository are shown, with a slash at the end; unset, they are only named. */
const repository = process.env["SITE_REPOSITORY"];

/**
 * Pages lead to files beside `docs/` as well, such as examples. The site does not have them: a link to
 * one leads to the repository, or is text where nobody has said where that is.
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
