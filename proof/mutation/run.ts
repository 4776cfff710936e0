// Mutation testing: changes the sources of an area one place at a time, and looks whether its tests notice.
// The areas are in areas.ts; several may be given, separated by commas, or `all`.
//
// A whole run writes results/<area>.json; one of chosen files or of a sample writes only what --json names.
// --survivors tests again what survived the last whole run, and writes nothing. --resume continues a run that
// was stopped, on the sources as they were; for one that has ended it writes the result again, with what
// equivalent.json says now. --retest tries the survivors of the last run again, on its sources and with the
// tests of today, and writes the result again. Survivors that change nothing that a user could see are in
// equivalent.json with the reason; the score counts them, `scoreOfNotEquivalent` does not.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { areas } from "./areas.ts";
import { proveArea } from "./prove-area.ts";

/** An area with few sources and fast tests, and as many of its mutants as show that all of it works. */
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
  // Hours of work with no one waiting for the result.
  setPriority(19);
  for (const name of names) {
    await proveArea(proof, name, {
      files: options.files,
      sample: sample === undefined ? undefined : readCount("--sample", sample, quickSample),
      survivors: options.survivors,
      resume: options.resume,
      retest: options.retest,
    });
  }
});

/** Installs the packages of this folder, which the repository does without. */
function installInstrumenter(): void {
  const folder = join(root, "proof/mutation");
  if (existsSync(join(folder, "node_modules"))) return;
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--prefix", folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci --prefix proof/mutation exited with code ${status}.`);
}
