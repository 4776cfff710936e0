import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/bundle.ts";

/** A fenced block of a page. */
export interface CodeBlock {
  /** Path of the page, from the root. */
  readonly page: string;
  /** Line of the block's first line of code; the first line of the page is 1. */
  readonly line: number;
  /** What stands behind the fence: `ts`, `sh`, … */
  readonly language: string;
  readonly text: string;
}

/** The pages whose code is checked: the README and the whole guide. */
export const pages: readonly string[] = [
  "README.md",
  ...readdirSync(join(root, "docs/guide"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/guide/${name}`),
];

/** Every fenced block of a page, in its order. */
export function codeBlocks(page: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, text] of readFileSync(join(root, page), "utf8").split("\n").entries()) {
    const fence = /^```(.*)$/.exec(text);
    if (fence === null) open?.lines.push(text);
    else if (open === undefined) open = { language: fence[1] ?? "", line: index + 2, lines: [] };
    else {
      const { language, line, lines } = open;
      blocks.push({ page, line, language, text: lines.join("\n") });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.line - 1}: the block is not closed`);
  return blocks;
}
