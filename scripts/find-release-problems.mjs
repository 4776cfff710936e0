// Finds problems that prevent a release of `version`, in the working tree.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { benchmarks } from "../benchmarks/benchmarks.ts";
import { proofs } from "../proof/proofs.ts";
import { findOutdated, readResults, resultFolders } from "./runner/result-files.ts";

/** Returns the section of a version in the changelog; undefined if missing. */
export function changelogSection(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
  return section?.slice(section.indexOf("\n") + 1).trim();
}

/** Returns one sentence per problem. */
export function findReleaseProblems(root, version, runGit) {
  const read = (file) => readFileSync(join(root, file), "utf8");
  const problems = [];
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) {
    problems.push(`The version must be like 1.2.3, got "${version}".`);
  }

  for (const file of ["package.json", "create-espalier/package.json", "jsr.json"]) {
    const found = JSON.parse(read(file)).version;
    if (found !== version) problems.push(`The version in ${file} is ${found}.`);
  }

  const section = changelogSection(read("CHANGELOG.md"), version);
  if (section === undefined) problems.push(`CHANGELOG.md has no section "## ${version}".`);
  else if (!section.includes("- "))
    problems.push(`The section of ${version} in CHANGELOG.md is empty.`);

  // New projects use the tool versions that this repository is tested with.
  const { devDependencies } = JSON.parse(read("package.json"));
  const tools = read("create-espalier/src/versions.ts").matchAll(
    /^\s+"?([@\w/-]+)"?: "\^(.+)",$/gm,
  );
  for (const [, name, found] of tools) {
    const tested = devDependencies[name === "@types/bun" ? "bun" : name];
    if (found !== tested) {
      problems.push(`create-espalier/src/versions.ts has ${name} ${found}, tested is ${tested}.`);
    }
  }

  // A patch must not wait for hours of measurements; its pages name the build that was measured.
  if (version.endsWith(".0")) {
    const results = resultFolders.flatMap((folder) => readResults(folder, root));
    for (const { file } of findOutdated(results, [...proofs, ...benchmarks], root)) {
      problems.push(`${file} is older than the sources that it measured: run it again.`);
    }
  }

  const changes = runGit("status", "--porcelain");
  if (changes !== "") problems.push(`The working tree is not clean:\n${changes}`);
  if (runGit("tag", "--list", `v${version}`) !== "") {
    problems.push(`The tag v${version} already exists.`);
  }
  return problems;
}
