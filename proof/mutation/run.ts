// Mutation testing: changes the sources of an area one place at a time, and checks that its tests fail.
// The areas are in areas.ts; pass several separated by commas, or `all`.
//
// A complete run writes results/<area>.json; a run of selected files or of a sample writes only the file of
// --json. --survivors tests the survivors of the last complete run again, and writes nothing. --resume
// continues an interrupted run on its sources; for a finished run it writes the result again with the current
// equivalent.json. --retest tests the survivors of the last run again, on its sources and with the current
// tests, and writes the result again. Survivors without an observable effect are in equivalent.json with the
// reason; the score counts them, `scoreOfNotEquivalent` does not.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { areas } from "./areas.ts";
import { proveArea } from "./prove-area.ts";

/** Short form: an area with few sources and fast tests, and enough mutants to exercise every part. */
const quickArea = "cors";
const quickSample = 8;

const types = {
  area: "string",
  files: "string",
  sample: "string",
  survivors: "boolean",
  resume: "boolean",
  retest: "boolean",
} as const;

await runProof("mutation", types, async (proof, options) => {
  const all = Object.keys(areas);
  const area = options.area ?? (proof.isQuick ? quickArea : "all");
  const names = area === "all" ? all : readChoices("--area", area, all);
  const sample = options.sample ?? (proof.isQuick ? String(quickSample) : undefined);
  installInstrumenter();
  // Low priority: takes hours.
  setPriority(19);
  for (const name of names) {
    const reason = areas[name]?.skippedBecause;
    if (reason !== undefined) {
      if (names.length === 1) proof.skip(reason);
      console.error(`${name}: skipped, ${reason}`);
      continue;
    }
    await proveArea(proof, name, {
      files: options.files,
      sample: sample === undefined ? undefined : readCount("--sample", sample, quickSample),
      survivors: options.survivors,
      resume: options.resume,
      retest: options.retest,
    });
  }
});

/** Installs the packages of this folder, which the repository does not install. */
function installInstrumenter(): void {
  const folder = join(root, "proof/mutation");
  if (existsSync(join(folder, "node_modules"))) return;
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--prefix", folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci --prefix proof/mutation exited with code ${status}.`);
}
