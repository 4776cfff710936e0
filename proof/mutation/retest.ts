import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Makes a run that has ended ready to try its survivors again, with the tests of today: they are
 * copied into its tree, whose sources stay as they were. What a test has noticed stays noticed, so
 * that tests may only have been added.
 *
 * @param folder the run's, with its `tree`
 */
export function prepareRetest(root: string, folder: string): void {
  cpSync(join(root, "test"), join(folder, "tree/test"), { recursive: true });
  // Which tests reach a mutant is measured anew.
  rmSync(join(folder, "reach.json"), { force: true });
  const path = join(folder, "progress.jsonl");
  const noticed = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "" && ["killed", "timeout"].includes(JSON.parse(line).status));
  writeFileSync(path, noticed.map((line) => `${line}\n`).join(""));
}
