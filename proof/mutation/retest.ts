import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Makes a run that has ended ready to try its survivors again, with the tests of today: they are
 * copied into its tree, whose sources stay as they were. What a test has noticed stays noticed, so
 * that tests may only have been added; what was judged to change nothing is not tried again.
 *
 * @param folder the run's, with its `tree`
 * @param judged ids of the mutants that were judged
 */
export function prepareRetest(root: string, folder: string, judged: ReadonlySet<string>): void {
  cpSync(join(root, "test"), join(folder, "tree/test"), { recursive: true });
  // Which tests reach a mutant is measured anew.
  rmSync(join(folder, "reach.json"), { force: true });
  const path = join(folder, "progress.jsonl");
  const done = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => {
      if (line === "") return false;
      const { id, status } = JSON.parse(line);
      return (
        status === "killed" || status === "timeout" || (status !== undefined && judged.has(id))
      );
    });
  writeFileSync(path, done.map((line) => `${line}\n`).join(""));
}
