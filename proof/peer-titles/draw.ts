// Draws test titles of other frameworks: npm run proof -- peer-titles --repositories FOLDER
//
// FOLDER has a checkout of each repository of projects.ts, under the name after the slash, or a bare one at
// NAME.git. The same seed draws the same titles; --check compares them with test/peers/drawn/titles.json.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../scripts/runner/root.ts";
import { Random } from "../../test/support/random.ts";
import { type Project, projects } from "./projects.ts";

interface Title {
  readonly project: string;
  readonly file: string;
  readonly title: string;
}

const { values } = parseArgs({
  options: { repositories: { type: "string" }, check: { type: "boolean", default: false } },
});
if (values.repositories === undefined) {
  console.error("The option --repositories FOLDER is missing.");
  process.exit(2);
}
const seed = 20261129;
const folder = resolve(values.repositories);
const drawn: Title[] = [];
for (const project of projects) {
  const titles = readTitles(project);
  console.error(`${project.name}: ${project.share} of ${titles.length}`);
  drawn.push(...draw(titles, project.share));
}
if (values.check) {
  const listed: readonly Title[] = JSON.parse(
    readFileSync(join(root, "test/peers/drawn/titles.json"), "utf8"),
  );
  const titles = listed.map(({ project, file, title }) => ({ project, file, title }));
  const isEqual = JSON.stringify(titles) === JSON.stringify(drawn);
  console.log(
    isEqual ? "The list has the drawn titles." : "The list differs from the drawn titles.",
  );
  process.exitCode = isEqual ? 0 : 1;
} else {
  console.log(JSON.stringify(drawn, null, 2));
}

/** Reads every title in the files of a project, in the order of the files. */
function readTitles({ name, repository, commit, files }: Project): Title[] {
  const own = repository.slice(repository.indexOf("/") + 1);
  const bare = join(folder, `${own}.git`);
  const place = existsSync(bare) ? bare : join(folder, own);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", place, ...args], { encoding: "utf8", maxBuffer: 2 ** 28 });
  const paths = git("ls-tree", "-r", "--name-only", commit).split("\n");
  const found = new Map<string, Title>();
  for (const file of paths.filter((path) => files.test(path))) {
    for (const title of titlesIn(git("show", `${commit}:${file}`), file)) {
      found.set(`${file}\n${title}`, { project: name, file, title });
    }
  }
  return [...found.values()];
}

/** Finds the first argument of `test` and `it`, or the names of PHP's test methods. */
function titlesIn(source: string, file: string): string[] {
  if (file.endsWith(".php")) {
    return [...source.matchAll(/public function (test\w+)\(/g)].map(([, name = ""]) => name);
  }
  const calls = source.matchAll(/\b(?:test|it)\(\s*(?:'((?:[^'\\]|\\.)+)'|"([^"\n]+)"|`([^`]+)`)/g);
  return [...calls].map(([, single, double, template]) => single ?? double ?? template ?? "");
}

/** Takes a number of titles at random, each at most once. */
function draw(titles: readonly Title[], share: number): Title[] {
  const random = new Random(seed);
  const rest = [...titles];
  return Array.from({ length: Math.min(share, rest.length) }, () => {
    const [taken] = rest.splice(random.between(0, rest.length - 1), 1);
    if (taken === undefined) throw new Error("There is nothing left to draw.");
    return taken;
  });
}
