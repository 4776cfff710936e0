import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry, Sources } from "./entry.ts";
import type { Result, ResultRow } from "./result.ts";
import { root } from "./root.ts";
import { SourceTree } from "./source-tree.ts";

/** Folders of the committed results. */
export const resultFolders = ["proof/results", "benchmarks/results"] as const;

/** Row of a committed result; only those of proofs have the optional members. */
export interface RecordedRow extends ResultRow {
  readonly tried?: number;
  readonly faults?: readonly string[];
}

/** A committed result of a proof or a benchmark. */
export interface RecordedResult extends Result<RecordedRow> {
  readonly inputs?: number;
  readonly passed?: boolean;
  readonly skippedBecause?: string;
}

/** A committed result file. */
export interface ResultFile {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly result: RecordedResult;
}

/** Reads the committed results of a folder, sorted by file name; none if it does not exist. */
export function readResults(
  folder: (typeof resultFolders)[number],
  repository: string = root,
): ResultFile[] {
  const path = join(repository, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => {
      const file = `${folder}/${name}`;
      const result: RecordedResult = JSON.parse(readFileSync(join(repository, file), "utf8"));
      return { file, result };
    });
}

/**
 * Returns the results whose measured sources have changed since. Compares hashes, for which a shallow
 * clone suffices; a result whose entry measures other sources than it recorded has changed, too.
 */
export function findOutdated(
  files: readonly ResultFile[],
  entries: readonly Pick<Entry, "name" | keyof Sources>[],
  repository: string = root,
): ResultFile[] {
  const tree = new SourceTree(repository);
  const hashes = new Map<string, string>();
  return files.filter(({ result: { name, build } }) => {
    const entry = entries.find((candidate) => candidate.name === name);
    if (entry === undefined) return true;
    const hash = hashes.get(name) ?? tree.hash(entry);
    hashes.set(name, hash);
    return hash !== build.sourcesSha256;
  });
}
