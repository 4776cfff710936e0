import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "./usage-error.ts";

/** Entries that an empty folder may contain. */
const harmless = new Set([".git", ".DS_Store"]);

/** Files with secrets that an existing project may use; never replaced. */
const secrets = new Set([".env", ".dev.vars"]);

/**
 * Validates the target folder, before anything is written.
 *
 * @param force allows a folder that is not empty
 * @throws UsageError if the folder is a file, or not empty
 */
export function checkFolder(folder: string, force: boolean): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) {
    throw new UsageError(`${folder} is a file; expected a directory. Choose another name.`);
  }
  const found = readdirSync(folder).filter((name) => !harmless.has(name));
  if (found.length === 0 || force) return;
  const listed = found.length > 3 ? [...found.slice(0, 3), `${found.length - 3} more`] : found;
  throw new UsageError(
    `${folder} is not empty: ${listed.join(", ")}. Choose another directory, or use --force to write ` +
      "into it, which replaces files of the same name.",
  );
}

/** Writes the files; keeps existing files with secrets. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const file = join(folder, path);
    if (secrets.has(path) && existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
