import { existsSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { compileModules } from "../../scripts/runner/compile-modules.ts";
import { listFiles } from "../../scripts/runner/list-files.ts";
import type { SourceTree } from "../../scripts/runner/source-tree.ts";
import { root } from "./bundle.ts";

const isModule = (file: string): boolean => /\.[cm]?[jt]s$/.test(file);

/**
 * Finds the sources that the programs of a folder need: modules that they and their helpers import, modules
 * and examples whose paths they name, and entries of the package that they name in generated programs.
 */
export function findRequiredSources(program: string, tree: SourceTree): readonly string[] {
  const found = new Set(
    listFiles([dirname(program)]).filter((file) => isModule(file) && isOwn(file)),
  );
  for (;;) {
    const reached = tree.list({ code: [...found], texts: [] });
    const named = findNamedModules(reached.filter(isProgram)).filter(
      (file) => !reached.includes(file),
    );
    if (named.length === 0) return reached.filter(isSource);
    for (const file of named) found.add(file);
  }
}

/** The catalogues name every program and its sources. */
function isProgram(file: string): boolean {
  return /^(proof|benchmarks|test)\/(?!proofs\.ts$|benchmarks\.ts$)/.test(file);
}

/** The programs themselves, and the helpers that they share, are not measured. */
function isSource(file: string): boolean {
  return /^(src|examples)\//.test(file);
}

/** Finds what strings of programs name: modules, entries of the package, and examples with all their modules. */
function findNamedModules(programs: readonly string[]): readonly string[] {
  const compiled = compileModules(programs.filter(isModule), root);
  return [...compiled].flatMap(([file, { code }]) => {
    const text = new TextDecoder().decode(code);
    const all = (pattern: RegExp): string[] =>
      [...text.matchAll(pattern)].map(([, name]) => name ?? "");
    const paths = all(/["'`]([\w./-]+\.[cm]?[jt]s)["'`]/g);
    const entries = all(/["'`]espalier(?:\/([a-z/-]+))?["'`]/g);
    const examples = all(/\bexamples\/([\w-]+)\b/g)
      .map((name) => `examples/${name}`)
      .filter((folder) => existsSync(join(root, folder)));
    const files = [
      ...paths,
      ...paths.map((path) => posix.join(posix.dirname(file), path)),
      ...entries.map((name) => `src/${name || "index"}.ts`),
      ...listFiles(examples).filter(isModule),
    ];
    return files.filter((named) => isOwn(named) && isFile(named));
  });
}

/** Modules of the repository itself: programs also name built files and those of installed packages, or copy some. */
function isOwn(path: string): boolean {
  return (
    /^(src|examples|proof|benchmarks|test|scripts)\//.test(path) &&
    !/\/(node_modules|dist|target)\//.test(path)
  );
}

function isFile(path: string): boolean {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  return stats?.isFile() === true;
}
