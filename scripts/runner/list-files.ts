import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

/**
 * Lists the files of some paths, in the same order on every platform.
 *
 * @throws if a path does not exist
 */
export function listFiles(paths: readonly string[], folder: string = root): string[] {
  const files = paths.flatMap((source) => {
    const path = join(folder, source);
    if (!existsSync(path)) throw new Error(`The source "${source}" does not exist.`);
    if (!statSync(path).isDirectory()) return [source];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length));
  });
  return files.map((file) => file.replaceAll("\\", "/")).sort();
}
