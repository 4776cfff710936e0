import type { MarkdownRenderer } from "vitepress";

/** Label in brackets after a fence's language: ```` ```ts [Hono] ````. */
const labelOf = (info: string): string | undefined => /\[([^\]]+)\]\s*$/.exec(info)?.[1];

/**
 * Renders two consecutive code blocks with labels side by side. In Markdown they are ordinary blocks, so
 * that the pages are readable without this site.
 */
export function sideBySide(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("side-by-side", ({ tokens, Token }) => {
    const html = (content: string): InstanceType<typeof Token> =>
      Object.assign(new Token("html_block", "", 0), { content });
    const cell = (label: string): string =>
      `<div class="side"><p class="side-label">${markdown.utils.escapeHtml(label)}</p>\n`;
    for (let index = tokens.length - 2; index >= 0; index--) {
      const [left, right] = [tokens[index], tokens[index + 1]];
      if (left?.type !== "fence" || right?.type !== "fence") continue;
      const [leftLabel, rightLabel] = [labelOf(left.info), labelOf(right.info)];
      if (leftLabel === undefined || rightLabel === undefined) continue;
      tokens.splice(
        index,
        2,
        html(`<div class="side-by-side">${cell(leftLabel)}`),
        left,
        html(`</div>${cell(rightLabel)}`),
        right,
        html("</div></div>\n"),
      );
    }
  });
}
