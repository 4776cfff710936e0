import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../runner/root.ts";
import type { SourceFile, SourceImport } from "./source-files.ts";

/** Files below `src/` that each file imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Target of a name of `imports` in package.json: a path, or nested conditions. */
type Target = string | { readonly [condition: string]: Target };

/**
 * Returns the sources that each `#` name of package.json may resolve to, by name. The condition
 * `espalier-source` names one of them; the built files of the other conditions come from sources of the
 * same folder.
 */
export function readConditionalImports(
  repository: string = root,
): ReadonlyMap<string, readonly string[]> {
  const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  const { imports } = manifest as { readonly imports: Readonly<Record<string, Target>> };
  // The build writes these names, in modules for bundlers; the source imports files.
  const written = Object.entries(imports).filter(([name]) => !name.endsWith("/*"));
  return new Map(
    written.map(([name, target]) => {
      if (typeof target === "string") throw new Error(`"${name}" must have conditions.`);
      const source = target["espalier-source"];
      if (typeof source !== "string") throw new Error(`"${name}" must have a source.`);
      const folder = dirname(source).replace(/^\.\/src\//, "");
      const built = listTargets(target).filter((path) => /(?<!\.d)\.[jt]s$/.test(path));
      const files = built.map((path) => `${folder}/${basename(path).replace(/\.[jt]s$/, ".ts")}`);
      return [name, [...new Set(files)]];
    }),
  );
}

function listTargets(target: Target): readonly string[] {
  return typeof target === "string" ? [target] : Object.values(target).flatMap(listTargets);
}

/** Resolves one import to files below `src/`: none for a package, several for a `#` name. */
export function resolveImport(
  { name }: Pick<SourceFile, "name">,
  { from }: SourceImport,
  conditional: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (from.startsWith("#")) return conditional.get(from) ?? [];
  return from.startsWith(".") ? [join(dirname(name), from).replaceAll("\\", "/")] : [];
}

/** Builds the graph of the imports of some kinds. */
export function createImportGraph(
  files: readonly SourceFile[],
  kinds: readonly SourceImport["kind"][],
): ImportGraph {
  const names = new Set(files.map(({ name }) => name));
  const conditional = readConditionalImports();
  return new Map(
    files.map((file) => {
      const targets = file.imports
        .filter(({ kind }) => kinds.includes(kind))
        .flatMap((entry) => resolveImport(file, entry, conditional))
        .filter((target) => names.has(target));
      return [file.name, [...new Set(targets)]];
    }),
  );
}

/**
 * Returns the cycles of a graph, the largest first: its strongly connected components of two files and
 * more, and files that import themselves (Tarjan, "Depth-first search and linear graph algorithms", 1972).
 */
export function findCycles(graph: ImportGraph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  const visit = (name: string): number => {
    const index = order.size;
    let low = index;
    order.set(name, index);
    stack.push(name);
    for (const target of graph.get(name) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === index) {
      const component = stack.splice(stack.indexOf(name));
      const isCycle = component.length > 1 || graph.get(name)?.includes(name) === true;
      if (isCycle) cycles.push(component.sort());
    }
    return low;
  };
  for (const name of graph.keys()) if (!order.has(name)) visit(name);
  return cycles.sort((a, b) => b.length - a.length);
}
