import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Prepares a finished run to test its survivors again with the current tests, which are copied into its
 * tree; the sources stay unchanged. Killed mutants stay killed, so tests may only have been added;
 * mutants listed as equivalent are not tested again.
 *
 * @param folder folder of the run, with its `tree`
 * @param judged ids of the equivalent mutants
 */
export function prepareRetest(root: string, folder: string, judged: ReadonlySet<string>): void {
  cpSync(join(root, "test"), join(folder, "tree/test"), { recursive: true });
  // The reach of the tests is measured again.
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
