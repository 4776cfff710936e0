import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "./usage-error.ts";

/** What may be in a folder that counts as empty. */
const harmless = new Set([".git", ".DS_Store"]);

/** Hold secrets that the project may be running with. */
const secrets = new Set([".env", ".dev.vars"]);

/**
 * Checks that a project can be written here, before anything is.
 *
 * @param force whether other files may be there
 * @throws UsageError when the folder is a file, or not empty
 */
export function checkFolder(folder: string, force: boolean): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) {
    throw new UsageError(`${folder} is a file. Choose the name of a folder.`);
  }
  const found = readdirSync(folder).filter((name) => !harmless.has(name));
  if (found.length === 0 || force) return;
  const listed = found.length > 3 ? [...found.slice(0, 3), `${found.length - 3} more`] : found;
  throw new UsageError(
    `${folder} is not empty: ${listed.join(", ")}. Choose another folder, or add --force to write ` +
      "into it; files of the same name are replaced then.",
  );
}

/** Writes the files; secrets that are there already stay. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const file = join(folder, path);
    if (secrets.has(path) && existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
