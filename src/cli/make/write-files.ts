import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "../command-error.ts";
import type { NewFile } from "./part.ts";

/**
 * Writes new files. Writes none of them if one already exists, unless `force` is set.
 *
 * @throws CommandError when a file exists and `force` is false, or cannot be written
 */
export function writeFiles(folder: string, files: readonly NewFile[], force: boolean): void {
  const there = files.filter(({ path }) => existsSync(join(folder, path)));
  if (there.length > 0 && !force) {
    const names = there.map(({ path }) => path).join(" and ");
    throw new CommandError(
      `${names} already ${there.length === 1 ? "exists" : "exist"}. ` +
        "Choose another name, or replace existing files with --force.",
    );
  }
  for (const { path, text } of files) {
    const file = join(folder, path);
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new CommandError(`Cannot write ${path}: ${message}.`, { cause });
    }
  }
}
