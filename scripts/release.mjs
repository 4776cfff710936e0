// Prepares a release: verifies its preconditions, runs all checks, and tags the commit. Pushing the tag makes
// continuous integration publish both packages with provenance.
//
//   node scripts/release.mjs [version] [--dry-run]
//
// Default version: that of package.json. --dry-run neither runs the checks nor tags.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { changelogSection, findReleaseProblems } from "./find-release-problems.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false } },
});
const version = positionals[0] ?? JSON.parse(readFileSync("package.json", "utf8")).version;
const tag = `v${version}`;
const runGit = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();

const problems = findReleaseProblems(process.cwd(), version, runGit);
if (problems.length > 0) {
  console.error(`Cannot release ${tag}:\n`);
  for (const problem of problems) console.error(`- ${problem}`);
  process.exit(1);
}

console.log(`${tag}\n\n${changelogSection(readFileSync("CHANGELOG.md", "utf8"), version)}\n`);
if (values["dry-run"]) {
  console.log(`Would run \`npm run check\`, and tag ${runGit("rev-parse", "--short", "HEAD")}.`);
} else {
  const { status } = spawnSync("npm", ["run", "check"], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  // The checks rebuild committed files: a difference means that they did not test this commit.
  const changes = runGit("status", "--porcelain");
  if (changes !== "") throw new Error(`The checks have changed files:\n${changes}`);
  runGit("tag", "--annotate", tag, "--message", `espalier ${version}`);
  console.log(`Tagged. Publish with: git push origin ${tag}`);
}
