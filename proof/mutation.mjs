// Mutation testing: changes the sources of an area one place at a time, and looks whether its tests notice.
//
//   npm ci --prefix proof/mutation
//   node proof/mutation.mjs --area validation [--files "src/validation/r*.ts"] [--sample 200] [--json FILE]
//                           [--survivors] [--resume] [--retest]
//
// Areas are in proof/mutation/areas.ts; several may be given, separated by commas, or `all`. A whole run
// writes proof/mutation/results/<area>.json; one of chosen files or of a sample writes only what --json names.
// --survivors tests again what survived the last whole run, and writes nothing. --resume goes on with a
// run that was stopped, on the sources as they were; of one that has ended it writes the result anew, with
// what equivalent.json says by now. --retest tries the survivors of the last run again, on its sources and
// with the tests of today, and writes the result anew. Survivors that change nothing that a user could see
// are in proof/mutation/equivalent.json with the reason; the score counts them, `scoreOfNotEquivalent` does not.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, setPriority } from "node:os";
import { join, matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { areas } from "./mutation/areas.ts";
import { instrumentTree } from "./mutation/instrument.ts";
import { prepareRetest } from "./mutation/retest.ts";
import { runMutants } from "./mutation/run-mutants.ts";
import {
  keyOf,
  readEquivalents,
  staleEquivalents,
  summarise,
  writeResult,
} from "./mutation/summarise.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const { values: options } = parseArgs({
  options: {
    area: { type: "string" },
    files: { type: "string" },
    sample: { type: "string" },
    json: { type: "string" },
    survivors: { type: "boolean", default: false },
    resume: { type: "boolean", default: false },
    retest: { type: "boolean", default: false },
  },
});
const names = options.area === "all" ? Object.keys(areas) : (options.area ?? "").split(",");
for (const name of names) {
  if (areas[name] !== undefined) continue;
  console.error(`There is no area "${name}". Areas: ${Object.keys(areas).join(", ")}, all.`);
  process.exit(2);
}
// Hours of work for what waits for nobody.
setPriority(19);

const filesOf = (globs, except = [], cwd = root) =>
  globSync(globs, { cwd })
    .filter((file) => !except.some((glob) => matchesGlob(file, glob)))
    .sort();

/** Every so many of them, so that a sample is spread over all files and is the same the next time. */
function sampleOf(mutants, wanted) {
  const step = Math.max(1, mutants.length / wanted);
  return Array.from({ length: Math.min(wanted, mutants.length) }, (_, at) =>
    mutants.at(Math.floor(at * step)),
  );
}

function survivorsOf(mutants, resultPath) {
  const { survivors } = JSON.parse(readFileSync(resultPath, "utf8"));
  const wanted = new Set(survivors.map(keyOf));
  return mutants.filter((mutant) => wanted.has(keyOf(mutant)));
}

async function proveArea(name) {
  const area = areas[name];
  const folder = join(root, "proof/mutation/target", name);
  const resultPath = join(root, `proof/mutation/results/${name}.json`);
  const tree = join(folder, "tree");
  const mutantsPath = join(folder, "mutants.json");
  const runPath = join(folder, "run.json");
  if (options.retest) {
    const known = readEquivalents();
    const tested = JSON.parse(readFileSync(mutantsPath, "utf8"));
    const judged = tested.filter((mutant) => known.has(keyOf(mutant))).map(({ id }) => id);
    prepareRetest(root, folder, new Set(judged));
  }
  if (!options.resume && !options.retest) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const sources = filesOf(area.mutate, area.except).filter(
      (file) => options.files === undefined || matchesGlob(file, options.files),
    );
    let mutants = await instrumentTree(tree, sources);
    if (options.survivors) mutants = survivorsOf(mutants, resultPath);
    if (options.sample !== undefined) mutants = sampleOf(mutants, Number(options.sample));
    writeFileSync(mutantsPath, JSON.stringify(mutants));
    const isWhole = !options.survivors && !options.sample && !options.files;
    writeFileSync(runPath, JSON.stringify({ isWhole, spentMs: 0 }));
  }
  const mutants = JSON.parse(readFileSync(mutantsPath, "utf8"));
  const { isWhole, spentMs } = JSON.parse(readFileSync(runPath, "utf8"));
  const begin = performance.now();
  const totalMs = () => Math.round(spentMs + performance.now() - begin);
  const order = {
    tree,
    // Those of the copy: of a run that goes on there may be more by now.
    files: filesOf(area.tests, area.exceptTests, tree),
    mutants: mutants.map(({ id }) => id),
    progress: join(folder, "progress.jsonl"),
    reach: join(folder, "reach.json"),
  };
  console.log(`${name}: ${mutants.length} mutants, ${order.files.length} test files`);
  const verdicts = await runMutants(order, folder, area, (done) => {
    console.log(`${name}: ${done} of ${mutants.length}`);
    writeFileSync(runPath, JSON.stringify({ isWhole, spentMs: totalMs() }));
  });
  const { failing, slow = [] } = JSON.parse(readFileSync(order.reach, "utf8"));
  const result = {
    ...summarise(name, mutants, verdicts, readEquivalents()),
    failingWithoutMutants: failing,
    ...(slow.length === 0 ? {} : { slowTestsLeftAway: slow }),
    seconds: Math.round(totalMs() / 1000),
    machine: `${availableParallelism()} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`,
    date: new Date().toISOString().slice(0, 10),
  };
  if (isWhole) writeResult(resultPath, result);
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  }
  const stale = isWhole ? staleEquivalents(mutants, readEquivalents()) : [];
  for (const { file, code, replacement } of stale) {
    console.log(
      `equivalent.json: no mutant is like this any more: ${file}: ${code} → ${replacement}`,
    );
  }
  const { survivors, equivalents: _judged, files: _scores, ...numbers } = result;
  console.log(JSON.stringify(numbers, null, 2));
  for (const { at, mutator, original, replacement, status } of survivors) {
    console.log(`${at} ${mutator} (${status}): ${original} → ${replacement.split("\n")[0]}`);
  }
}

for (const name of names) await proveArea(name);
