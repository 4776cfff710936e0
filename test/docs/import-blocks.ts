import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CodeBlock } from "./code-blocks.ts";

/** The blocks that begin with the name of a file (`// app.ts`), by that name. */
export function namedBlocks(blocks: readonly CodeBlock[]): ReadonlyMap<string, CodeBlock> {
  const named = blocks.flatMap((block): [string, CodeBlock][] => {
    const name = /^\/\/ ([\w.-]+\.ts)\n/.exec(block.text)?.[1];
    return name === undefined ? [] : [[name, block]];
  });
  const files = new Map(named);
  if (files.size < named.length) throw new Error(`${blocks[0]?.page}: two blocks are one file`);
  return files;
}

/** Writes the blocks to a folder outside of the repository, and imports one of them. */
export async function importBlocks(
  files: ReadonlyMap<string, CodeBlock>,
  entry: string,
): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-docs-"));
  for (const [name, { text }] of files) writeFileSync(join(folder, name), text);
  try {
    return await import(join(folder, entry));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
