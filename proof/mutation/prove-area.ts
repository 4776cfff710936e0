import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { UsageError } from "../../scripts/runner/usage.ts";
import type { Proof } from "../support/run-proof.ts";
import { areas } from "./areas.ts";
import { instrumentTree, type Mutant } from "./instrument.ts";
import { prepareRetest } from "./retest.ts";
import { runMutants } from "./run-mutants.ts";
import {
  keyOf,
  readEquivalents,
  staleEquivalents,
  summarise,
  writeAreaResult,
} from "./summarise.ts";

/** Selection of an area's mutants, and how a run continues. */
export interface AreaOptions {
  /** Glob of the sources to mutate. */
  readonly files: string | undefined;
  /** Number of mutants, spread over all files. */
  readonly sample: number | undefined;
  readonly survivors: boolean;
  readonly resume: boolean;
  readonly retest: boolean;
}

/** Files of one run in `target`. */
interface RunFiles {
  readonly folder: string;
  readonly tree: string;
  readonly mutants: string;
  readonly run: string;
  readonly reach: string;
}

/** Tests the mutants of one area and adds its score to the proof. */
export async function proveArea(proof: Proof, name: string, options: AreaOptions): Promise<void> {
  const area = areas[name];
  if (area === undefined) throw new Error(`proof/mutation/areas.ts has no area "${name}".`);
  // A short form does not touch the files of a complete run, which --resume needs.
  const folder = join(root, "proof/mutation/target", proof.isQuick ? "quick" : name);
  const files: RunFiles = {
    folder,
    tree: join(folder, "tree"),
    mutants: join(folder, "mutants.json"),
    run: join(folder, "run.json"),
    reach: join(folder, "reach.json"),
  };
  if (options.retest) prepareRetest(root, folder, findJudged(files));
  else if (!options.resume) await prepareRun(name, files, options);

  const mutants = readMutants(files);
  const { isWhole, spentMs } = readJson(files.run) as { isWhole: boolean; spentMs: number };
  const startedAt = performance.now();
  const totalMs = (): number => Math.round(spentMs + performance.now() - startedAt);
  const order = {
    tree: files.tree,
    // Test files of the copy: the repository may have changed.
    files: listFiles(area.tests, area.exceptTests, files.tree),
    mutants: mutants.map(({ id }) => id),
    progress: join(folder, "progress.jsonl"),
    reach: files.reach,
  };
  console.error(`${name}: ${mutants.length} mutants, ${order.files.length} test files`);
  const verdicts = await runMutants(order, folder, area, (done) => {
    console.error(`${name}: ${done} of ${mutants.length}`);
    writeFileSync(files.run, JSON.stringify({ isWhole, spentMs: totalMs() }));
  });
  const { failing, slow = [] } = readJson(files.reach) as { failing: string[]; slow?: string[] };
  const summary = summarise(name, mutants, verdicts, readEquivalents());
  const seconds = Math.round(totalMs() / 1_000);

  for (const { at, mutator, original, replacement, status } of summary.survivors) {
    console.log(`${at} ${mutator} (${status}): ${original} → ${replacement.split("\n")[0]}`);
  }
  const { score, scoreOfNotEquivalent, killed, timeout, survived, noCoverage, equivalent } =
    summary;
  proof.add({
    case: name,
    runtime: "node",
    tried: mutants.length,
    unit: "mutants",
    more: {
      killed,
      timeout,
      survived,
      noCoverage,
      equivalent,
      score,
      scoreOfNotEquivalent,
      seconds,
    },
    faults: failing.map((test) => `fails without a mutant: ${test}`),
  });
  const details = { ...summary, failingWithoutMutants: failing, slowTestsLeftAway: slow, seconds };
  proof.addDetails({ [name]: details });
  if (!isWhole) return;
  writeAreaResult(join(root, `proof/mutation/results/${name}.json`), proof.describe(), details);
  for (const { file, code, replacement } of staleEquivalents(mutants, readEquivalents())) {
    console.log(`equivalent.json has an entry without a mutant: ${file}: ${code} → ${replacement}`);
  }
}

/** Copies and instruments the sources of an area, and chooses the mutants. */
async function prepareRun(name: string, files: RunFiles, options: AreaOptions): Promise<void> {
  const { mutate = [], except } = areas[name] ?? {};
  rmSync(files.folder, { recursive: true, force: true });
  mkdirSync(files.folder, { recursive: true });
  const sources = listFiles(mutate, except).filter(
    (file) => options.files === undefined || matchesGlob(file, options.files),
  );
  let mutants = await instrumentTree(files.tree, sources);
  if (options.survivors) mutants = chooseSurvivors(mutants, name);
  if (options.sample !== undefined) mutants = chooseSample(mutants, options.sample);
  writeFileSync(files.mutants, JSON.stringify(mutants));
  const isWhole = !options.survivors && options.sample === undefined && options.files === undefined;
  writeFileSync(files.run, JSON.stringify({ isWhole, spentMs: 0 }));
}

/** Selects mutants at equal distances: a sample covers all files and is deterministic. */
function chooseSample(mutants: readonly Mutant[], wanted: number): Mutant[] {
  const step = Math.max(1, mutants.length / wanted);
  return mutants.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function chooseSurvivors(mutants: readonly Mutant[], name: string): Mutant[] {
  const file = join(root, `proof/mutation/results/${name}.json`);
  if (!existsSync(file)) {
    throw new UsageError(
      `The area "${name}" has no result with survivors yet. Run it without --survivors first.`,
    );
  }
  const { survivors } = readJson(file) as { survivors: readonly Mutant[] };
  const wanted = new Set(survivors.map(keyOf));
  return mutants.filter((mutant) => wanted.has(keyOf(mutant)));
}

/** Returns the ids of the mutants of the last run that `equivalent.json` lists. */
function findJudged(files: RunFiles): ReadonlySet<string> {
  const known = readEquivalents();
  const judged = readMutants(files).filter((mutant) => known.has(keyOf(mutant)));
  return new Set(judged.map(({ id }) => id));
}

function listFiles(
  globs: readonly string[],
  except: readonly string[] = [],
  cwd: string = root,
): string[] {
  return globSync(globs, { cwd })
    .filter((file) => !except.some((glob) => matchesGlob(file, glob)))
    .sort();
}

const readMutants = (files: RunFiles): Mutant[] => readJson(files.mutants) as Mutant[];

/** Reads a file written by this proof. */
function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
