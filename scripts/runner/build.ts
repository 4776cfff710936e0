import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

/** State of the measured sources. */
export interface Build {
  /** Full hash of the Git commit; `unknown` outside a repository. */
  readonly commit: string;
  /** `true` if a measured source differs from that commit. */
  readonly isModified: boolean;
  /** Measured files and folders, from the root of the repository. */
  readonly sources: readonly string[];
  /** SHA-256 of the paths and contents of all measured files, 64 hexadecimal digits. */
  readonly sourcesSha256: string;
}

/** Describes the checked out state of some sources. */
export function describeBuild(sources: readonly string[]): Build {
  const commit = git("rev-parse", "HEAD");
  return {
    commit: commit ?? "unknown",
    isModified: commit !== undefined && git("status", "--porcelain", "--", ...sources) !== "",
    sources,
    sourcesSha256: hashSources(sources),
  };
}

/**
 * Hashes files and folders; the hash depends only on their contents.
 *
 * @throws if a path does not exist
 */
export function hashSources(sources: readonly string[], folder: string = root): string {
  const hash = createHash("sha256");
  for (const file of listFiles(sources, folder)) {
    const content = readFileSync(join(folder, file));
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest("hex");
}

/** Lists the files of some paths, in the same order on every platform. */
export function listFiles(sources: readonly string[], folder: string = root): string[] {
  const files = sources.flatMap((source) => {
    const path = join(folder, source);
    if (!existsSync(path)) throw new Error(`The source "${source}" does not exist.`);
    if (!statSync(path).isDirectory()) return [source];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length));
  });
  return files.map((file) => file.replaceAll("\\", "/")).sort();
}

function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
