import { transform } from "esbuild";

/** A module within a bundle of esbuild. */
interface BundledModule {
  /** Path as esbuild names it in its comment; undefined for the lines before the first. */
  readonly path: string | undefined;
  readonly code: string;
  /** Name of the function that evaluates it; undefined if it is evaluated with the bundle. */
  readonly init: string | undefined;
}

/**
 * Returns the part of a bundle that is evaluated when it is imported, minified.
 *
 * Without code splitting, as in the tools of Workers, esbuild puts what an `import()` loads into functions
 * that the first call evaluates. Their code is in the bundle and costs nothing at start beyond being parsed.
 *
 * @param code a bundle of esbuild that is not minified: it names each module in a comment
 */
export async function evaluatedCode(code: string): Promise<string> {
  const text = evaluatedModules(code).map((module) => module.code);
  return (await transform(text.join("\n"), { minify: true, target: "es2024" })).code;
}

/** Returns the modules of a bundle that are evaluated when it is imported, in their order. */
export function evaluatedModules(code: string): readonly BundledModule[] {
  const modules = splitModules(code);
  const lazy = new Map(modules.map((module) => [module.init, module]));
  const evaluated = new Set<BundledModule>();
  const visit = (module: BundledModule): void => {
    if (evaluated.has(module)) return;
    evaluated.add(module);
    for (const [, init] of module.code.matchAll(/^(?: {4})?(init_\w+)\(\);$/gm)) {
      const imported = lazy.get(init);
      if (imported !== undefined) visit(imported);
    }
  };
  for (const module of modules) if (module.init === undefined) visit(module);
  return modules.filter((module) => evaluated.has(module));
}

function splitModules(code: string): BundledModule[] {
  return code.split(/^(?=\/\/ \S+\.[cm]?[jt]s$)/m).map((module) => ({
    code: module,
    path: /^\/\/ (\S+)/.exec(module)?.[1],
    init: /^var (init_\w+) = __esm\(/m.exec(module)?.[1],
  }));
}
