import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

/** Returns the text of a table for the name in its marker. */
export type WriteTable = (name: string) => string;

/**
 * Writes the tables of a page between their markers, `<!-- table: NAME -->` and `<!-- end -->`.
 *
 * @param page path from the root of the repository
 * @param isCheck leaves the page unchanged
 * @returns `false` if the page was different
 */
export function writeTables(page: string, write: WriteTable, isCheck: boolean): boolean {
  const path = join(root, page);
  const text = readFileSync(path, "utf8");
  const written = text.replace(
    /(<!-- table: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${write(name)}\n\n${end}`,
  );
  if (!isCheck && written !== text) writeFileSync(path, written);
  return written === text;
}
