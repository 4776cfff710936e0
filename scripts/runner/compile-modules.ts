import { relative } from "node:path";
import { buildSync } from "esbuild";

/** A module of JavaScript or TypeScript, as it runs. */
export interface CompiledModule {
  /** Without types, comments and optional whitespace. */
  readonly code: Uint8Array;
  /** Specifiers of its static imports, re-exports and `import()` calls, without those of types. */
  readonly imports: readonly string[];
}

/** Compiles each module of some files by itself. Their paths, and those of the result, are relative to the folder. */
export function compileModules(
  files: readonly string[],
  folder: string,
): ReadonlyMap<string, CompiledModule> {
  if (files.length === 0) return new Map();
  const { metafile, outputFiles } = buildSync({
    absWorkingDir: folder,
    entryPoints: [...files],
    outdir: "compiled",
    outbase: ".",
    bundle: false,
    write: false,
    metafile: true,
    minifyWhitespace: true,
    legalComments: "none",
    target: "esnext",
    // Replaces tsconfig.json. An import without `type` is kept, although it may import only types.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    logLevel: "silent",
  });
  const codes = new Map(
    outputFiles.map(({ path, contents }) => [
      relative(folder, path).replaceAll("\\", "/"),
      contents,
    ]),
  );
  return new Map(
    Object.entries(metafile.outputs).map(([output, { entryPoint, imports }]) => {
      const code = codes.get(output);
      if (entryPoint === undefined || code === undefined) throw new Error(`${output} is missing.`);
      return [entryPoint, { code, imports: imports.map(({ path }) => path) }];
    }),
  );
}
