import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/bundle.ts";

/** A fenced block of a page. */
export interface CodeBlock {
  /** Path of the page, from the root. */
  readonly page: string;
  /** Line of the block's first line of code; the first line of the page is 1. */
  readonly line: number;
  /** Language after the fence: `ts`, `sh`, … */
  readonly language: string;
  /** Label in brackets after the language: `Hono` of ```` ```ts [Hono] ````. */
  readonly label?: string;
  readonly text: string;
}

/** Labels of blocks that are code of other frameworks, and not checked. */
const otherFrameworks: readonly string[] = ["Hono", "Express", "NestJS", "AdonisJS", "Laravel"];

/** The README and the guide. */
export const guidePages: readonly string[] = ["README.md", ...pagesIn("docs/guide")];

/** The pages whose code is checked: beside the guide, migration and reference. */
export const pages: readonly string[] = [
  ...guidePages,
  "docs/index.md",
  ...pagesIn("docs/migration"),
  ...pagesIn("docs/reference"),
];

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
}

/** Every fenced block of a page, in its order. */
export function codeBlocks(page: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { info: string; line: number; lines: string[] } | undefined;
  for (const [index, text] of readFileSync(join(root, page), "utf8").split("\n").entries()) {
    const fence = /^```(.*)$/.exec(text);
    if (fence === null) open?.lines.push(text);
    else if (open === undefined) open = { info: fence[1] ?? "", line: index + 2, lines: [] };
    else {
      const { info, line, lines } = open;
      blocks.push({ page, line, ...readInfo(info), text: lines.join("\n") });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.line - 1}: the block is not closed`);
  return blocks;
}

/** `ts [Hono]` has the language `ts` and the label `Hono`. */
function readInfo(info: string): Pick<CodeBlock, "language" | "label"> {
  const [, language = "", label] = /^(\S*)(?:\s+\[([^\]]+)\])?\s*$/.exec(info) ?? [];
  if (info !== "" && language === "") throw new Error(`"${info}" must be a language and a label`);
  return label === undefined ? { language } : { language, label };
}

/** Returns true if a block is TypeScript that uses this package. */
export function isChecked({ language, label = "" }: CodeBlock): boolean {
  return language === "ts" && !otherFrameworks.includes(label);
}
