import { execFileSync } from "node:child_process";
import type { Sources } from "./entry.ts";
import { root } from "./root.ts";
import { SourceTree } from "./source-tree.ts";

/** State of the measured sources. */
export interface Build {
  /** Full hash of the Git commit; `unknown` outside a repository. */
  readonly commit: string;
  /** `true` if a measured source differs from that commit. */
  readonly isModified: boolean;
  /** Measured modules, files and folders, from the root of the repository, as the entry names them. */
  readonly sources: readonly string[];
  /** SHA-256 of these sources and of the modules they import, 64 hexadecimal digits. */
  readonly sourcesSha256: string;
}

/** Describes the checked out state of some sources. */
export function describeBuild(sources: Sources): Build {
  const commit = git("rev-parse", "HEAD");
  const tree = new SourceTree();
  const named = [...sources.code, ...sources.texts];
  // A deleted file is in a named folder, and not in the list.
  const changes = git("status", "--porcelain", "--", ...named, ...tree.list(sources));
  return {
    commit: commit ?? "unknown",
    isModified: commit !== undefined && changes !== "",
    sources: named,
    sourcesSha256: tree.hash(sources),
  };
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
